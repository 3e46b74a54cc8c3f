// @ts-check
// Nothing that was written is lost: a draft is sent a moment after each change, and stays in this browser until
// the server has it. While the page is open and someone is there, the work stays theirs.
(() => {
  const form = document.getElementById("answers"), saved = document.getElementById("saved");
  document.querySelectorAll("[data-given]").forEach((note) => {
    localStorage.removeItem(`draft:${note.getAttribute("data-given")}`);
  });
  if (!(form instanceof HTMLFormElement) || !form.dataset.draft) return;
  const PAUSE = 1200, MONTH = 30 * 86_400_000;
  const address = form.dataset.draft, key = `draft:${form.dataset.assignment}`;
  const OURS = new Set(["csrf", "key", "seconds", "do"]), token = String(new FormData(form).get("csrf"));
  const TIME_IS_UP = "The time for this ran out, and someone else may have it by now. What you wrote is still here: "
    + "hand it in, and it counts if nobody else took it.";

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let wait = PAUSE, sending = false, leaving = false;

  /** What the form says, as it is sent. */
  function said() {
    const pairs = new URLSearchParams();
    new FormData(/** @type {HTMLFormElement} */ (form)).forEach((value, name) => {
      if (!OURS.has(name) && typeof value === "string") pairs.append(name, value);
    });
    return pairs.toString();
  }

  /** @param {string} text */
  const tell = (text) => { if (saved) saved.textContent = text; };
  /** @param {string} body */
  const keep = (body) => {
    try {
      localStorage.setItem(key, JSON.stringify({ at: Date.now(), body }));
    } catch {
      // full or forbidden: the server has it soon
    }
  };

  /** @returns {string | null} */
  function kept() {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null")?.body ?? null;
    } catch {
      return null;
    }
  }

  /** @param {string} url @param {string} method @param {string} body @param {boolean} [last] */
  const send = (url, method, body, last = false) => fetch(url, {
    method, body, keepalive: last, credentials: "same-origin", redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json", csrf: token },
  });

  async function save() {
    if (sending || leaving || isOut) return;
    sending = true;
    const body = said();
    try {
      const answer = await send(address, "PUT", body);
      if (answer.ok) {
        wait = PAUSE;
        if (said() === body) localStorage.removeItem(key);
        tell(`Draft kept ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`);
      } else if (!(await refused(answer))) throw new Error(String(answer.status));
    } catch {
      wait = Math.min(60_000, wait * 2);
      tell("Not saved yet, kept here");
      later();
    } finally {
      sending = false;
    }
    if (said() !== body) later();
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(save, wait);
  }

  for (const name of ["input", "change"]) {
    form.addEventListener(name, () => {
      if (leaving) return;
      keep(said());
      tell("…");
      later();
    });
  }

  // ---- what an earlier page could not send ---------------------------------------------------------------------

  async function restore() {
    if (/** @type {HTMLFormElement} */ (form).dataset.posted) return later(); // what was sent came back with the page
    const body = kept();
    if (body === null) return;
    if (body === said()) return localStorage.removeItem(key);
    const answer = await send(address, "PUT", body).catch(() => null);
    if (!answer?.ok) return;
    localStorage.removeItem(key);
    leaving = true;
    location.replace(location.href);
  }

  /** Drafts of long ago are nobody's. */
  function tidy() {
    for (const name of Object.keys(localStorage).filter((each) => each.startsWith("draft:"))) {
      try {
        if (Date.now() - JSON.parse(localStorage.getItem(name) ?? "{}").at > MONTH) localStorage.removeItem(name);
      } catch {
        localStorage.removeItem(name);
      }
    }
  }

  /** What a refusal means for the writer; whether it was one, and no passing fault.
   * @param {Response} answer */
  async function refused(answer) {
    const isJson = (answer.headers.get("content-type") ?? "").startsWith("application/json");
    if (isJson && (answer.status === 409 || answer.status === 403)) over((await answer.json()).detail);
    else if (answer.type === "opaqueredirect" || answer.status === 403) signedOut();
    else return false;
    return true;
  }

  /** @param {...(string | Node)} words */
  function notice(...words) {
    const note = document.createElement("p");
    note.className = "note warn";
    note.setAttribute("role", "alert");
    note.append(...words);
    document.getElementById("notices")?.append(note);
  }

  // A live check must not take someone away from what they write: they are told instead.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (!(event instanceof CustomEvent) || event.detail.xhr.status !== 401) return;
    event.preventDefault();
    signedOut();
  });
  let isOut = false;
  function signedOut() {
    if (isOut) return;
    isOut = true;
    const link = document.createElement("a");
    link.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
    link.textContent = "Sign in again";
    notice("You are signed out. What you wrote is kept in this browser. ", link, " to go on with it.");
    tell("Not saved, kept here");
  }

  // ---- the lease ---------------------------------------------------------------------------------------------

  const lease = document.getElementById("lease"), left = lease?.querySelector(".left");
  const whole = Number(lease?.dataset.lease ?? 0) * 1000;
  let ends = Date.now() + Number(lease?.dataset.left ?? 0) * 1000, seen = Date.now(), isOver = false;

  /** @param {string} [why] */
  function over(why) {
    if (isOver) return;
    isOver = true;
    notice(why ?? TIME_IS_UP);
    if (left) left.textContent = "no time any more";
    tell("Not saved");
  }

  function show() {
    const seconds = Math.max(0, Math.round((ends - Date.now()) / 1000));
    if (left && !isOver) left.textContent = seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${seconds} s`;
    if (seconds === 0) over();
  }

  async function renew() {
    if (document.visibilityState !== "visible" || isOver || isOut || leaving || Date.now() - seen > whole) return;
    const answer = await send(lease?.dataset.renew ?? "", "POST", "").catch(() => null);
    if (answer?.ok) ends = Date.now() + (await answer.json()).left * 1000;
    else if (answer) await refused(answer);
    show();
  }

  // ---- handing in, once ------------------------------------------------------------------------------------------

  let shown = performance.now(), spent = Number(sessionStorage.getItem(`seconds:${form.dataset.assignment}`) ?? 0);
  function clock() {
    if (document.visibilityState === "visible") spent += (performance.now() - shown) / 1000;
    shown = performance.now();
    sessionStorage.setItem(`seconds:${form instanceof HTMLFormElement ? form.dataset.assignment : ""}`, String(spent));
  }

  form.addEventListener("submit", (event) => {
    if (leaving) return event.preventDefault();
    clock();
    leaving = true;
    clearTimeout(timer);
    keep(said());
    const seconds = form.elements.namedItem("seconds");
    if (seconds instanceof HTMLInputElement) seconds.value = spent.toFixed(1);
    form.setAttribute("aria-busy", "true");
    tell("Handing in …");
  });
  document.getElementById("give-back")?.addEventListener("submit", (event) => {
    const areas = Array.from(form.querySelectorAll("textarea"));
    const written = kept() !== null || areas.some((area) => area.value.trim() !== "");
    if (written && !confirm("Skip this one? What you wrote here is not kept.")) return event.preventDefault();
    leaving = true;
    localStorage.removeItem(key);
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  addEventListener("pagehide", () => {
    clock();
    if (!leaving && kept() !== null) void send(address, "PUT", said(), true).catch(() => null);
  });
  document.addEventListener("visibilitychange", () => {
    clock();
    if (document.visibilityState === "visible") void renew();
  });
  for (const name of ["pointerdown", "keydown", "scroll", "pointermove"]) {
    addEventListener(name, () => { seen = Date.now(); }, { passive: true });
  }
  if (lease) {
    setInterval(show, 1000);
    setInterval(renew, Math.max(15_000, Math.min(120_000, whole / 3)));
  }
  tidy();
  void restore();
})();
