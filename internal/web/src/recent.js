// The small charts in the list: clicks of the last 30 days of the visible links, loaded once the
// reader stops scrolling.
import { request } from "./api.js";
import { keyOf, lookUp } from "./format.js";
import { address } from "./router.js";
import { spark } from "./spark.js";
import { store } from "./store.js";
import { aborted } from "./transport.js";
import { clicksOf } from "./words.js";

const restMs = 100; // time without scrolling

// Small charts by key, null for links without recent clicks. They are reloaded after a while, or
// if there are too many, because results of old searches stay, too.
const lifetimeMs = 60e3,
  maxShapes = 10_000;
let shapes = new Map(),
  since = Date.now();
let withBots = false, // whether they count bots
  ofOwner = ""; // whose links they are of
let timer = 0,
  controller = null;

export const drawn = store(shapes);

// renew drops old shapes. It is called when the list is reloaded.
export function renew() {
  if (Date.now() - since >= lifetimeMs || shapes.size >= maxShapes) drop();
}

function drop() {
  controller?.abort();
  controller = null;
  since = Date.now();
  shapes = new Map();
  drawn.set(shapes);
}

// want loads the shapes of clicked links that are missing. A request in progress is left to finish.
export function want(links, bots, owner) {
  clearTimeout(timer);
  if (bots !== withBots || owner !== ofOwner) {
    withBots = bots;
    ofOwner = owner;
    drop();
  }
  const keys = links
    .filter((link) => clicksOf(link, bots) > 0 && !shapes.has(keyOf(link)))
    .map(keyOf)
    .slice(0, 100);
  if (keys.length) timer = setTimeout(ask, restMs, keys);
}

function drawing(days) {
  const total = days.reduce((sum, n) => sum + n, 0);
  return total ? { path: spark(days), total, most: Math.max(...days) } : null;
}

async function ask(keys) {
  if (controller) return;
  const { signal } = (controller = new AbortController());
  try {
    const { clicks } = await request(
      "GET",
      address("/api/recent", {
        short_codes: keys.join(","),
        people: !withBots && "true",
        owner: ofOwner,
      }),
      { signal },
    );
    shapes = new Map(shapes);
    for (const key of keys) shapes.set(key, drawing(lookUp(clicks, key) ?? []));
    controller = null;
    drawn.set(shapes);
  } catch (error) {
    // The list works without them; the next rows that become visible try again.
    if (!aborted(error)) controller = null;
  }
}
