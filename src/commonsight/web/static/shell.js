// @ts-check
// Copies a link at a press, and says so to those who see and to those who listen.
(() => {
  const WAIT = 2000;

  /** @param {HTMLElement} button */
  async function copy(button) {
    const field = document.getElementById(button.dataset.copy ?? "");
    if (!(field instanceof HTMLInputElement)) return;
    let done = true;
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.focus();
      field.select();  // where the browser does not allow it: one key is left to press
      done = false;
    }
    const before = button.textContent;
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    const said = document.getElementById("said");
    if (said) said.textContent = done ? "The link is copied." : "The link is selected. Copy it with the keyboard.";
    setTimeout(() => { button.textContent = before; }, WAIT);
  }

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
    if (button instanceof HTMLElement) void copy(button);
  });
})();
// On a narrow screen the tabs are one long line: bring the one that is open into sight.
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

// A table that was pushed along stays where it is when its part of the page is loaded anew.
(() => {
  /** @type {Map<string, number>} */
  const places = new Map();
  document.addEventListener("htmx:beforeSwap", () => {
    places.clear();
    for (const each of document.querySelectorAll(".scroll[id]")) places.set(each.id, each.scrollLeft);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, left] of places) document.getElementById(id)?.scrollTo({ left });
  });
})();
