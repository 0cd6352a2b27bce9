// The keyboard's shortcuts, by page, and a way to shorten from other pages.
import { urlOf } from "./format.js";
import { html } from "./html.js";
import { CopyButton, Dialog, DialogTitle, tell } from "./ui.js";

const groups = [
  [
    "Everywhere",
    [
      ["n", "New link"],
      ["/", "Search"],
      ["z", "Undo"],
      ["Esc", "Close"],
      ["?", "Show shortcuts"],
    ],
  ],
  [
    "Links",
    [
      ["j", "Next link"],
      ["k", "Previous link"],
      ["Enter", "Open link"],
      ["x", "Select link"],
      ["e", "Edit link"],
      ["c", "Copy link"],
      ["q", "QR code"],
      ["Delete", "Delete link"],
    ],
  ],
  [
    "A link's page",
    [
      ["e", "Edit link"],
      ["c", "Copy link"],
      ["q", "QR code"],
      ["Delete", "Delete link"],
    ],
  ],
  [
    "Statistics",
    [
      ["d  w  m  y  a", "Last day, week, month, year, all time"],
      ["←  →", "Move along the chart"],
      ["Shift  →", "Select a range (Enter zooms in, Backspace out)"],
      ["↑  ↓", "Move along a panel's rows (Home and End, too)"],
      ["→", "Open a row's menu"],
      ["Alt  Enter", "Leave out a row's value (or Alt and click)"],
    ],
  ],
];

// The bookmarklet opens the dashboard with the current page's address and title.
const bookmarklet =
  `javascript:void open(${JSON.stringify(`${location.origin}${urlOf("/ui/")}`)}` +
  "+'?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))";

// Clicking it here would shorten the dashboard, and the policy forbids it.
const drag = (event) => {
  event.preventDefault();
  tell("Drag it to your bookmarks.");
};

export const Help = ({ onClose }) =>
  html`<${Dialog} label="Keyboard shortcuts" class="help" onClose=${onClose}>
  <${DialogTitle} onClose=${onClose}>Keyboard shortcuts<//>
  <div class="help-groups">${groups.map(
    ([page, keys]) => html`<section key=${page}><h3>${page}</h3>
    <dl>${keys.map(
      ([names, what]) => html`<div key=${what}>
      <dt>${names.split("  ").map((key) => html`<kbd key=${key}>${key}</kbd>`)}</dt>
      <dd>${what}</dd></div>`,
    )}</dl></section>`,
  )}</div>
  <section class="bookmarklet"><h3>From other pages</h3>
    <p>Drag this to your bookmarks. On any page, it opens the form here, filled in.</p>
    <p><a class="button" href=${bookmarklet} onClick=${drag}>Shorten with terse</a>
      <${CopyButton} text=${bookmarklet} label="Copy the bookmark's address" /></p></section>
<//>`;
