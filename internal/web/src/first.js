// What can't wait for the script. Not a module, because those wait.
let signedOut = false;
try {
  const theme = localStorage.getItem("terse-theme"); // before the first paint
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  signedOut = localStorage.getItem("terse-session") === "out"; // see api.js
} catch {
  // Storage is switched off: the system's theme it is.
}

// The top of the list, which most come for, is asked for before the script that shows it is here.
// See send in api.js.
if (location.pathname === "/ui/" && !location.search && !signedOut) {
  const path = "/api/urls?limit=100&sort=newest";
  const answer =
    fetch(path, { headers: { Accept: "application/json" }, cache: "no-store",
      credentials: "same-origin" });
  answer.catch(() => {}); // api.js finds out
  globalThis.early = { path, answer };
}
