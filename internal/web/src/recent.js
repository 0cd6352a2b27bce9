// The small charts in the list: clicks of the last 30 days of the links in sight, asked for once
// the reader rests there.
import { request } from "./api.js";
import { lookUp } from "./format.js";
import { address } from "./router.js";
import { store } from "./store.js";
import { aborted } from "./transport.js";

const rest = 100; // ms without scrolling
const tallest = 20;

// Shapes by code: paths, empty for links without recent clicks. They are asked for again after a
// while, or when they are too many: what was searched for stays, too.
const lifetime = 60e3, most = 10_000;
let shapes = new Map(), since = Date.now();
let timer = 0, controller = null;

export const drawn = store(shapes);

// renew forgets what is old. It is called when the list is loaded again.
export function renew() {
  if (Date.now() - since < lifetime && shapes.size < most) return;
  controller?.abort();
  controller = null;
  since = Date.now();
  shapes = new Map();
  drawn.set(shapes);
}

// want asks for the links that were clicked and are not known yet. What is still being asked for is
// left to arrive.
export function want(links) {
  clearTimeout(timer);
  const codes = links.filter((link) => link.click_count > 0 && !shapes.has(link.short_code))
    .map((link) => link.short_code).slice(0, 100);
  if (codes.length) timer = setTimeout(ask, rest, codes);
}

async function ask(codes) {
  if (controller) return;
  const { signal } = (controller = new AbortController());
  try {
    const { clicks } =
      await request("GET", address("/api/recent", { short_codes: codes.join(",") }), { signal });
    shapes = new Map(shapes);
    for (const code of codes) shapes.set(code, shape(lookUp(clicks, code) ?? []));
    controller = null;
    drawn.set(shapes);
  } catch (error) {
    // Without them the list is as useful; the next rows that come into sight ask again.
    if (!aborted(error)) controller = null;
  }
}

// shape draws a bar for each day with clicks, the highest as tall as there is room.
function shape(days) {
  const highest = Math.max(5, ...days); // a single click is not a peak
  return days.map((n, i) =>
    (n ? `M${3 * i + 1} ${tallest}v-${Math.max(2, Math.round((tallest * n) / highest))}` : ""))
    .join("");
}
