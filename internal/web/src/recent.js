// The small charts in the list: clicks of the last 30 days of the visible links, loaded once the
// reader stops scrolling.
import { request } from "./api.js";
import { lookUp } from "./format.js";
import { address } from "./router.js";
import { spark } from "./spark.js";
import { store } from "./store.js";
import { aborted } from "./transport.js";

const restMs = 100; // time without scrolling

// Shapes by code: paths, empty for links without recent clicks. They are reloaded after a while, or
// if there are too many, because results of old searches stay, too.
const lifetimeMs = 60e3,
  maxShapes = 10_000;
let shapes = new Map(),
  since = Date.now();
let timer = 0,
  controller = null;

export const drawn = store(shapes);

// renew drops old shapes. It is called when the list is reloaded.
export function renew() {
  if (Date.now() - since < lifetimeMs && shapes.size < maxShapes) return;
  controller?.abort();
  controller = null;
  since = Date.now();
  shapes = new Map();
  drawn.set(shapes);
}

// want loads the shapes of clicked links that are missing. A request in progress is left to finish.
export function want(links) {
  clearTimeout(timer);
  const codes = links
    .filter((link) => link.click_count > 0 && !shapes.has(link.short_code))
    .map((link) => link.short_code)
    .slice(0, 100);
  if (codes.length) timer = setTimeout(ask, restMs, codes);
}

async function ask(codes) {
  if (controller) return;
  const { signal } = (controller = new AbortController());
  try {
    const { clicks } = await request(
      "GET",
      address("/api/recent", { short_codes: codes.join(",") }),
      { signal },
    );
    shapes = new Map(shapes);
    for (const code of codes) shapes.set(code, spark(lookUp(clicks, code) ?? []));
    controller = null;
    drawn.set(shapes);
  } catch (error) {
    // The list works without them; the next rows that become visible try again.
    if (!aborted(error)) controller = null;
  }
}
