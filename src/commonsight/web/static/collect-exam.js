// @ts-check
// An exam has no draft on the server: what is written stays in this browser until it is handed in.
(() => {
  document.querySelectorAll("[data-sat]").forEach((told) => localStorage.removeItem(told.getAttribute("data-sat") ?? ""));
  const form = document.getElementById("answers");
  if (!(form instanceof HTMLFormElement) || !form.dataset.keep) return;
  const kept = form.dataset.keep, OURS = new Set(["csrf", "key"]);

  function restore() {
    /** @type {Record<string, string[]>} */
    const said = JSON.parse(localStorage.getItem(kept) ?? "{}");
    for (const control of Array.from(/** @type {HTMLFormElement} */ (form).elements)) {
      if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) continue;
      const values = said[control.name];
      if (!values || OURS.has(control.name)) continue;
      if (control instanceof HTMLInputElement && ["radio", "checkbox"].includes(control.type)) control.checked = values.includes(control.value);
      else if (control.value === "") control.value = values[0] ?? "";
      if (control instanceof HTMLTextAreaElement) control.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }

  form.addEventListener("input", () => {
    /** @type {Record<string, string[]>} */
    const said = {};
    new FormData(form).forEach((value, name) => {
      if (!OURS.has(name) && typeof value === "string") (said[name] ??= []).push(value);
    });
    try {
      localStorage.setItem(kept, JSON.stringify(said));
    } catch {
      // full or forbidden: then it is only on the page
    }
  });
  try {
    restore();
  } catch {
    localStorage.removeItem(kept);
  }
})();
