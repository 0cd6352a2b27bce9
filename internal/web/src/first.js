// Code that can't wait for the main script. Not a module, because modules wait.
let signedOut = false;
const { path: basePath = "" } = document.querySelector('meta[name="terse-base-url"]').dataset;
const { dataset } = document.documentElement;
try {
  const theme = localStorage.getItem("terse-theme"); // before the first paint
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  signedOut = (localStorage.getItem(`terse-session${basePath}`) ?? "out") === "out"; // see api.js
  const { role = "", others } = JSON.parse(localStorage.getItem(`terse-me${basePath}`)) ?? {};
  Object.assign(dataset, { role, others: others ? "1" : "" }); // see me.js
} catch {
  // Storage is switched off: use the system's theme.
}

// Who is signed out must not see a page that is about to be covered.
if (signedOut) dataset.signedOut = "";

// The top of the list, which most visits are for, is requested before the main script arrives. See
// early in transport.js.
if (location.pathname === `${basePath}/ui/` && !location.search && !signedOut) {
  const path = "/api/urls?limit=100&sort=newest&people=true&archived=false";
  const answer = fetch(basePath + path, {
    headers: { Accept: "application/json" },
    cache: "no-store",
    credentials: "same-origin",
  });
  answer.catch(() => {}); // transport.js handles the failure
  globalThis.early = { path, answer };
}
