// Authors' pages: the editor's colours and errors, the live state of a validation, "try it". Everything works without, too.
(function () {
  "use strict";
  document.documentElement.classList.add("js");

  function token(form) { return form.querySelector("[name=csrfmiddlewaretoken]").value; }
  function post(address, form, values) {
    var body = new FormData();
    Object.keys(values).forEach(function (key) { body.append(key, values[key]); });
    return fetch(address, { method: "POST", body: body, headers: { "X-CSRFToken": token(form), Accept: "application/json" } });
  }
  function make(name, text, kind) {
    var node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (kind) node.className = kind;
    return node;
  }

  // -- colours ----------------------------------------------------------------------------------------------------------
  var BSL_WORDS = "Если|Тогда|ИначеЕсли|Иначе|КонецЕсли|Для|Каждого|Из|По|Пока|Цикл|КонецЦикла|Процедура|КонецПроцедуры|Функция|КонецФункции|Перем|Знач|Возврат|Прервать|Продолжить|Попытка|Исключение|КонецПопытки|ВызватьИсключение|Новый|И|Или|Не|Истина|Ложь|Неопределено|Экспорт|Выполнить|Перейти|Null|If|Then|ElsIf|Else|EndIf|For|Each|In|To|While|Do|EndDo|Procedure|EndProcedure|Function|EndFunction|Var|Val|Return|Break|Continue|Try|Except|EndTry|Raise|New|And|Or|Not|True|False|Undefined|Export";
  var LANGUAGES = {
    bsl: [["comment", "//[^\\n]*"], ["string", "\"(?:[^\"\\n]|\"\")*\"?|^[ \\t]*\\|(?:[^\"\\n]|\"\")*\"?"], ["date", "'[^'\\n]*'"], ["directive", "[&#][\\p{L}]+"], ["number", "\\b\\d+(?:\\.\\d+)?\\b"], ["keyword", "(?<![\\p{L}\\p{N}_.])(?:" + BSL_WORDS + ")(?![\\p{L}\\p{N}_])"]],
    yaml: [["comment", "(?<=^|\\s)#[^\\n]*"], ["string", "\"(?:[^\"\\\\\\n]|\\\\.)*\"?|'(?:[^'\\n]|'')*'?"], ["keyword", "(?:(?<=^\\s*(?:- )?\\{?)|(?<=[{,]\\s?))[\\p{L}\\p{N}_.]+(?=:(?:\\s|$))"], ["number", "(?<![\\p{L}\\p{N}_.-])-?\\d+(?:\\.\\d+)?(?![\\p{L}\\p{N}_.-])"], ["parameter", "\\b(?:true|false|null)\\b"]]
  };
  function painter(language) {
    var rules = LANGUAGES[language] || LANGUAGES.bsl;
    var pattern = new RegExp(rules.map(function (rule) { return "(" + rule[1] + ")"; }).join("|"), language === "yaml" ? "gmu" : "gimu");
    return function (target, text) {
      var parts = document.createDocumentFragment(), at = 0, found;
      pattern.lastIndex = 0;
      while ((found = pattern.exec(text))) {
        if (found[0] === "") { pattern.lastIndex += 1; continue; }
        if (found.index > at) parts.append(text.slice(at, found.index));
        var which = rules.findIndex(function (rule, number) { return found[number + 1] !== undefined; });
        parts.append(make("span", found[0], "k-" + rules[which][0]));
        at = found.index + found[0].length;
      }
      parts.append(text.slice(at) + "\n");
      target.replaceChildren(parts);
    };
  }

  // -- the editor -------------------------------------------------------------------------------------------------------
  function startEditor(form) {
    var text = form.querySelector("[data-text]"), paint = form.querySelector("[data-paint]"), gutter = form.querySelector("[data-gutter]");
    var found = form.querySelector("[data-found]"), saving = form.querySelector("[data-saving]"), theirs = form.querySelector("[data-theirs]");
    var revision = form.querySelector("[name=revision]"), file = form.querySelector("[name=file]").value;
    var draw = painter(form.dataset.language), errors = [], timer = 0, saved = text.value, asked = 0;

    function lines() {
      var bad = new Set(errors.map(function (error) { return error.line; })), parts = document.createDocumentFragment();
      var count = text.value.split("\n").length;
      for (var number = 1; number <= count; number += 1) {
        parts.append(bad.has(number) ? make("span", number, "bad") : String(number), "\n");
      }
      gutter.replaceChildren(parts);
    }
    function follow() { paint.scrollTop = gutter.scrollTop = text.scrollTop; paint.scrollLeft = text.scrollLeft; }
    function refresh() { draw(paint, text.value); lines(); follow(); }
    function goTo(line) {
      var start = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      text.focus(); text.setSelectionRange(start, start);
      text.scrollTop = Math.max(0, (line - 6) * 20); follow();
    }
    function show(list) {
      errors = list;
      found.replaceChildren.apply(found, list.map(function (error) {
        var item = make("li");
        if (error.line) {
          var jump = make("button", file + ":" + error.line);
          jump.type = "button"; jump.addEventListener("click", function () { goTo(error.line); });
          item.append(jump, " ");
        }
        item.append(error.message + (error.cure ? " → " + error.cure : ""));
        return item;
      }));
      lines();
    }
    function check() {
      var mine = (asked += 1);
      post(form.dataset.check, form, { file: file, text: text.value }).then(function (reply) { return reply.ok ? reply.json() : null; }).then(function (data) {
        if (data && mine === asked) show(data.findings);
      }).catch(function () {});
    }
    function mark() { saving.textContent = text.value === saved ? "" : form.dataset.unsaved; }
    text.addEventListener("input", function () { refresh(); mark(); clearTimeout(timer); timer = setTimeout(check, 500); });
    text.addEventListener("scroll", follow);
    text.addEventListener("keydown", function (event) {
      if (event.key === "Tab" && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        text.setRangeText(form.dataset.language === "yaml" ? "  " : "\t", text.selectionStart, text.selectionEnd, "end");
        text.dispatchEvent(new Event("input"));
      } else if (event.key === "Escape") { text.blur(); form.querySelector(".editor-bar button").focus(); }
    });
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      var sent = text.value;
      post(form.action, form, { file: file, text: sent, revision: revision.value }).then(function (reply) {
        return reply.json().then(function (data) {
          if (reply.ok) {
            saved = sent; mark(); saving.textContent = form.dataset.saved + " · " + data.revision; theirs.hidden = true;
            document.querySelectorAll("[name=revision]").forEach(function (field) { field.value = data.revision; });
            return;
          }
          show(data.errors);
          if (reply.status === 409) {
            theirs.hidden = false; theirs.querySelector("pre").textContent = data.theirs; theirs.querySelector("p").textContent = form.dataset.clash;
            revision.value = data.revision;
          }
        });
      }).catch(function () { form.submit(); });
    });
    document.addEventListener("keydown", function (event) {
      if ((event.ctrlKey || event.metaKey) && event.code === "KeyS") { event.preventDefault(); form.requestSubmit(); }
    });
    window.addEventListener("beforeunload", function (event) { if (text.value !== saved) event.preventDefault(); });
    refresh(); check();
    var wanted = /^#L(\d+)$/.exec(location.hash);
    if (wanted && +wanted[1]) goTo(+wanted[1]);
  }

  // -- the state of a validation ------------------------------------------------------------------------------------------
  function startStatus(box) {
    var label = box.querySelector("[data-label]"), stage = box.querySelector("[data-stage]"), share = box.querySelector("[data-share]"), live = box.querySelector("[data-live]");
    function open(state) { return state === "queued" || state === "claimed"; }
    function look() {
      fetch(box.dataset.status, { headers: { Accept: "application/json" } }).then(function (reply) { return reply.json(); }).then(function (data) {
        label.textContent = data.label; stage.textContent = data.stage; share.value = data.share;
        if (!open(data.state)) { location.reload(); return; }
        live.replaceChildren.apply(live, data.remarks.map(function (remark) {
          var item = make("li", undefined, "is-" + remark.severity);
          item.append(make("span", remark.place, "place"), " ", remark.message);
          return item;
        }));
        setTimeout(look, 500);
      }).catch(function () { setTimeout(look, 3000); });
    }
    if (open(box.dataset.state)) setTimeout(look, 300);
  }

  // -- try it ---------------------------------------------------------------------------------------------------------------
  function startTry(form) {
    var result = form.querySelector("[data-result]"), busy = form.querySelector("[data-busy]"), button = form.querySelector("button");
    var headings = JSON.parse(result.dataset.headings);
    function table(outcomes) {
      var box = make("div", undefined, "scroll"), grid = make("table"), head = make("thead"), body = make("tbody"), row = make("tr");
      ["number", "name", "verdict", "actual", "expected"].forEach(function (key) { row.append(make("th", headings[key])); });
      head.append(row);
      outcomes.forEach(function (one) {
        var line = make("tr");
        line.append(make("td", one.number), make("td", one.name), make("td", one.verdict_name, one.verdict), make("td", one.actual, "value"), make("td", one.expected, "value"));
        body.append(line);
      });
      grid.append(head, body); box.append(grid);
      return box;
    }
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      busy.hidden = false; button.disabled = true;
      post(form.dataset.try, form, { code: form.querySelector("textarea").value }).then(function (reply) { return reply.json(); }).then(function (data) {
        var errors = (data.errors || []).map(function (error) { return make("p", (error.line ? error.line + ": " : "") + error.message, "wrong"); });
        var parts = errors;
        if (data.values) {
          var line = make("p");
          Object.keys(data.values).forEach(function (axis) { var one = make("span", undefined, "axis"); one.append(make("b", axis), " " + data.values[axis]); line.append(one, " "); });
          parts = [line].concat(errors);
          if (data.problem) parts.push(make("p", data.problem, "wrong"));
          if (data.outcomes.length) parts.push(table(data.outcomes));
          if (data.growth.length) parts.push(make("p", data.growth.map(function (pair) { return pair[0] + " → " + pair[1]; }).join(", "), "muted small"));
          if (data.printed) parts.push(make("pre", data.printed, "detail"));
        }
        result.replaceChildren.apply(result, parts);
      }).catch(function (error) { result.replaceChildren(make("p", String(error), "wrong")); }).finally(function () { busy.hidden = true; button.disabled = false; });
    });
  }

  // -- uploads ----------------------------------------------------------------------------------------------------------------
  function startUpload(field) {
    field.addEventListener("change", function () {
      var file = field.files[0], large = file && file.size > +field.dataset.most;
      field.setCustomValidity(large ? field.dataset.large : "");
      if (large) field.reportValidity();
    });
  }

  document.querySelectorAll("[data-most]").forEach(startUpload);
  document.querySelectorAll("[data-editor]").forEach(startEditor);
  document.querySelectorAll("[data-status]").forEach(startStatus);
  document.querySelectorAll("[data-try]").forEach(startTry);
  document.querySelectorAll("[data-reload]").forEach(function (box) { setTimeout(function () { location.reload(); }, +box.dataset.reload); });
})();
