// @ts-check
// Tags: boxes of a picture, named in a text as [person4]. They are coloured as they are written, and light up
// with their boxes, whichever of the two is pointed at.
(() => {
  const HUES = 8;
  const TAG = /\[([^\[\]]+)\]/g;
  const PART = /^\s*([A-Za-z][A-Za-z ]*?)\s*(\d+)\s*$/;
  const MARK = /\{[^{}]*\}/g;

  /** @typedef {{start: number, end: number, boxes: number[]}} Tag */

  /** @param {Element} ask @returns {string[]} */
  function namesOf(ask) {
    const names = ask.getAttribute("data-names");
    return names ? JSON.parse(names) : [];
  }

  /** The tags of a text; brackets that name no box are none.
   * @param {string} text @param {string[]} names */
  function tagsIn(text, names) {
    /** @type {Tag[]} */
    const found = [];
    for (const match of Array.from(text.matchAll(TAG))) {
      const boxes = (match[1] ?? "").split(",").map((part) => {
        const [, label, number] = PART.exec(part) ?? [];
        const index = Number(number) - 1;
        return label !== undefined && names[index] === `${label}${index + 1}` ? index : -1;
      });
      const start = match.index ?? 0;
      found.push({ start, end: start + match[0].length, boxes: boxes.includes(-1) ? [] : boxes });
    }
    return found;
  }

  // ---- colours behind the text -----------------------------------------------------------------------------

  /** @param {Element} into @param {string} text @param {string[]} names @param {string} about */
  function paintTags(into, text, names, about) {
    let end = 0;
    for (const tag of tagsIn(text, names)) {
      into.append(text.slice(end, tag.start));
      const span = document.createElement("span");
      const first = tag.boxes[0];
      span.className = first === undefined ? "stray" : `tag hue-${first % HUES}`;
      if (first !== undefined) {
        span.dataset.about = about;
        span.dataset.boxes = tag.boxes.join(" ");
      }
      span.textContent = text.slice(tag.start, tag.end);
      into.append(span);
      end = tag.end;
    }
    into.append(text.slice(end));
  }

  /** The mirror behind a text has the same words, so it gives the text its height and its colours.
   * @param {HTMLTextAreaElement} area */
  function paint(area) {
    const mirror = area.previousElementSibling, ask = area.closest(".ask");
    if (!mirror || !ask || !mirror.classList.contains("mirror")) return;
    const tagged = ask.getAttribute("data-kind") === "tagged";
    const names = tagged ? namesOf(ask) : [], about = ask.getAttribute("data-about") ?? "";
    /** @param {Element} into @param {string} text */
    const put = (into, text) => (tagged ? paintTags(into, text, names, about) : into.append(text));
    mirror.replaceChildren();
    let end = 0;
    const marks = area.closest(".marked") ? Array.from(area.value.matchAll(MARK)) : [];
    for (const mark of marks) {
      const start = mark.index ?? 0, piece = document.createElement("mark");
      put(mirror, area.value.slice(end, start));
      put(piece, mark[0]);
      mirror.append(piece);
      end = start + mark[0].length;
    }
    put(mirror, area.value.slice(end) + "\n");
  }

  // ---- lighting up, both ways ------------------------------------------------------------------------------

  /** @param {string} about @param {number[]} boxes */
  function light(about, boxes) {
    const wanted = new Set(boxes.map(String));
    document.querySelectorAll("[data-entry] [data-box]").forEach((node) => {
      const here = node.closest("[data-entry]")?.getAttribute("data-entry") === about;
      node.classList.toggle("lit", here && wanted.has(node.getAttribute("data-box") ?? ""));
    });
    document.querySelectorAll("[data-boxes]").forEach((node) => {
      const own = (node.getAttribute("data-boxes") ?? "").split(" ");
      node.classList.toggle("lit", node.getAttribute("data-about") === about && own.some((n) => wanted.has(n)));
    });
    document.querySelectorAll("svg.boxes").forEach((svg) => {
      svg.classList.toggle("lighting", svg.querySelector(".lit") !== null);
    });
  }

  /** The tag under the caret.
   * @param {HTMLTextAreaElement} area */
  function lightCaret(area) {
    const ask = area.closest(".ask[data-kind=tagged]");
    if (!ask) return light("", []);
    const at = area.selectionStart;
    const tag = tagsIn(area.value, namesOf(ask)).find((each) => each.start <= at && at <= each.end);
    light(ask.getAttribute("data-about") ?? "", tag ? tag.boxes : []);
  }

  /** What is pointed at: a box, a tag, or, through a text, the tag in the mirror behind it.
   * @param {Element | null} target @param {number} x @param {number} y */
  function lightAt(target, x, y) {
    if (target instanceof HTMLTextAreaElement && target.closest(".ask[data-kind=tagged]")) {
      target = document.elementsFromPoint(x, y).find((node) => node.closest(".mirror [data-boxes]")) ?? null;
    }
    const tag = target?.closest("[data-boxes]"), box = target?.closest("[data-box]");
    if (tag) {
      const boxes = (tag.getAttribute("data-boxes") ?? "").split(" ").map(Number);
      return light(tag.getAttribute("data-about") ?? "", boxes);
    }
    if (box) {
      const entry = box.closest("[data-entry]")?.getAttribute("data-entry") ?? "";
      return light(entry, [Number(box.getAttribute("data-box"))]);
    }
    const focused = document.activeElement;
    return focused instanceof HTMLTextAreaElement ? lightCaret(focused) : light("", []);
  }

  // ---- what happens when -------------------------------------------------------------------------------------

  document.addEventListener("input", (event) => {
    if (event.target instanceof HTMLTextAreaElement) paint(event.target);
  });
  document.addEventListener("focusin", (event) => {
    const box = event.target instanceof Element ? event.target.closest(".tags [data-box]") : null;
    if (box) lightAt(box, 0, 0);
  });
  document.addEventListener("selectionchange", () => {
    const area = document.activeElement;
    if (area instanceof HTMLTextAreaElement && !isChoosing()) lightCaret(area);
  });
  document.addEventListener("commonsight:light", (event) => {
    if (event instanceof CustomEvent) light(event.detail.about, event.detail.boxes);
  });
  const isChoosing = () => document.querySelector(".choose-tag") !== null;
  let drawing = false;
  document.addEventListener("pointermove", (event) => {
    if (drawing || isChoosing()) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      lightAt(event.target instanceof Element ? event.target : null, event.clientX, event.clientY);
    });
  });

  /** @param {ParentNode} within */
  const paintAll = (within) => within.querySelectorAll("textarea").forEach(paint);
  document.addEventListener("commonsight:added", (event) => {
    if (event.target instanceof HTMLElement) paintAll(event.target);
  });
  paintAll(document);
})();
