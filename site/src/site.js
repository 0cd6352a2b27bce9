// What pages do with JavaScript. Without it, they can be read all the same.
"use strict";

const dialog = document.querySelector("dialog.search");
const button = document.querySelector(".search-button");
const field = dialog.querySelector("input");
const say = dialog.querySelector("[role=status]");

// The search is loaded when it is opened first: it has the texts of all pages.
function openSearch() {
  if (dialog.open) return;
  dialog.showModal();
  field.select();
  if (document.querySelector("script[data-search]")) return;
  const script = document.createElement("script");
  script.src = button.dataset.script;
  script.dataset.search = "";
  script.addEventListener("error", () => {
    script.remove();
    say.textContent = "The search could not be loaded. Close it, and try again.";
  });
  say.textContent = "Loading…";
  document.head.append(script);
}

button.addEventListener("click", openSearch);
dialog.querySelector(".close").addEventListener("click", () => dialog.close());
// for browsers that do not know closedby
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
// "/" opens the search, and so does Ctrl-K, or ⌘K on a Mac.
document.addEventListener("keydown", (event) => {
  if (event.altKey || dialog.open) return;
  const withK = event.ctrlKey !== event.metaKey && !event.shiftKey && event.key === "k";
  if (!withK && (event.key !== "/" || event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  openSearch();
});

for (const code of document.querySelectorAll(".code")) {
  if (!navigator.clipboard) break;
  const copy = document.createElement("button");
  copy.className = "copy";
  copy.textContent = "Copy";
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.querySelector("code").textContent);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Not copied";
    }
  });
  copy.addEventListener("blur", () => {
    copy.textContent = "Copy";
  });
  code.append(copy);
}

// What is wider than the page can be scrolled with the keyboard.
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries)
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
});
for (const wide of document.querySelectorAll(".table, .code pre")) sizes.observe(wide);

// The menu shows where we are.
const menu = document.querySelector(".menu");
const here = menu.querySelector("[aria-current]");
const showHere = () => {
  if (here) menu.scrollTop = here.offsetTop - menu.clientHeight / 3;
};
showHere();
menu.addEventListener("toggle", showHere);

// The outline beside the text shows which part is being read: the last that begins above a third of
// the window.
const links = [...document.querySelectorAll(".beside a")];
const parts = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
function follow() {
  const last = parts.findLastIndex((part) => part.getBoundingClientRect().top < innerHeight / 3);
  for (const [i, link] of links.entries())
    if (i === last) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
}
addEventListener("scroll", () => requestAnimationFrame(follow), { passive: true });
follow();
