// The page of requested codes that no link has.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { unknownCSV } from "./csv.js";
import { count, dateFormat, plural } from "./format.js";
import { html } from "./html.js";
import { Panel } from "./panels.js";
import { address, go, place } from "./router.js";
import { useStore } from "./store.js";
import { aborted, connection } from "./transport.js";
import { Icon, IconButton, Trouble, download, say } from "./ui.js";

const maxCodes = 1000; // codes that the server keeps per day
const keptDays = 30;
const step = 50; // rows per step
const title = "Codes that people looked for";

// Days are the server's, in UTC.
const dayName = dateFormat({ dateStyle: "long", timeZone: "UTC" });
const dayOf = (time) => new Date(time).toISOString().slice(0, 10);
const daysLater = (day, n) => dayOf(Date.parse(day) + n * 86400e3);
const open = (date) => go(address("/ui/unknown", { date: date === dayOf(Date.now()) ? "" : date }));

// useUnknown returns the codes of a day, the error if they can't be loaded, and a function that
// reloads them. They are also reloaded when the reader returns to the page.
function useUnknown(date) {
  const [{ asked, data, error }, setState] = useState({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const look = async () => {
      try {
        const found = await request("GET", address("/api/unknown", { date, limit: maxCodes }), {
          signal: controller.signal,
        });
        setState({ asked: date, data: found });
      } catch (problem) {
        if (aborted(problem)) return;
        setState((old) => ({
          asked: date,
          data: old.asked === date ? old.data : null,
          error: problem,
        }));
      }
    };
    look();
    addEventListener("focus", look);
    const stop = connection.watch((value) => value === "up" && look());
    return () => {
      stop();
      removeEventListener("focus", look);
      controller.abort();
    };
  }, [date, turn]);
  return asked === date ? { data, error, retry: () => setTurn(turn + 1) } : {};
}

export function Unknown() {
  const date = useStore(place).query.get("date") ?? "";
  const { data, error, retry } = useUnknown(date);
  const heard = useRef("");
  useEffect(() => {
    // for another day, but not for the first
    if (!data) return;
    if (heard.current && heard.current !== data.date) {
      say(`${dayName().format(Date.parse(data.date))}: ${plural(data.total, "visit", "visits")}`);
    }
    heard.current = data.date;
  }, [data?.date]);
  useLayoutEffect(() => {
    document.title = `${title} · terse`;
    scrollTo(0, 0);
  }, []);
  return html`<main class="page" id="main">
    <header class="unknown-head"><a class="back" href="/ui/overview"><${Icon}
      name="back" />Overview</a>
      <h1>${title}</h1>
      <p class="quiet">Short URLs that were opened and that no link has: mistyped ones, or those of
        links that were deleted. Kept for ${keptDays} days.</p></header>
    <${Day} date=${data?.date ?? date} />
    ${
      data
        ? html`<${Codes} key=${data.date} data=${data} />`
        : error
          ? html`<${Trouble} title="Couldn't load the codes" message=${error.message}
        onRetry=${retry} />`
          : html`<div class="panel" role="status" aria-label="Loading codes"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`
    }
  </main>`;
}

function Day({ date }) {
  const today = dayOf(Date.now()),
    first = daysLater(today, -keptDays);
  const shown = Number.isNaN(Date.parse(date)) ? today : date;
  return html`<div class="unknown-day">
    <${IconButton} icon="back" label="Previous day" disabled=${shown <= first}
      onClick=${() => open(daysLater(shown, -1))} />
    <label><span class="quiet">Day (UTC)</span>
      <input class="field" type="date" required min=${first} max=${today} value=${shown}
        onChange=${(event) => event.target.validity.valid && open(event.target.value)} /></label>
    <${IconButton} icon="back" class="forward" label="Next day" disabled=${shown >= today}
      onClick=${() => open(daysLater(shown, 1))} /></div>`;
}

function Codes({ data: { date, total, codes } }) {
  const [shown, setShown] = useState(step);
  const parts = [];
  for (let i = 0; i < Math.min(shown, codes.length); i += step) {
    parts.push(codes.slice(i, i + step));
  }
  return html`<${Panel} id="unknown" title=${plural(total, "visit", "visits")}
    extra=${
      codes.length > 0 &&
      html`<${IconButton} icon="download" label="Export codes as CSV"
      onClick=${() => download(...unknownCSV(date, codes))} />`
    }>
    ${
      codes.length
        ? html`<ul class="bars">${parts.map(
            (part, i) => html`<${Rows} key=${i} codes=${part}
          highest=${codes[0].count} />`,
          )}</ul>`
        : html`<p class="panel-empty quiet">Nobody looked for a code without a link.</p>`
    }
    ${
      codes.length > shown &&
      html`<p class="panel-more"><button type="button" class="text-button"
      onClick=${() => setShown(shown + step)}>
      Show ${count(Math.min(step, codes.length - shown))} more</button></p>`
    }
  <//>`;
}

// useLinked returns which codes have got a link meanwhile.
function useLinked(codes) {
  const [linked, setLinked] = useState({});
  const list = codes.map((code) => code.short_code).join(",");
  useEffect(() => {
    const controller = new AbortController();
    request("GET", address("/api/recent", { short_codes: list }), { signal: controller.signal })
      .then(({ clicks }) => setLinked(clicks))
      .catch(() => {}); // then the form says that the code is taken
    return () => controller.abort();
  }, [list]);
  return linked;
}

function Rows({ codes, highest }) {
  const linked = useLinked(codes);
  return codes.map(
    ({ short_code: code, count: n, error }) => html`<li class="unknown" key=${code}>
    <span class="bar">
      <span class="bar-fill" style=${{ transform: `scaleX(${n / highest})` }}></span>
      <span class="bar-code mono">${code}</span><span class="bar-name"></span>
      <${Times} n=${n} error=${error} /></span>
    ${
      Object.hasOwn(linked, code)
        ? html`<a class="text-button" href=${`/ui/links/${code}`}
        aria-label=${`Show the link ${code}`}><span>Show<span
          class="unknown-more"> the link</span></span></a>`
        : html`<a class="text-button" href=${address("/ui/", { code })}
        aria-label=${`Create this link: ${code}`}><span>Create<span
          class="unknown-more"> this link</span></span></a>`
    }</li>`,
  );
}

// Times is a count, or its bounds if the server could not count all codes.
const Times = ({ n, error }) =>
  error
    ? html`<span class="bar-count" title=${`Between ${count(n - error)} and ${count(n)} times`}>
    ${count(n - error)}–${count(n)}</span>`
    : html`<span class="bar-count">${count(n)}</span>`;
