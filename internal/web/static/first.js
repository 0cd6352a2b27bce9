// What can not wait for the script: the theme that was chosen, before the first paint. Not a module, because those wait.
try {
  const theme = localStorage.getItem("terse-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's theme it is.
}

// The top of the list, which most come for, is asked for before the script that shows it is here. See send in api.js.
if (location.pathname === "/ui/" && !location.search) {
  const path = "/api/urls?limit=100&sort=newest";
  const answer = fetch(path, { headers: { Accept: "application/json" }, cache: "no-store", credentials: "same-origin" });
  answer.catch(() => {}); // whoever takes it finds out
  globalThis.early = { path, answer };
}
