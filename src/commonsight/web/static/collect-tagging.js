// @ts-check
// Putting tags into a text: by "[" and a list, by a click on a box or its name, or, where the form says so, by
// writing a bare number.
(() => {
  const HUES = 8;
  const BARE = /(?:^|[\s({,;:"“‘/])(\d{1,3})([\s.,;:?!)}"”'’/-])$/;

  /** @typedef {{area: HTMLTextAreaElement, list: HTMLUListElement, from: number}} Choosing */

  /** @type {HTMLElement | null} */
  let lastAsk = null;
  /** @type {Choosing | null} */
  let choosing = null;
  let listed = 0;

  /** @param {Element} ask @returns {string[]} */
  const namesOf = (ask) => JSON.parse(ask.getAttribute("data-names") ?? "[]");

  // ---- putting tags in -------------------------------------------------------------------------------------

  /** Replace a stretch so that the browser's own undo knows of it.
   * @param {HTMLTextAreaElement} area @param {number} start @param {number} end @param {string} text */
  function replace(area, start, end, text) {
    area.focus();
    area.setSelectionRange(start, end);
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, start, end, "end");
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }

  /** @param {HTMLTextAreaElement} area @param {string} name */
  function insertTag(area, name) {
    const start = area.selectionStart, before = area.value.slice(0, start);
    const space = before === "" || /[\s({“‘"]$/.test(before) ? "" : " ";
    replace(area, start, area.selectionEnd, `${space}[${name}]`);
  }

  /** The field that a click on a box of this picture is meant for.
   * @param {string} entry */
  function askFor(entry) {
    /** @param {Element | null} ask */
    const fits = (ask) => ask?.isConnected && ask.getAttribute("data-about") === entry && !ask.closest("[hidden]");
    if (fits(lastAsk)) return lastAsk;
    const asks = Array.from(document.querySelectorAll(".ask[data-about]"));
    return asks.find((ask) => fits(ask)) ?? null;
  }

  /** @param {string} entry @param {number} index */
  function use(entry, index) {
    const ask = askFor(entry), name = ask && namesOf(ask)[index];
    const box = ask?.querySelector(`input[type=checkbox][value="${index}"]`);
    const area = ask?.querySelector("textarea");
    if (box instanceof HTMLInputElement) box.click();
    else if (area && name) insertTag(area, name);
  }

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const box = target?.closest("[data-box]"), marks = target?.closest("[data-marks]");
    if (box) {
      const entry = box.closest("[data-entry]")?.getAttribute("data-entry") ?? "";
      const index = Number(box.getAttribute("data-box"));
      use(entry, index);
    }
    if (marks) {
      const area = document.getElementById(marks.getAttribute("data-marks") ?? "");
      if (!(area instanceof HTMLTextAreaElement)) return;
      const start = area.selectionStart, end = area.selectionEnd;
      replace(area, start, end, `{${area.value.slice(start, end)}}`);
      if (start === end) area.setSelectionRange(start + 1, start + 1);
    }
  });

  /** A bare number that was just finished becomes its tag.
   * @param {HTMLTextAreaElement} area @param {boolean} leaving */
  function numberToTag(area, leaving) {
    const ask = area.closest(".ask[data-by-number]");
    if (!ask || (!leaving && area.selectionStart !== area.selectionEnd)) return;
    const until = leaving ? area.value.length : area.selectionStart;
    const text = area.value.slice(0, until) + (leaving ? " " : "");
    const [, digits, next] = BARE.exec(text) ?? [];
    const name = digits && namesOf(ask)[Number(digits) - 1];
    if (!name || !digits || next === undefined) return;
    const start = text.length - next.length - digits.length;
    if (leaving) {
      area.setRangeText(`[${name}]`, start, start + digits.length, "end");
      area.dispatchEvent(new Event("input", { bubbles: true }));
    } else {
      replace(area, start, until, `[${name}]${next}`);
    }
  }

  // ---- choosing a tag after "[" ----------------------------------------------------------------------------

  function close() {
    if (!choosing) return;
    choosing.list.remove();
    for (const name of ["aria-controls", "aria-activedescendant", "aria-autocomplete"]) choosing.area.removeAttribute(name);
    choosing = null;
  }

  /** @param {HTMLTextAreaElement} area */
  function offer(area) {
    const ask = area.closest(".ask[data-kind=tagged]"), at = area.selectionStart;
    const [, typed] = /\[([^\[\]\n]{0,30})$/.exec(area.value.slice(0, at)) ?? [];
    close();
    if (!ask || typed === undefined || at !== area.selectionEnd) return;
    const part = (typed.split(",").pop() ?? "").trim().toLowerCase();
    const fits = namesOf(ask).map((name, index) => ({ name, index })).filter(({ name, index }) =>
      /^\d+$/.test(part) ? String(index + 1).startsWith(part) : name.toLowerCase().startsWith(part));
    if (fits.length === 0) return;
    const list = document.createElement("ul");
    listed += 1;
    list.id = `choose-tag-${listed}`;
    list.className = "choose-tag";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Tags");
    for (const { name, index } of fits) {
      const option = document.createElement("li");
      option.id = `${list.id}-${index}`;
      option.className = `tag hue-${index % HUES}`;
      option.setAttribute("role", "option");
      option.dataset.about = ask.getAttribute("data-about") ?? "";
      option.dataset.boxes = String(index);
      option.textContent = name;
      list.append(option);
    }
    area.parentElement?.append(list);
    area.setAttribute("aria-controls", list.id);
    area.setAttribute("aria-autocomplete", "list");
    choosing = { area, list, from: at - typed.length - 1 };
    select(0);
  }

  /** @param {number} place */
  function select(place) {
    if (!choosing) return;
    const options = Array.from(choosing.list.children), chosen = (place + options.length) % options.length;
    options.forEach((option, n) => option.setAttribute("aria-selected", String(n === chosen)));
    const option = options[chosen];
    if (!(option instanceof HTMLElement)) return;
    option.scrollIntoView({ block: "nearest" });
    choosing.area.setAttribute("aria-activedescendant", option.id);
    const detail = { about: option.dataset.about ?? "", boxes: [Number(option.dataset.boxes)] };
    document.dispatchEvent(new CustomEvent("commonsight:light", { detail }));
  }

  /** @param {Element | null | undefined} option */
  function take(option) {
    if (!choosing || !option) return;
    const { area, from } = choosing, until = area.selectionStart;
    const earlier = area.value.slice(from + 1, until).split(",").slice(0, -1).map((each) => `${each.trim()}, `).join("");
    const rest = area.value.slice(until).startsWith("]") ? until + 1 : until;
    close();
    replace(area, from, rest, `[${earlier}${option.textContent}]`);
    close();
  }

  document.addEventListener("keydown", (event) => {
    if (!choosing || event.target !== choosing.area || event.isComposing) return;
    const options = Array.from(choosing.list.children);
    const now = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
    if (event.key === "ArrowDown" || event.key === "ArrowRight") select(now + 1);
    else if (event.key === "ArrowUp" || event.key === "ArrowLeft") select(now - 1);
    else if (["Enter", "Tab", "]"].includes(event.key) && !event.ctrlKey && !event.metaKey) take(options[now]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("pointerdown", (event) => {
    const option = event.target instanceof Element ? event.target.closest(".choose-tag [role=option]") : null;
    if (option) {
      event.preventDefault(); // the text keeps the focus
      take(option);
    } else if (event.target !== choosing?.area) close();
  });

  // ---- what happens when -------------------------------------------------------------------------------------

  document.addEventListener("input", (event) => {
    const area = event.target;
    if (!(area instanceof HTMLTextAreaElement)) return;
    const typed = event instanceof InputEvent && event.inputType === "insertText" && (event.data ?? "").length === 1;
    if (typed) numberToTag(area, false);
    offer(area);
  });
  document.addEventListener("focusin", (event) => {
    const ask = event.target instanceof Element ? event.target.closest(".ask[data-about]") : null;
    if (ask instanceof HTMLElement) lastAsk = ask;
  });
  document.addEventListener("focusout", (event) => {
    if (event.target instanceof HTMLTextAreaElement) close();
  });
  // A number at the very end is finished when the text was left for good, or is handed in.
  document.addEventListener("change", (event) => {
    const area = event.target;
    if (area instanceof HTMLTextAreaElement) setTimeout(() => document.activeElement === area || numberToTag(area, true), 200);
  });
  document.addEventListener("submit", () => {
    document.querySelectorAll("textarea").forEach((area) => numberToTag(area, true));
  }, true);
  // One stop for Tab among a picture's tags; arrows go from one to the next.
  document.addEventListener("keydown", (event) => {
    const tag = event.target instanceof HTMLElement ? event.target.closest(".tags [data-box]") : null;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!tag || !step) return;
    const all = Array.from(tag.parentElement?.children ?? []);
    const next = all[(all.indexOf(tag) + step + all.length) % all.length];
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    all.forEach((each) => each.setAttribute("tabindex", each === next ? "0" : "-1"));
    next.focus();
  });
})();
