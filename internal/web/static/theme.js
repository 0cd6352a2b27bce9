// The theme that was chosen, before the first paint. Not a module, because those wait.
try {
  const theme = localStorage.getItem("terse-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's theme it is.
}
