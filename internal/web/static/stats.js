// The pages of clicks: of one link, and of all together.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { aborted, connection, request } from "./api.js";
import { Chart } from "./chart.js";
import { clicksCSV, linksCSV } from "./csv.js";
import { isDeleted, remove } from "./deletions.js";
import { byDimension, dimensions } from "./dimensions.js";
import { ago, count, dateTime, plural, share, shortHost, shortURL, timeZone, urlParts, visible,
  webURL } from "./format.js";
import { html } from "./html.js";
import { left } from "./list.js";
import { DimensionPanel, Panel, PanelsSkeleton } from "./panels.js";
import { QR } from "./qr.js";
import { before, bounds, fromInput, intervalFor, isLive, presets, rangeQuery, readRange,
  toInput } from "./range.js";
import { address, go, place } from "./router.js";
import { useStore } from "./store.js";
import { Command, CopyButton, Icon, IconButton, Trouble, URLText, copy, download, say, tell,
  useKeys } from "./ui.js";

const pause = 2000; // between an answer and the next question, at least
// whether the server's top_links are those of the range and the filters
const topLinksOfRange = false;
// and at least so many times as long as the answer took: the server has other things to do, too
const patience = 9;

// ask returns the clicks in a range, null for all time.
async function ask(path, period, filters, signal) {
  const query = { time_zone: timeZone(), ...filters };
  if (period) {
    Object.assign(query, instants(period));
    query.interval = intervalFor(period.start, period.end);
    return decode(await request("GET", address(path, query), { signal }), query.interval);
  }
  // How long all time is, is known afterwards.
  for (let interval = "month"; ;) {
    const answer = await request("GET", address(path, { ...query, interval }), { signal });
    const fitting = answer.series.length ? intervalFor(Date.parse(answer.start_time),
      Date.parse(answer.end_time)) : interval;
    if (fitting === interval) return decode(answer, interval);
    interval = fitting;
  }
}

// askPanels returns what each panel shows: the counts without its own filter, so that another row
// can be chosen. Those by month are cheaper than those by a finer interval, and only the sums are
// of interest.
async function askPanels(path, period, filters, signal) {
  const without = async ({ name }) => {
    if (!filters[name]) return null;
    const query = { time_zone: timeZone(), ...filters, [name]: "", interval: "month" };
    if (period) Object.assign(query, instants(period));
    return request("GET", address(path, query), { signal });
  };
  const answers = await Promise.all(dimensions.map(without));
  return Object.fromEntries(dimensions.map(({ name }, i) => [name, answers[i]]));
}

const isFiltered = (filters) => Object.values(filters).some(Boolean);

const instants = ({ start, end }) =>
  ({ start_time: new Date(start).toISOString(), end_time: new Date(end).toISOString() });

const decode = (answer, interval) =>
  ({ ...answer, interval,
    series: answer.series.map(({ time, clicks }) => ({ time: Date.parse(time), clicks })) });

// useClicks asks for what the address wants, and again and again while it may change and somebody
// looks.
function useClicks(path, range, filters, comparing) {
  const [state, setState] =
    useState({ key: "", data: null, panels: {}, earlier: null, error: null });
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify([path, range, filters, comparing]);
  useLayoutEffect(() => { // before the first paint, which need not be waited for
    const controller = new AbortController(), { signal } = controller;
    let timer = 0, busy = false, earlier;
    const look = async () => {
      if (busy) return;
      busy = true;
      clearTimeout(timer);
      timer = 0;
      const period = bounds(range), began = performance.now();
      let next = 0;
      try {
        const [data, panels, compared] = await Promise.all([
          ask(path, period, filters, signal),
          askPanels(path, period, filters, signal),
          comparing && period ? (earlier ?? ask(path, before(period, range), filters, signal))
            : null,
        ]);
        earlier = compared ?? undefined; // what is over is asked for once
        setState({ key, data, panels, earlier: compared, error: null });
        if (isLive(range)) next = Math.max(pause, patience * (performance.now() - began));
      } catch (error) {
        if (aborted(error)) return;
        setState((old) => ({ ...old, error }));
        // A server that is away says itself when it is back; one that has trouble gets time; a
        // question that is wrong stays so.
        next = error.status >= 429 ? 1000 * (error.retryAfter ?? 10) : 0;
      } finally {
        busy = false;
      }
      if (next && !document.hidden) timer = setTimeout(look, next);
    };
    const wake = () => {
      if (document.hidden) {
        clearTimeout(timer);
        timer = 0;
      } else if (!timer && isLive(range)) look();
    };
    look();
    document.addEventListener("visibilitychange", wake);
    const stop = connection.watch((value) => value === "up" && !timer && look());
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
      stop();
    };
  }, [key, turn]);
  return { ...state, stale: state.key !== key, reload: () => setTurn(turn + 1) };
}

// useView is what the address asks for, and how to ask for something else.
function useView() {
  const { path, query, state } = useStore(place);
  const range = readRange(query);
  const filters = byDimension(({ name, valid }) => {
    const value = query.get(name) ?? "";
    return !valid || valid(value) ? value : "";
  });
  const comparing = query.get("compare") === "1" && range.preset !== "all";
  const move = (change, options) => {
    const { range: next, ...rest } = { range, ...filters, compare: comparing ? "1" : "",
      ...change };
    go(address(path, { ...rangeQuery(next), ...rest }), options);
  };
  return {
    range, filters, comparing,
    setRange: (next) => move({ range: next }),
    setFilter: (name, value) => move({ [name]: value }),
    clearFilters: () => move(byDimension(() => "")),
    setComparing: (on) => move({ compare: on ? "1" : "" }),
    zoom: (from, to) =>
      to - from > 3600e3
      && move({ range: { from, to: Math.min(to, Math.max(Date.now(), from + 1)) } },
        { state: { wider: rangeQuery(range), outer: state } }),
    zoomOut: () => {
      if (state?.wider) go(address(path, { ...state.wider, ...filters,
        compare: comparing ? "1" : "" }), { state: state.outer });
      else if (!range.preset) move({ range: { preset: "30d" } });
    },
  };
}

export function LinkStats({ code }) {
  const [qr, setQR] = useState(false);
  const view = useView();
  const clicks = useClicks(`/api/urls/${encodeURIComponent(code)}/clicks`, view.range, view.filters,
    view.comparing);
  useLayoutEffect(() => {
    document.title = `${code} · terse`;
    scrollTo(0, 0);
  }, [code]);
  const { data } = clicks;
  const drop = () => {
    if (!data) return;
    remove({ short_code: code, original_url: data.original_url });
    say(`Deleted ${code}. Press Z to undo.`);
    go(left.href);
  };
  useKeys({
    q: () => setQR(true),
    c: async () => tell((await copy(shortURL(code))) ? `Copied ${shortHost}/${code}`
      : "Couldn't copy"),
    Delete: drop,
  });
  if (clicks.error?.status === 404 || isDeleted(code)) {
    return html`<main class="page" id="main"><div class="state"><h1>Link not found</h1>
      <p>"${code}" doesn't exist or was deleted.</p><a class="button"
        href=${left.href}>Back to links</a></div></main>`;
  }
  const leads = data && webURL(data.original_url);
  return html`<main class="page" id="main">
    <header class="link-head">
      <a class="back" href=${left.href}><${Icon} name="back" />Links</a>
      <div class="link-title"><h1 class="mono"><span class="quiet">${shortHost}/</span>${code}</h1>
        <span class="link-actions"><${CopyButton} text=${shortURL(code)}
          label="Copy the short URL" />
          <${IconButton} icon="qr" label="QR code" onClick=${() => setQR(true)} />
          <a class="icon-button" href=${shortURL(code)} target="_blank" rel="noreferrer noopener"
            aria-label="Open the short URL, which counts as a click"
            title="Open the short URL (counts as a click)"><${Icon} name="open" /></a></span>
        <button type="button" class="button quiet-danger" disabled=${!data}
          onClick=${drop}>Delete</button></div>
      <p class="link-leads">${data
        ? html`<${Icon} name="arrow" />${leads
            ? html`<a href=${leads.href} target="_blank" rel="noreferrer noopener"
              title=${visible(data.original_url)}><${URLText} url=${data.original_url} /></a>`
            : html`<span><${URLText} url=${data.original_url} /></span>`}
              <time class="quiet" datetime=${data.created_at}
                title=${dateTime(new Date(data.created_at))}>
                Created ${ago(new Date(data.created_at), "long")}</time>`
        : html`<i class="bone wide"></i>`}</p>
    </header>
    <${Stats} name=${code} view=${view} clicks=${clicks}
      nothing=${html`<${Try} code=${code} onQR=${() => setQR(true)} />`}
      isNew=${(start) => data && Date.parse(data.created_at) >= start} />
    ${qr && html`<${QR} code=${code} onClose=${() => setQR(false)} />`}
  </main>`;
}

// Try has three ways to make a first click.
const Try = ({ code, onQR }) => html`<${Command} line=${`curl -i ${shortURL(code)}`} />
  <p class="try"><a class="button" href=${shortURL(code)} target="_blank"
    rel="noreferrer noopener">Open it</a><button type="button" class="button"
    onClick=${onQR}>QR code</button></p>`;

export function Overview() {
  const [qr, setQR] = useState("");
  const view = useView();
  const clicks = useClicks("/api/overview", view.range, view.filters, view.comparing);
  useLayoutEffect(() => {
    document.title = "Overview · terse";
    scrollTo(0, 0);
  }, []);
  const { data } = clicks;
  const first = data?.top_links[0]?.short_code;
  return html`<main class="page" id="main">
    <header class="overview-head"><h1>Overview</h1><p class="quiet">
      ${data ? plural(data.links, "link", "links") : ""}</p></header>
    <${Stats} name="overview" view=${view} clicks=${clicks} isNew=${() => data?.links === 0}
      nothing=${first ? html`<${Try} code=${first} onQR=${() => setQR(first)} />`
        : html`<p><a href="/ui/">Create a link</a> and open it.</p>`}>
      ${data && html`<${TopLinks} links=${data.top_links} view=${view} />`}
    <//>
    ${qr && html`<${QR} code=${qr} onClose=${() => setQR("")} />`}
  </main>`;
}

function TopLinks({ links, view: { range, filters } }) {
  const highest = links[0]?.clicks || 1;
  const ignored = [range.preset !== "all" && "range", isFiltered(filters) && "filter"]
    .filter(Boolean);
  return html`<${Panel} id="top-title"
    title=${topLinksOfRange ? "Top links" : "Top links (all time)"} wide=${true}
    csv=${links.length > 0 && (() => linksCSV("overview", links))}>
    ${!topLinksOfRange && ignored.length > 0
      && html`<p class="panel-note quiet">
        The ${ignored.join(" and the ")} above${" "}
        ${ignored.length > 1 ? "don't" : "doesn't"} apply to this list.</p>`}
    ${links.length
      ? html`<ul class="bars">
        ${links.map(({ short_code: code, original_url: url, clicks }) =>
          html`<li key=${code}><a class="bar" href=${`/ui/links/${code}`} title=${visible(url)}>
          <span class="bar-fill" style=${{ transform: `scaleX(${clicks / highest})` }}></span>
          <span class="bar-code mono">${code}</span><span class="bar-name quiet">
            <bdi dir="ltr">${urlParts(url).join("")}</bdi></span>
          <span class="bar-count">${count(clicks)}</span></a></li>`)}</ul>`
      : html`<p class="panel-empty quiet">No links yet.</p>`}
  <//>`;
}

function Stats({ name, view, clicks, nothing, isNew, children }) {
  const { data, panels, earlier, error, stale, reload } = clicks;
  const { range, filters, comparing } = view;
  const filtered = isFiltered(filters);
  useKeys(Object.fromEntries(presets.map(([preset, , , key]) =>
    [key, () => view.setRange({ preset })])));
  return html`<${Ranges} view=${view} />
    ${filtered && html`<div class="chips">
      ${dimensions.map(({ name, chip }) => filters[name]
        && html`<${Chip} key=${name} onRemove=${() => view.setFilter(name, "")}>
          ${chip(filters[name])}<//>`)}</div>`}
    ${data ? html`<div class="stats" data-stale=${stale} aria-busy=${stale}>
      <${Figures} name=${name} range=${range} data=${data} earlier=${comparing ? earlier : null}
        error=${error} />
      ${data.total_clicks > 0 || comparing && earlier?.total_clicks
        ? html`<${Chart} series=${data.series}
          earlier=${comparing && earlier ? earlier.series : null} interval=${data.interval}
          live=${isLive(range)} onZoom=${view.zoom} onReset=${view.zoomOut} />`
        : html`<${NoClicks} range=${range} nothing=${nothing} isNew=${isNew} filtered=${filtered}
          view=${view} />`}
      <div class="panels">${dimensions.map((dimension) => {
        const { name: of } = dimension, answer = panels[of] ?? data;
        return html`<${DimensionPanel} key=${of} dimension=${dimension} name=${name}
          counts=${answer[`by_${of}`]} total=${answer.total_clicks} chosen=${filters[of]}
          onChoose=${(value) => view.setFilter(of, value)} />`;
      })}${children}</div>
    </div>` : error
      ? html`<${Trouble} title="Couldn't load clicks" message=${error.message} onRetry=${reload} />`
      : html`<${Skeleton} />`}`;
}

function NoClicks({ range, nothing, isNew, filtered, view }) {
  if (filtered) {
    return html`<div class="chart-empty"><h2>No data for this filter</h2>
      <button type="button" class="button" onClick=${view.clearFilters}>Remove filter</button>
    </div>`;
  }
  const never = range.preset === "all" || isLive(range) && isNew(bounds(range).start);
  return html`<div class="chart-empty">
    <h2>${never ? "No clicks yet. Try your link:" : "No clicks in this range"}</h2>
    ${never ? nothing
      : html`<button type="button" class="button"
        onClick=${() => view.setRange({ preset: "all" })}>Show all time</button>`}</div>`;
}

function Figures({ name, range, data, earlier, error }) {
  const away = useStore(connection) !== "up";
  const status = error || away
    ? html`<span class="live" data-off title=${error?.message}>Paused</span>`
    : isLive(range) ? html`<span class="live" title="Updates every few seconds">Live</span>` : null;
  return html`<div class="figures"><p class="total"><b>
    ${count(data.total_clicks)}</b> ${data.total_clicks === 1 ? "click" : "clicks"}</p>
    ${earlier && html`<${Change} now=${data.total_clicks} then=${earlier.total_clicks} />
      <span class="legend quiet"><svg viewBox="0 0 24 8" aria-hidden="true">
        <path class="legend-line" d="M0 4h24" /></svg>Previous period</span>`}
    <span class="figures-end">${status}
      <span class="quiet zone">Time zone: ${timeZone().replaceAll("_", " ")}</span>
    <button type="button" class="text-button"
      onClick=${() => download(...clicksCSV(name, data, earlier?.series))}>
      <${Icon} name="download" />Export CSV</button></span></div>`;
}

function Change({ now, then }) {
  if (now === then) return html`<span class="change">no change</span>`;
  if (!then) return html`<span class="change" data-up="true">new</span>`;
  const up = now > then, by = share(Math.abs(now - then), then);
  return html`<span class="change" data-up=${up}><span aria-hidden="true">
    ${up ? "▲" : "▼"} ${by} <span class="quiet">vs. ${count(then)}</span></span>
    <span class="unseen">
      ${up ? "Up" : "Down"} ${by} from ${count(then)} in the previous period</span></span>`;
}

const Chip = ({ onRemove, children }) =>
  html`<button type="button" class="chip" onClick=${onRemove}>
    <span class="unseen">Remove filter: </span><span class="chip-text">${children}</span>
    <${Icon} name="close" /></button>`;

function Ranges({ view }) {
  const { range, comparing } = view;
  const [choosing, setChoosing] = useState(false);
  const custom = choosing || !range.preset;
  const pick = (preset) => {
    setChoosing(false);
    view.setRange({ preset });
  };
  return html`<div class="ranges"><div class="segments" role="group" aria-label="Range">
      ${presets.map(([name, label, long]) =>
        html`<button type="button" key=${name} title=${long}
          aria-pressed=${!custom && range.preset === name} onClick=${() => pick(name)}>
          ${label}</button>`)}
      <button type="button" aria-pressed=${custom} aria-expanded=${custom}
        onClick=${() => setChoosing(!choosing)}>Custom</button></div>
    ${!range.preset
      && html`<button type="button" class="button" onClick=${view.zoomOut}>Reset zoom</button>`}
    ${range.preset !== "all" && html`<label class="check">
      <input type="checkbox" checked=${comparing}
        onChange=${(e) =>
          view.setComparing(e.target.checked)} />Compare to previous period</label>`}
    ${custom && html`<${Custom} key=${`${range.from}-${range.to}`} range=${range}
      onApply=${(next) => { setChoosing(false); view.setRange(next); }} />`}</div>`;
}

function Custom({ range, onApply }) {
  const initial =
    useMemo(() => bounds(range) ?? { start: Date.now() - 30 * 86400e3, end: Date.now() }, []);
  const [from, setFrom] = useState(toInput(initial.start));
  const [to, setTo] = useState(toInput(initial.end));
  const [problem, setProblem] = useState("");
  const first = useRef();
  const apply = (event) => {
    event.preventDefault();
    const next = { from: fromInput(from), to: fromInput(to) };
    if (!(next.from < next.to)) return setProblem("End must be after start.");
    setProblem("");
    onApply(next);
  };
  return html`<form class="custom" onSubmit=${apply}>
    <label>From <input ref=${first} class="field" type="datetime-local" required value=${from}
      onInput=${(e) => setFrom(e.target.value)} /></label>
    <label>To <input class="field" type="datetime-local" required value=${to}
      onInput=${(e) => setTo(e.target.value)}
      aria-describedby=${problem ? "custom-problem" : undefined} /></label>
    <button class="button">Apply</button>
    ${problem && html`<p id="custom-problem" class="problem" role="alert">${problem}</p>`}</form>`;
}

const Skeleton = () => html`<div class="stats" role="status" aria-label="Loading clicks">
  <div class="figures"><i class="bone total-bone"></i></div><div class="chart-bone"></div>
  <${PanelsSkeleton} /></div>`;
