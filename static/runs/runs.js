// Runs: the estimate follows the form, the run's page follows the run. Without it both have a button or a reload.
(() => {
  "use strict";

  // -- the order: groups are chosen at once, the estimate is asked for after each change -------------------------------
  const form = document.querySelector("form[data-order]");
  if (form) {
    const place = document.getElementById("estimate");
    let waiting = 0;
    let asked = 0;
    async function renew() {
      const number = ++asked;
      place.classList.add("busy");
      try {
        const response = await fetch(form.dataset.order, { method: "POST", body: new FormData(form), headers: { "X-Requested-With": "fetch" } });
        const text = await response.text();
        if (number === asked && response.ok) place.innerHTML = text;
      } catch { /* the button still works */ } finally {
        if (number === asked) place.classList.remove("busy");
      }
    }
    const soon = () => { clearTimeout(waiting); waiting = setTimeout(renew, 250); };
    form.addEventListener("input", soon);
    form.addEventListener("change", soon);
    form.querySelectorAll("[data-pick]").forEach((button) => {
      button.addEventListener("click", () => {
        button.closest("fieldset").querySelectorAll("input[type=checkbox]").forEach((box) => { box.checked = button.dataset.pick === "all"; });
        soon();
      });
    });
    // Nothing chosen yet is no mistake to name.
    if (form.querySelector("[name=networks]:checked")) renew();
  }

  // -- a run: its live part is asked for again until it ends ---------------------------------------------------------
  const live = document.querySelector("[data-live]");
  if (live && live.dataset.open === "1") {
    const stale = document.getElementById("stale");
    let failures = 0;
    async function look() {
      let open = true;
      if (!document.hidden) {
        try {
          const response = await fetch(live.dataset.live, { headers: { "X-Requested-With": "fetch" } });
          if (!response.ok || response.redirected) throw new Error(String(response.status));
          const fresh = new DOMParser().parseFromString(await response.text(), "text/html").body;
          open = fresh.querySelector("[data-is-open]").dataset.isOpen === "1";
          live.replaceChildren(...fresh.childNodes);
          failures = 0;
        } catch { failures += 1; }
        stale.hidden = failures < 3;
      }
      if (open) setTimeout(look, Math.min(2000 * 2 ** Math.max(0, failures - 1), 30000));
      else location.reload();
    }
    setTimeout(look, 2000);
  }
})();
