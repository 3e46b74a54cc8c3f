// @ts-check
// Everything can be done with keys. Single keys work outside of texts only, and can be turned off.
(() => {
  const form = document.getElementById("answers"), help = document.getElementById("keys");
  const single = document.getElementById("single-keys");
  if (single instanceof HTMLInputElement) {
    single.checked = localStorage.getItem("single-keys") !== "off";
    single.addEventListener("change", () => localStorage.setItem("single-keys", single.checked ? "on" : "off"));
  }
  document.querySelectorAll("[data-open]").forEach((button) => button.addEventListener("click", () => {
    const dialog = document.getElementById(button.getAttribute("data-open") ?? "");
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
  }));

  /** Whether keys are letters here.
   * @param {EventTarget | null} target */
  const isTyping = (target) => target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
    || (target instanceof HTMLInputElement && !["radio", "checkbox", "submit", "button"].includes(target.type));

  /** The fields that one can see, in order; groups are their parts. @returns {HTMLElement[]} */
  const asks = () => Array.from(form?.querySelectorAll(".ask:not(.many), .many[data-kind=texts]") ?? []).flatMap(
    (ask) => (ask instanceof HTMLElement && !ask.closest("[hidden]") ? [ask] : []));

  /** @param {HTMLElement} ask */
  const inputs = (ask) => Array.from(ask.querySelectorAll(".option input")).flatMap(
    (each) => (each instanceof HTMLInputElement ? [each] : []));

  /** @param {HTMLElement} ask */
  const isAnswered = (ask) => {
    const choices = inputs(ask);
    if (choices.length) return choices.some((each) => each.checked);
    const texts = Array.from(ask.querySelectorAll("textarea, input[type=text]"));
    return texts.some((each) => (each instanceof HTMLTextAreaElement || each instanceof HTMLInputElement) && each.value.trim() !== "");
  };

  /** The field that keys are for: the one with the focus, else the first that nothing was said to. */
  function current() {
    const all = asks(), focused = document.activeElement?.closest(".ask:not(.many), .many[data-kind=texts]");
    const choices = all.filter((ask) => inputs(ask).length > 0);
    return all.find((ask) => ask === focused) ?? choices.find((ask) => !isAnswered(ask)) ?? choices[0] ?? null;
  }

  function show() {
    const now = current();
    asks().forEach((ask) => ask.classList.toggle("active-ask", ask === now && inputs(ask).length > 0));
  }

  /** @param {HTMLElement | undefined} ask */
  function goTo(ask) {
    const first = ask && (inputs(ask).find((each) => each.checked) ?? ask.querySelector("textarea, input:not([type=hidden])"));
    if (!(first instanceof HTMLElement)) return;
    first.focus();
    ask?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} key @returns {boolean} */
  function choose(key) {
    const ask = current();
    if (!ask) return false;
    const options = inputs(ask);
    const byNumber = /^[1-9]$/.test(key) ? options[Number(key) - 1] : undefined;
    const option = options.find((each) => each.dataset.key === key) ?? byNumber;
    if (!option) return false;
    option.focus();
    option.click();
    const all = asks(), next = all[all.indexOf(ask) + 1];
    if (option.type === "radio" && next && !isAnswered(next)) goTo(next);
    return true;
  }

  /** @type {Element | null | undefined} */
  let last = null;
  form?.addEventListener("focusin", (event) => {
    if (event.target instanceof Element) last = event.target.closest(".ask:not(.many), .many[data-kind=texts]");
  });

  /** @param {number} by */
  function step(by) {
    const all = asks(), at = all.findIndex((ask) => ask === last);
    goTo(all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by]);
  }

  /** @param {string} id */
  const press = (id) => {
    const button = document.querySelector(id);
    if (button instanceof HTMLElement) button.click();
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    "?": () => help instanceof HTMLDialogElement && help.showModal(),
    j: () => step(1),
    k: () => step(-1),
    o: () => document.dispatchEvent(new CustomEvent("commonsight:boxes")),
    z: () => document.dispatchEvent(new CustomEvent("commonsight:enlarge")),
    h: () => press(".guide summary"),
    s: () => press("[form=give-back]"),
    u: () => press("#undo"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      const button = form?.querySelector(event.shiftKey ? ".hand-in .stop" : ".hand-in .main");
      if (form instanceof HTMLFormElement && button instanceof HTMLElement) {
        event.preventDefault();
        form.requestSubmit(button);
      }
      return;
    }
    if (event.key === "Escape" && isTyping(event.target) && event.target instanceof HTMLElement) return event.target.blur();
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (single instanceof HTMLInputElement && !single.checked && event.key !== "?") return;
    const key = event.key.toLowerCase();
    if (choose(key)) event.preventDefault();
    else if (keys[key]) {
      event.preventDefault();
      keys[key]?.();
    }
  });
  for (const name of ["focusin", "focusout", "change"]) form?.addEventListener(name, () => requestAnimationFrame(show));
  show();
})();
