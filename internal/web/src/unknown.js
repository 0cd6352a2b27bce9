// The page of requested addresses that no link has: over all days that are kept, or of one day.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isCode } from "./addresses.js";
import { request } from "./api.js";
import { unknownCSV } from "./csv.js";
import { dayOf, daysLater, daysTo, isDay } from "./days.js";
import { baseURL, count, dateFormat, keyOf, plural, urlOf, utcDay, visible } from "./format.js";
import { html } from "./html.js";
import { everybody, linkPage, mayEdit, me } from "./me.js";
import { Panel } from "./panels.js";
import { DayField } from "./parts.js";
import { go, place, address as pathTo } from "./router.js";
import { spark } from "./spark.js";
import { useStore } from "./store.js";
import { aborted, connection } from "./transport.js";
import { IconButton, Problem, Trouble, download, say } from "./ui.js";

const maxCodes = 1000; // addresses of a day in an answer
const keptDays = 30;
const step = 50; // rows per step
const searchable = 200; // longest search in the API, in characters
// searches per step, each for one address: a client may ask 60 times a minute
const maxSearches = 10;
const title = "Missed";

// Days are the server's, in UTC.
const longDay = dateFormat({ dateStyle: "long", timeZone: "UTC" });
const shortDay = dateFormat({ month: "short", day: "numeric", timeZone: "UTC" });
const long = (day) => longDay().format(Date.parse(day));
const short = (day) => shortDay().format(Date.parse(day));
const open = (date) => go(pathTo("/ui/unknown", { date }));

// useUnknown returns the codes of a day, or of all days, the error if they can't be loaded, and a
// function that reloads them. They are also reloaded when the reader returns to the page.
function useUnknown(date) {
  const [{ asked, data, error }, setState] = useState({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const query = { limit: maxCodes, ...(date ? { date } : { days: keptDays }) };
    const look = async () => {
      try {
        const found = await request("GET", pathTo("/api/unknown", query), {
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
  const heard = useRef(null);
  useEffect(() => {
    // for other days, but not for the first
    if (!data) return;
    if (heard.current !== null && heard.current !== date) {
      say(`${date ? long(date) : `${keptDays} days`}: ${plural(data.total, "visit", "visits")}`);
    }
    heard.current = date;
  }, [data, date]);
  useLayoutEffect(() => {
    document.title = `${title} · terse`;
    scrollTo(0, 0);
  }, []);
  return html`<main class="page" id="main">
    <header class="unknown-head"><h1>${title}</h1>
      <p class="quiet">Addresses that people opened and no link has: misprints, or links that were
        deleted too early. Kept for ${keptDays} days, by days of UTC.</p></header>
    <${Days} date=${date} />
    ${
      data
        ? html`<${Codes} key=${date} date=${date} data=${data} />`
        : error
          ? html`<${Trouble} title="Couldn't load the addresses" message=${error.message}
        onRetry=${retry} />`
          : html`<div class="panel" role="status" aria-label="Loading addresses"><i
        class="bone title-bone"></i><div class="bars-bone"></div></div>`
    }
  </main>`;
}

// Days chooses between all days and a single one.
function Days({ date }) {
  const today = dayOf(Date.now()),
    first = daysLater(today, 1 - keptDays);
  const shown = isDay(date) ? date : today;
  const [typed, setTyped] = useState(null); // a day that is not opened yet
  const [problem, setProblem] = useState("");
  const change = (text) => {
    setTyped(text);
    setProblem("");
  };
  useEffect(() => change(null), [date]);
  const done = (day) => {
    if (!day || day === date) change(null);
    else if (isDay(day) && first <= day && day <= today) open(day);
    else setProblem(`Enter one of the last ${keptDays} days, such as ${utcDay(today)}.`);
  };
  return html`<div class="unknown-days" role="group" aria-label="Days">
    <button type="button" class="button" aria-pressed=${!date} onClick=${() => open("")}>
      Last ${keptDays} days</button>
    <span class="unknown-day" data-on=${Boolean(date)}>
      <${IconButton} icon="back" label="Previous day" disabled=${shown <= first}
        onClick=${() => open(daysLater(shown, -1))} />
      <label for="unknown-date" class="quiet">One day</label>
      <${DayField} id="unknown-date" first=${first} last=${today} today=${today}
        value=${typed ?? (date ? shown : "")} onChange=${change} onDone=${done}
        aria-invalid=${Boolean(problem)}
        aria-describedby=${problem ? "unknown-date-problem" : undefined} />
      <${IconButton} icon="back" class="forward" label="Next day"
        disabled=${!date || shown >= today} onClick=${() => open(daysLater(shown, 1))} /></span>
    <${Problem} id="unknown-date" text=${problem} />
  </div>`;
}

function Codes({ date, data: { date: last, total, codes } }) {
  const [shown, setShown] = useState(step);
  const days = date ? [] : daysTo(last, keptDays);
  const parts = [];
  for (let i = 0; i < Math.min(shown, codes.length); i += step) {
    parts.push(codes.slice(i, i + step));
  }
  const name = date || `${keptDays}-days-to-${last}`;
  return html`<${Panel} id="unknown" title=${plural(total, "visit", "visits")}
    extra=${
      codes.length > 0 &&
      html`<${IconButton} icon="download" label="Export addresses as CSV"
      onClick=${() => download(...unknownCSV(name, days, codes))} />`
    }>
    ${
      codes.length
        ? html`<table class="unknown"><thead><tr><th scope="col">Address</th>
          ${
            !date &&
            html`<th scope="col" class="unknown-spark">Last ${keptDays} days</th>
            <th scope="col" class="unknown-last">Last visit</th>`
          }
          <th scope="col" class="end">Visits</th>
          <th><span class="unseen">Link</span></th></tr></thead>
          <tbody>${parts.map(
            (part, i) => html`<${Rows} key=${i} codes=${part} days=${days} />`,
          )}</tbody></table>`
        : html`<p class="panel-empty quiet">Nobody opened an address without a link.</p>`
    }
    ${
      codes.length > shown &&
      html`<p class="panel-more"><button type="button" class="text-button"
      onClick=${() => setShown(shown + step)}>
      Show ${count(Math.min(step, codes.length - shown))} more</button></p>`
    }
  <//>`;
}

const anyOwner = () => (me.get().others ? everybody : "");

// linkAt returns the code of the link that has an address, also as an alias, "" if there is none
// that this reader may see. The API finds it by its short URL.
async function linkAt(address, signal) {
  const search = `${baseURL}/${address.replaceAll(" ", "%20")}`; // a blank would end the URL
  if ([...search].length > searchable) return "";
  const path = pathTo("/api/urls", { search, limit: 1, owner: anyOwner() });
  const { urls } = await request("GET", path, { signal });
  return urls.length ? keyOf(urls[0]) : "";
}

// useLinked returns, for addresses that have got a link meanwhile, that link's code. One request
// looks up all codes. Aliases take a request each, so only the most frequent are looked up.
function useLinked(codes) {
  const [linked, setLinked] = useState({});
  const addresses = codes.map((code) => code.short_code);
  useEffect(() => {
    const controller = new AbortController(),
      { signal } = controller;
    const add = (found) => setLinked((old) => ({ ...old, ...found }));
    const look = async () => {
      const list = addresses.filter(isCode).join(",");
      const { clicks } = list
        ? await request("GET", pathTo("/api/recent", { short_codes: list, owner: anyOwner() }), {
            signal,
          })
        : { clicks: {} };
      add(Object.fromEntries(Object.keys(clicks).map((code) => [code, code])));
      const others = addresses.filter((one) => !Object.hasOwn(clicks, one)).slice(0, maxSearches);
      for (const one of others) {
        const code = await linkAt(one, signal);
        if (code) add({ [one]: code });
      }
    };
    look().catch(() => {}); // then the form says that the address is taken
    return () => controller.abort();
  }, [addresses.join("\n")]);
  return linked;
}

function Rows({ codes, days }) {
  const linked = useLinked(codes);
  return codes.map(
    ({ short_code: address, count: n, error, by_date: byDate }) => html`<tr key=${address}>
    <th scope="row" class="mono"><bdi>${visible(address)}</bdi></th>
    ${
      byDate &&
      html`<td class="unknown-spark"><${Spark} days=${days} byDate=${byDate} /></td>
      <td class="unknown-last quiet">${short(lastOf(byDate))}</td>`
    }
    <td class="end"><${Times} n=${n} error=${error} /></td>
    <td class="unknown-link">${
      Object.hasOwn(linked, address)
        ? html`<a class="text-button" href=${urlOf(linkPage(linked[address], anyOwner()))}
        aria-label=${`Show the link ${linked[address]}`}>Show<span
          class="unknown-more"> the link</span></a>`
        : mayEdit() &&
          html`<a class="text-button" href=${urlOf(pathTo("/ui/", { code: address }))}
        aria-label=${`Create this link: ${visible(address)}`}>Create<span
          class="unknown-more"> this link</span></a>`
    }</td></tr>`,
  );
}

const lastOf = (byDate) => Object.keys(byDate).sort().at(-1);

// Spark draws the visits of each day. Its name has the day with most of them.
function Spark({ days, byDate }) {
  const [most] = Object.entries(byDate).sort(([, a], [, b]) => b - a)[0];
  const label = `Most on ${short(most)}: ${count(byDate[most])}`;
  return html`<svg class="spark" viewBox=${`0 0 ${3 * days.length} 20`} role="img"
    aria-label=${label}><title>${label}</title>
    <path d=${spark(days.map((day) => byDate[day] ?? 0))} /></svg>`;
}

// Times is a count, or its bounds if the server could not count all addresses.
const Times = ({ n, error }) =>
  error
    ? html`<span title=${`Between ${count(n - error)} and ${count(n)} times`}>
    ${count(n - error)}–${count(n)}</span>`
    : count(n);
