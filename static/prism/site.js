// Progressive enhancement only: every page works without it.
(() => {
  "use strict";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);

  // -- theme ------------------------------------------------------------------------------------------------------
  const toggle = document.querySelector("[data-theme-switch]");
  function nameToggle() {
    const label = isDark() ? toggle.dataset.light : toggle.dataset.dark;
    toggle.title = label;
    toggle.setAttribute("aria-label", label);
  }
  if (toggle) {
    toggle.hidden = false;
    nameToggle();
    toggle.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try { localStorage.setItem("prism-theme", root.dataset.theme); } catch { /* the choice lasts for this page */ }
      nameToggle();
      redraw();
    });
    dark.addEventListener("change", () => { nameToggle(); redraw(); });
  }

  // -- charts -----------------------------------------------------------------------------------------------------
  const drawn = new Set();
  let plotly = null;
  function loadPlotly() {
    plotly ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = document.body.dataset.plotly;
      script.onload = () => resolve(window.Plotly);
      script.onerror = reject;
      document.head.append(script);
    });
    return plotly;
  }
  function coloured(value, colours) {
    if (typeof value === "string" && value.startsWith("@")) return colours.getPropertyValue("--" + value.slice(1)).trim();
    if (Array.isArray(value)) return value.map((entry) => coloured(entry, colours));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, coloured(entry, colours)]));
    }
    return value;
  }
  function themed(layout, colours) {
    const get = (name) => colours.getPropertyValue(name).trim();
    const axis = { gridcolor: get("--line"), zerolinecolor: get("--muted"), linecolor: get("--line"), tickcolor: get("--line") };
    const result = {
      ...layout, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", autosize: true,
      font: { family: getComputedStyle(document.body).fontFamily, color: get("--text"), size: 12 },
    };
    if (layout.polar) {
      result.polar = {
        ...layout.polar, bgcolor: "rgba(0,0,0,0)",
        radialaxis: { ...layout.polar.radialaxis, ...axis, showline: false, tickfont: { color: get("--muted"), size: 10 } },
        angularaxis: { ...layout.polar.angularaxis, ...axis },
      };
    } else {
      result.xaxis = { ...axis, ...layout.xaxis };
      result.yaxis = { ...axis, ...layout.yaxis };
    }
    return result;
  }
  async function draw(place) {
    const source = document.getElementById(place.dataset.chart);
    const figure = JSON.parse(source.textContent);
    const Plotly = await loadPlotly();
    const colours = getComputedStyle(root);
    await Plotly.react(place, coloured(figure.data, colours), themed(figure.layout, colours), { displayModeBar: false, responsive: true, locale: root.lang });
    place.classList.add("drawn");
    drawn.add(place);
  }
  function redraw() { drawn.forEach((place) => draw(place)); }
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      draw(entry.target).catch(() => entry.target.classList.add("failed"));
    }
  }, { rootMargin: "200px" });
  document.querySelectorAll("[data-chart]").forEach((place) => seen.observe(place));

  // -- filters: empty fields stay out of the address -----------------------------------------------------------------
  document.querySelectorAll("form[data-filters]").forEach((form) => {
    form.addEventListener("submit", () => {
      form.querySelectorAll("select, input").forEach((field) => { if (!field.value) field.disabled = true; });
    });
    addEventListener("pageshow", () => form.querySelectorAll("select, input").forEach((field) => { field.disabled = false; }));
  });

  // -- networks that can't be told apart from the one under the pointer ------------------------------------------------
  document.querySelectorAll("table[data-groups]").forEach((table) => {
    const rows = [...table.tBodies[0].rows];
    const letters = (row) => (row.dataset.groups || "").split(" ").filter(Boolean);
    function mark(row) {
      const own = new Set(row ? letters(row) : []);
      rows.forEach((other) => other.classList.toggle("alike", letters(other).some((letter) => own.has(letter))));
    }
    table.addEventListener("pointerover", (event) => mark(event.target.closest("tbody tr")));
    table.addEventListener("pointerleave", () => mark(null));
    table.addEventListener("focusin", (event) => mark(event.target.closest("tbody tr")));
    table.addEventListener("focusout", () => mark(null));
  });

  // -- the present page is in view where a list of pages is wider than the screen ----------------------------------------
  document.querySelectorAll(".sections > [aria-current], .subnav > [aria-current]").forEach((present) => {
    present.parentElement.scrollLeft = present.offsetLeft - present.parentElement.offsetLeft - 40;
  });

  // -- tables and texts wider than the screen: within reach of the keyboard ---------------------------------------------
  document.querySelectorAll(".scroll, pre:not([aria-hidden])").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  });
})();
