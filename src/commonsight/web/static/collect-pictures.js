// @ts-check
// Pictures: names on boxes keep their size whatever the picture's, a click enlarges, and where pictures are
// what is chosen from, a click on one chooses it.
(() => {
  // ---- names of one size --------------------------------------------------------------------------------------

  const sizes = new ResizeObserver((seen) => {
    for (const { target, contentRect } of seen) {
      if (!(target instanceof SVGSVGElement) || contentRect.width === 0) continue;
      target.style.setProperty("--unit", String(target.viewBox.baseVal.width / contentRect.width));
      target.classList.add("sized");
    }
  });
  document.querySelectorAll("svg.boxes").forEach((svg) => sizes.observe(svg));

  // ---- larger --------------------------------------------------------------------------------------------------

  const dialog = document.getElementById("zoom"), inside = dialog?.querySelector(".zoomed");

  /** @param {Element} frame */
  function enlarge(frame) {
    if (!(dialog instanceof HTMLDialogElement) || !inside) return;
    const pair = frame.closest(".pair"), frames = pair ? Array.from(pair.children) : [frame];
    inside.replaceChildren(...frames.map((each) => {
      const copy = /** @type {Element} */ (each.cloneNode(true));
      copy.querySelectorAll(".zoom").forEach((link) => link.remove());
      copy.querySelectorAll("svg.boxes").forEach((svg) => sizes.observe(svg));
      return copy;
    }));
    dialog.showModal();
  }
  inside?.addEventListener("click", (event) => {
    const frame = event.target instanceof Element ? event.target.closest(".frame") : null;
    event.stopPropagation();
    frame?.classList.toggle("full");
  });
  dialog?.addEventListener("click", (event) => {
    if (event.target === dialog && dialog instanceof HTMLDialogElement) dialog.close();
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a.zoom") : null;
    const frame = link?.closest(".frame");
    if (!frame || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    enlarge(frame);
  });
  document.addEventListener("commonsight:enlarge", () => {
    const frame = document.querySelector(".shows .frame");
    if (frame) enlarge(frame);
  });
  document.addEventListener("commonsight:boxes", () => document.body.classList.toggle("boxless"));

  // ---- chosen by a click -----------------------------------------------------------------------------------------

  /** The input that stands for a picture or a pair.
   * @param {Element} figure */
  function inputOf(figure) {
    const entry = figure.getAttribute("data-choice") ?? "";
    const input = document.querySelector(`#answers .option[data-entry="${CSS.escape(entry)}"] input`);
    return input instanceof HTMLInputElement ? input : null;
  }

  function mark() {
    document.querySelectorAll("[data-choice]").forEach((figure) => {
      const input = inputOf(figure);
      figure.classList.toggle("choosable", input !== null);
      figure.classList.toggle("chosen", input?.checked === true);
    });
  }
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const figure = target?.closest("[data-choice]");
    if (!figure || target?.closest("a, button")) return;
    inputOf(figure)?.click();
  });
  document.addEventListener("change", mark);
  mark();
})();
