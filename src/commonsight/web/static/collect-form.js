// @ts-check
// The form while it is filled in: words are counted, fields that depend on others come and go, groups grow and
// shrink, and a text may begin with what was chosen.
(() => {
  const WORD = /\[[^\[\]]*\][^\s\[\]]*|[^\s\[\]]+/g;
  const form = document.getElementById("answers");
  if (!(form instanceof HTMLFormElement)) return;

  // ---- words ------------------------------------------------------------------------------------------------

  /** As `collect.forms.word_count` counts: a tag is one word, a lone sign is none.
   * @param {string} text */
  const wordCount = (text) => (text.match(WORD) ?? []).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

  /** @param {HTMLTextAreaElement} area */
  function count(area) {
    const shown = document.getElementById(`${area.id}-count`);
    if (!shown) return;
    const words = wordCount(area.value), least = Number(shown.dataset.least), most = Number(shown.dataset.most ?? 0);
    const enough = words >= least, tooMany = most > 0 && words > most;
    const limit = !most ? `at least ${least}` : least ? `${least} to ${most}` : `at most ${most}`;
    shown.textContent = words ? `${words} ${words === 1 ? "word" : "words"}, ${limit}` : `${limit} words`;
    if (enough && !tooMany && words > 0) shown.append(" ✓");
    shown.classList.toggle("enough", enough && !tooMany && words > 0);
    shown.classList.toggle("too-many", tooMany);
  }

  // ---- fields that are asked only if another says so -----------------------------------------------------------

  /** @param {string} path @returns {string[]} */
  function said(path) {
    const named = Array.from(form instanceof HTMLFormElement ? form.elements : []).filter(
      (each) => each instanceof HTMLInputElement && each.name === path && !each.closest(".ask[hidden]"));
    return named.flatMap((each) => {
      const counts = each instanceof HTMLInputElement && (each.checked || each.type === "text");
      return counts ? [each.value] : [];
    });
  }

  function showAsked() {
    form?.querySelectorAll("[data-only-if]").forEach((ask) => {
      if (!(ask instanceof HTMLElement)) return;
      ask.hidden = !said(ask.dataset.onlyIf ?? "").includes(ask.dataset.onlyValue ?? "");
    });
  }

  // ---- groups and lists of texts --------------------------------------------------------------------------------

  /** @param {Element} ask */
  function renumber(ask) {
    const entries = Array.from(ask.querySelectorAll(":scope > .entries > .entry"));
    const least = Math.max(1, Number(ask.getAttribute("data-least"))), most = Number(ask.getAttribute("data-most"));
    entries.forEach((entry, place) => {
      entry.querySelectorAll(":scope > legend .entry-number, :scope > .remove .entry-number").forEach((number) => {
        number.textContent = String(place + 1);
      });
      const remove = entry.querySelector(":scope > .remove, :scope > .row > .remove");
      if (remove instanceof HTMLElement) remove.hidden = entries.length <= least;
    });
    const add = ask.querySelector(":scope > .add");
    if (add instanceof HTMLElement) add.hidden = entries.length >= most;
  }

  /** @param {Element} ask */
  function grow(ask) {
    const template = ask.querySelector(":scope > template"), entries = ask.querySelector(":scope > .entries");
    if (!(template instanceof HTMLTemplateElement) || !entries) return;
    const blank = template.content.firstElementChild?.getAttribute("data-entry-path") ?? "";
    const hole = blank.slice(blank.lastIndexOf(".") + 1);
    const taken = Array.from(entries.children).map(
      (entry) => Number((entry.getAttribute("data-entry-path") ?? "").split(".").pop()));
    const made = document.createElement("template");
    made.innerHTML = template.innerHTML.split(hole).join(String(Math.max(-1, ...taken.filter(Number.isFinite)) + 1));
    const entry = made.content.firstElementChild;
    if (!(entry instanceof HTMLElement)) return;
    entries.append(entry);
    /** @type {any} */ (window).htmx?.process(entry);
    entry.querySelectorAll("textarea").forEach(count);
    entry.dispatchEvent(new CustomEvent("commonsight:added", { bubbles: true }));
    forget(ask);
    renumber(ask);
    entry.querySelectorAll(".many").forEach(renumber);
    showAsked();
    const first = entry.querySelector("textarea, input:not([type=hidden])");
    if (first instanceof HTMLElement) first.focus();
  }

  /** @param {Element} ask */
  const forget = (ask) => ask.querySelectorAll(":scope > .put-back").forEach((each) => each.remove());

  /** @param {Element} entry */
  function shrink(entry) {
    const ask = entry.closest(".many"), after = entry.nextElementSibling, entries = entry.parentElement;
    if (!ask || !entries) return;
    entry.remove();
    forget(ask);
    const back = document.createElement("button");
    back.type = "button";
    back.className = "quiet small put-back";
    back.textContent = "Put back what was removed";
    back.addEventListener("click", () => {
      entries.insertBefore(entry, after?.isConnected ? after : null);
      back.remove();
      renumber(ask);
      changed();
    });
    ask.querySelector(":scope > .add")?.after(back);
    renumber(ask);
    back.focus();
  }

  const changed = () => form.dispatchEvent(new Event("change", { bubbles: true }));

  form.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button.add, button.remove") : null;
    if (!button) return;
    event.preventDefault();
    const entry = button.closest(".entry"), ask = button.closest(".many");
    if (button.classList.contains("add") && ask) grow(ask);
    else if (entry) shrink(entry);
    changed();
  });

  // ---- texts that begin with what was chosen ---------------------------------------------------------------------

  /** @param {HTMLInputElement} chosen */
  function follow(chosen) {
    const label = chosen.closest(".option");
    if (!chosen.checked || !label?.getAttribute("data-entry")) return;
    const text = (label.querySelector(".text")?.textContent ?? "").trim();
    form?.querySelectorAll(`[data-follows="${CSS.escape(chosen.name)}"] textarea`).forEach((area) => {
      if (!(area instanceof HTMLTextAreaElement)) return;
      const untouched = area.value.trim() === "" || area.value === area.dataset.begun || isOffered(chosen.name, area.value);
      if (!untouched) return;
      area.value = text;
      area.dataset.begun = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }

  /** Whether a text is one of the options as it stands: nobody has changed it.
   * @param {string} name @param {string} text */
  const isOffered = (name, text) => Array.from(document.getElementsByName(name)).some(
    (each) => (each.closest(".option")?.querySelector(".text")?.textContent ?? "").trim() === text.trim());

  // ---- what happens when ------------------------------------------------------------------------------------------

  // Nothing moves while a button is being pressed, or the press would miss it.
  let pressed = false;
  /** @type {(() => void)[]} */
  let waiting = [];
  /** @param {() => void} act */
  const whenReleased = (act) => (pressed ? void waiting.push(act) : act());
  addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const name of ["pointerup", "pointercancel"]) {
    addEventListener(name, () => setTimeout(() => {
      pressed = false;
      waiting.splice(0).forEach((act) => act());
    }), true);
  }

  form.addEventListener("input", (event) => {
    if (event.target instanceof HTMLTextAreaElement) count(event.target);
    if (event.target instanceof HTMLInputElement && event.target.type !== "text") follow(event.target);
    showAsked();
  });
  // What is wrong with a field is told once the writer has left it.
  for (const name of ["focusout", "change"]) {
    form.addEventListener(name, (event) => {
      const control = event.target;
      const ask = control instanceof Element ? control.closest(".ask") : null;
      const filled = (control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement) && control.value !== "";
      if (filled) whenReleased(() => ask?.classList.add("touched"));
    });
  }
  form.querySelectorAll("textarea").forEach(count);
  form.querySelectorAll(".many").forEach(renumber);
  showAsked();
  document.getElementById("summary")?.focus();
  /** @type {any} */ (window).commonsightWords = wordCount;
})();
