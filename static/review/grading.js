// The grading screen: keyboard, drafts that survive a lost connection, notes at lines. The form works without it.
(() => {
  "use strict";
  const form = document.getElementById("sheet");
  if (!form) return;
  const state = JSON.parse(document.getElementById("state").textContent);
  const boxes = [...form.querySelectorAll("fieldset.axis")];
  const saved = document.getElementById("saved");
  const problem = document.getElementById("problem");
  const conflict = document.getElementById("conflict");
  const mirror = "prism-draft:" + form.dataset.key;
  const SAVE_AFTER = 500, RETRY_AFTER = 4000, MOST_UNDO = 100;
  const undo = [];
  let version = state.version, timer = 0, saving = false, again = false, dirty = false, leaving = false, theirs = null;

  // -- what is typed ------------------------------------------------------------------------------------------------
  function collect() {
    const data = { grades: {}, comments: {}, lines: {} };
    for (const box of boxes) {
      const axis = box.dataset.axis, chosen = box.querySelector("input:checked");
      if (chosen) data.grades[axis] = Number(chosen.value);
      const text = box.querySelector("textarea").value;
      if (text.trim()) data.comments[axis] = text;
    }
    form.querySelectorAll(".line-note textarea").forEach((field) => {
      if (field.value.trim()) data.lines[field.name.slice(5)] = field.value;
    });
    return data;
  }
  function put(data) {
    for (const box of boxes) {
      const axis = box.dataset.axis, value = (data.grades || {})[axis];
      box.querySelectorAll("input[type=radio]").forEach((input) => { input.checked = value !== undefined && Number(input.value) === value; });
      box.querySelector("textarea").value = (data.comments || {})[axis] || "";
    }
    form.querySelectorAll(".line-note").forEach((note) => { note.previousElementSibling?.classList.remove("noted"); note.remove(); });
    for (const [line, text] of Object.entries(data.lines || {})) note(line, text, false);
  }
  function remember() {
    undo.push(JSON.stringify(before));
    if (undo.length > MOST_UNDO) undo.shift();
    before = collect();
  }

  // -- saving -------------------------------------------------------------------------------------------------------
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  function keep(data) { try { localStorage.setItem(mirror, JSON.stringify({ version, data })); } catch { /* storage may be closed */ } }
  function forget() { try { localStorage.removeItem(mirror); } catch { /* nothing was kept then */ } }
  function changed() {
    dirty = true;
    keep(collect());
    saved.textContent = form.dataset.saving;
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER);
  }
  async function save() {
    if (saving) { again = true; return; }
    if (theirs || leaving) return;
    saving = true;
    clearTimeout(timer);
    const data = collect();
    try {
      const reply = await fetch(form.dataset.draft, {
        method: "POST", keepalive: true, credentials: "same-origin",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token }, body: JSON.stringify({ version, data }),
      });
      const body = await reply.json();
      if (reply.ok) {
        version = body.version;
        dirty = again;
        if (!again) { forget(); saved.textContent = form.dataset.saved; }
      } else if (reply.status === 409 && body.data) {
        settle(body, data);
      } else if (reply.status === 409) {
        location.reload();
      }
    } catch {
      saved.textContent = form.dataset.offline;
      timer = setTimeout(save, RETRY_AFTER);
    } finally {
      saving = false;
      if (again) { again = false; save(); }
    }
  }
  // Another tab saved meanwhile. The same content needs no question.
  function settle(body, mine) {
    if (JSON.stringify(sorted(body.data)) === JSON.stringify(sorted(mine))) { version = body.version; dirty = false; return; }
    theirs = body;
    conflict.hidden = false;
    conflict.querySelector("button").focus();
  }
  function sorted(value) {
    if (!value || typeof value !== "object") return value;
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
  }
  conflict.addEventListener("click", (event) => {
    const choice = event.target.dataset.take;
    if (!choice || !theirs) return;
    version = theirs.version;
    if (choice === "theirs") { remember(); put(theirs.data); before = collect(); forget(); dirty = false; }
    theirs = null;
    conflict.hidden = true;
    if (choice === "mine") save();
  });
  addEventListener("pagehide", () => { if (dirty && !leaving) save(); });

  // -- axes ---------------------------------------------------------------------------------------------------------
  let active = 0;
  function activate(place, focus = true) {
    active = (place + boxes.length) % boxes.length;
    boxes.forEach((box, index) => box.classList.toggle("active", index === active));
    const box = boxes[active];
    box.scrollIntoView({ block: "nearest" });
    if (focus) (box.querySelector("input:checked") || box.querySelector("input")).focus({ preventScroll: true });
  }
  function choose(step) {
    const input = boxes[active].querySelector(`input[value="${step}"]`);
    input.checked = true;
    boxes[active].classList.remove("wrong");
    remember();
    changed();
    const open = boxes.findIndex((box, index) => index > active && !box.querySelector("input:checked"));
    const any = boxes.findIndex((box) => !box.querySelector("input:checked"));
    activate(open >= 0 ? open : any >= 0 ? any : active);
  }
  function missing() { return boxes.filter((box) => !box.querySelector("input:checked")); }
  form.addEventListener("submit", (event) => {
    const open = missing();
    if (open.length) {
      event.preventDefault();
      open.forEach((box) => box.classList.add("wrong"));
      problem.textContent = form.dataset.missing + " " + open.map((box) => box.dataset.axis).join(", ");
      problem.hidden = false;
      activate(boxes.indexOf(open[0]));
      return;
    }
    if (leaving) { event.preventDefault(); return; }
    leaving = true;
    clearTimeout(timer);
    forget();
    document.getElementById("next").setAttribute("aria-disabled", "true");
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  form.addEventListener("change", (event) => {
    if (event.target.type === "radio") {
      event.target.closest("fieldset").classList.remove("wrong");
      problem.hidden = missing().length === 0 ? true : problem.hidden;
      remember();
      changed();
    }
  });
  form.addEventListener("input", (event) => { if (event.target.tagName === "TEXTAREA") changed(); });
  form.addEventListener("focusin", (event) => {
    const box = event.target.closest("fieldset.axis");
    if (box) { active = boxes.indexOf(box); boxes.forEach((other) => other.classList.toggle("active", other === box)); }
  });
  form.addEventListener("focusout", (event) => { if (event.target.tagName === "TEXTAREA") remember(); });

  // -- notes at lines -------------------------------------------------------------------------------------------------
  function note(line, text = "", focus = true) {
    const row = form.querySelector(`.line[data-line="${Number(line)}"]`);
    if (!row) return;
    let place = row.nextElementSibling;
    if (!place || !place.classList.contains("line-note")) {
      place = document.createElement("div");
      place.className = "line-note";
      const field = document.createElement("textarea");
      field.name = "line_" + line;
      field.rows = 2;
      field.maxLength = 4000;
      field.setAttribute("aria-label", form.dataset.note + " " + line);
      field.value = text;
      field.addEventListener("blur", () => { if (!field.value.trim()) { place.remove(); row.classList.remove("noted"); } });
      place.append(field);
      row.after(place);
      row.classList.add("noted");
    }
    if (focus) place.querySelector("textarea").focus();
  }
  const numbers = [...form.querySelectorAll(".code button.no")];
  form.querySelector(".code").addEventListener("click", (event) => {
    const button = event.target.closest("button.no");
    if (button) note(button.parentElement.dataset.line);
  });

  // -- dialogs --------------------------------------------------------------------------------------------------------
  function open(name) { document.getElementById(name).showModal(); }
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open]"), closer = event.target.closest("[data-close]");
    if (opener) open(opener.dataset.open);
    if (closer) closer.closest("dialog").close();
    if (event.target.closest("[data-do=undo]")) revert();
  });
  function revert() {
    const last = undo.pop();
    if (!last) return;
    put(JSON.parse(last));
    before = collect();
    changed();
  }

  // -- keyboard: by the place of a key, so that it works in every layout; silent while something is typed -----------------
  const STEP_KEYS = { Digit0: 0, Digit2: 2, Digit4: 4, Digit6: 6, Digit8: 8, Digit1: 10, Numpad0: 0, Numpad2: 2, Numpad4: 4, Numpad6: 6, Numpad8: 8, Numpad1: 10 };
  const DEEDS = {
    KeyN: () => form.requestSubmit(), KeyK: () => open("skip"), KeyF: () => open("flag"), KeyG: () => open("guide"), KeyU: revert,
    KeyC: () => boxes[active].querySelector("textarea").focus(), KeyL: () => numbers[0]?.focus(),
  };
  function typing(target) { return target.closest("textarea, select, input:not([type=radio]), [contenteditable]"); }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && typing(event.target)) { event.target.blur(); return; }
    if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target) || document.querySelector("dialog[open]")) return;
    const line = numbers.indexOf(event.target);
    const axis = boxes.findIndex((box) => "Key" + box.dataset.axis === event.code);
    if (line >= 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      numbers[Math.min(numbers.length - 1, Math.max(0, line + (event.key === "ArrowDown" ? 1 : -1)))].focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      activate(active + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && !event.target.closest("button, a, summary")) {
      form.requestSubmit();
    } else if (axis >= 0) {
      activate(axis);
    } else if (event.code in STEP_KEYS && !event.shiftKey) {
      choose(STEP_KEYS[event.code]);
    } else if (event.key === "?" || (event.code === "Slash" && event.shiftKey)) {
      open("keys");
    } else if (event.code in DEEDS && !event.shiftKey) {
      DEEDS[event.code]();
    } else {
      return;
    }
    event.preventDefault();
  });

  // -- start: the server's draft, or what this browser kept when the connection was lost ----------------------------------
  put(state.data);
  let before = collect();
  try {
    const kept = JSON.parse(localStorage.getItem(mirror) || "null");
    if (kept && kept.version === version) { put(kept.data); before = collect(); changed(); }
    else forget();
  } catch { forget(); }
  const refused = document.querySelector("fieldset.wrong");
  const first = boxes.findIndex((box) => !box.querySelector("input:checked"));
  activate(refused ? boxes.indexOf(refused) : Math.max(0, first));
})();
