// @ts-check
// Tags light up the boxes that they point to, while they are pointed at or for good once they are clicked. Steps of a program light
// up what they go along on both graphs, too.
(() => {
  /** @param {Element} place @param {boolean} on */
  const light = (place, on) => {
    const numbers = new Set((place.getAttribute("data-boxes") || "").split(" ").filter(Boolean));
    const step = place.getAttribute("data-step");
    if (step) {
      document.querySelectorAll("[data-of-steps]").forEach((edge) => {
        if ((edge.getAttribute("data-of-steps") || "").split(" ").includes(step)) edge.classList.toggle("lit", on);
      });
    }
    if (!numbers.size || (place instanceof HTMLAnchorElement && place.matches(".open"))) return;
    document.querySelectorAll(".frame [data-box]").forEach((region) => {
      if (numbers.has(region.getAttribute("data-box") || "")) region.classList.toggle("lit", on);
    });
    document.querySelectorAll(".frame svg").forEach((drawing) => drawing.classList.toggle("dim", !!drawing.querySelector(".lit")));
    place.classList.toggle("lit", on);
  };
  /** @param {Event} event */
  const tagOf = (event) => (event.target instanceof Element ? event.target.closest("[data-boxes]") : null);
  for (const [kind, on] of /** @type {[string, boolean][]} */ ([["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]])) {
    document.addEventListener(kind, (event) => {
      const tag = tagOf(event);
      if (tag && tag.getAttribute("aria-pressed") !== "true" && !tag.matches(".kept")) light(tag, on);
    });
  }
  document.addEventListener("click", (event) => {
    const tag = tagOf(event);
    if (!tag || !tag.matches(".tag")) return;
    const kept = tag.classList.toggle("kept");
    if (tag.hasAttribute("aria-pressed")) tag.setAttribute("aria-pressed", String(kept));
    light(tag, kept);
    event.preventDefault();
  });
})();
