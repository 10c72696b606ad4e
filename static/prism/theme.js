// Runs before the page is drawn, so that the chosen theme does not flash.
(() => {
  "use strict";
  let chosen = null;
  try { chosen = localStorage.getItem("prism-theme"); } catch { /* storage may be closed */ }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  document.documentElement.classList.add("js");
})();
