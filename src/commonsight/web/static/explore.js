// @ts-check
// The explorer's grid by keyboard, and boxes over a picture while it is pointed at. Every page works without this.
(() => {
  /** @returns {HTMLAnchorElement[]} */
  const links = () => Array.from(document.querySelectorAll(".grid a.open"));
  const typing = () => document.activeElement instanceof HTMLElement && document.activeElement.matches("input, select, textarea");

  /** @param {number} by */
  const step = (by) => {
    const all = links();
    if (!all.length) return;
    const at = all.findIndex((link) => link === document.activeElement);
    const next = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && typing() && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    if (typing()) return;
    const keys = document.getElementById("keys");
    const among = links().length > 0;
    const onCard = links().some((link) => link === document.activeElement);
    if (event.key === "/") { document.getElementById("q")?.focus(); event.preventDefault(); }
    else if ((among && event.key === "j") || (onCard && event.key === "ArrowRight")) { step(1); event.preventDefault(); }
    else if ((among && event.key === "k") || (onCard && event.key === "ArrowLeft")) { step(-1); event.preventDefault(); }
    else if (event.key === "?" && keys instanceof HTMLDialogElement) keys.showModal();
    else if (event.key === "b") document.body.classList.toggle("boxes-always");
    else {
      const link = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
      if (link instanceof HTMLElement) link.click();
    }
  });

  /** @type {Set<string>} */
  const asked = new Set();
  /** @param {Element} link */
  const drawBoxes = async (link) => {
    const address = link.getAttribute("data-boxes");
    if (!address || asked.has(address)) return;
    asked.add(address);
    const reply = await fetch(address);
    if (!reply.ok) return;
    const pictures = new DOMParser().parseFromString(await reply.text(), "text/html").querySelectorAll("svg");
    link.querySelectorAll(".thumb").forEach((thumb, at) => {
      const drawing = pictures[at];
      if (drawing && !thumb.querySelector("svg")) thumb.append(document.importNode(drawing, true));
    });
  };
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const link = event.target instanceof Element ? event.target.closest("a.open") : null;
      if (link) void drawBoxes(link);
    });
  }
})();
