// Clicks: what the address asks for, and the server's answers.
import { useLayoutEffect, useState } from "preact/hooks";
import { aborted, connection, request } from "./api.js";
import { byDimension, dimensionNames, dimensions } from "./dimensions.js";
import { timeZone } from "./format.js";
import { before, bounds, intervalFor, isLive, rangeQuery, readRange } from "./range.js";
import { address, go, place } from "./router.js";
import { useStore } from "./store.js";

const pause = 2000; // between an answer and the next question, at least
// and at least so many times as long as the answer took: the server has other things to do, too
const patience = 9;

// ask returns the clicks in a range, null for all time.
async function ask(path, period, filters, signal) {
  const query = { time_zone: timeZone(), by: dimensionNames, ...filters };
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
    const query = { time_zone: timeZone(), ...filters, [name]: "", by: name, interval: "month" };
    if (period) Object.assign(query, instants(period));
    return request("GET", address(path, query), { signal });
  };
  const answers = await Promise.all(dimensions.map(without));
  return Object.fromEntries(dimensions.map(({ name }, i) => [name, answers[i]]));
}

export const isFiltered = (filters) => Object.values(filters).some(Boolean);

const instants = ({ start, end }) =>
  ({ start_time: new Date(start).toISOString(), end_time: new Date(end).toISOString() });

const decode = (answer, interval) =>
  ({ ...answer, interval,
    series: answer.series.map(({ time, clicks }) => ({ time: Date.parse(time), clicks })) });

// useClicks asks for what the address wants, and again and again while it may change and somebody
// looks.
export function useClicks(path, range, filters, comparing) {
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
export function useView() {
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
