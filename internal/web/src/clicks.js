// Clicks: the server's answers for a view.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { chosen, without } from "./filters.js";
import { timeZone } from "./format.js";
import { panelOf } from "./measure.js";
import { bounds, compared, instants, intervalFor, isLive } from "./range.js";
import { address } from "./router.js";
import { aborted, connection } from "./transport.js";
import { byHour } from "./week.js";

// A source of clicks is {name, clicks, owner, get, pause}. name is used in file names, clicks is
// the path, owner is whose links it is about, get(path, options) requests it, and pause is the
// minimum time from an answer to the next request, in milliseconds.

// The pause is also at least this many times as long as the answer took, because the server has
// other work.
const pauseFactor = 9;
// values of a dimension on a page: enough for every country; the rest is summed up
export const shown = 250;

// ask returns the clicks of a period, null for all time. Without an interval it chooses one that
// fits.
export async function ask(source, period, query, { interval, signal } = {}) {
  const get = (asked) =>
    source.get(address(source.clicks, { time_zone: timeZone(), ...asked }), { signal });
  interval ??= period ? intervalFor(period.start, period.end) : await fitting(get);
  return decode(await get({ visitors: "true", ...query, ...instants(period), interval }), interval);
}

// fitting returns the interval that fits all time. The cheapest request finds out how long that is.
async function fitting(get) {
  const { start_time: start, end_time: end } = await get({ by: "visitor", interval: "month" });
  return start ? intervalFor(Date.parse(start), Date.parse(end)) : "month";
}

const decode = (answer, interval) => ({
  ...answer,
  interval,
  series: answer.series.map((point) => ({ ...point, time: Date.parse(point.time) })),
});

export const isAsked = (asked, name) => {
  const { only, not } = chosen(asked, name);
  return only.length > 0 || not.length > 0;
};

// askPanel returns the counts of one dimension without its own filter, so that more of its values
// can be chosen. Monthly counts are the cheapest, and only the sums matter.
export async function askPanel(source, view, name, options = {}) {
  const { period = bounds(view.range), limit = shown, signal } = options;
  const answer = await ask(
    source,
    period,
    { ...without(view.asked, name), visitors: view.visitors, by: name, limit: limit || "" },
    { interval: "month", signal },
  );
  return panelOf(answer, name, limit);
}

// askAll returns everything shown at first: the clicks over time, and the counts of each open
// dimension.
async function askAll(source, view, period, open, signal) {
  const { asked, visitors } = view;
  const own = open.filter((name) => isAsked(asked, name));
  const rest = open.filter((name) => !own.includes(name));
  const [data, ...answers] = await Promise.all([
    ask(
      source,
      period,
      { ...asked, visitors, by: rest.join() || "visitor", limit: shown },
      { signal },
    ),
    ...own.map((name) => askPanel(source, view, name, { period, signal })),
  ]);
  return {
    data: { ...data, ofPeople: view.people },
    panels: Object.fromEntries([
      ...rest.map((name) => [name, panelOf(data, name, shown)]),
      ...own.map((name, i) => [name, answers[i]]),
    ]),
  };
}

// useClicks loads a view's clicks, and reloads them while they may change and somebody looks.
export function useClicks(source, view) {
  const { range, asked, visitors, comparing } = view;
  const [state, setState] = useState({
    key: "",
    data: null,
    panels: {},
    earlier: null,
    error: null,
  });
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify([source.clicks, source.owner, range, asked, visitors, comparing]);
  const open = useRef();
  open.current = [...view.open, "visitor"];
  useLayoutEffect(() => {
    // don't wait for the first paint
    const controller = new AbortController(),
      { signal } = controller;
    let timer = 0,
      busy = false,
      isGone = false,
      earlier;
    const look = async () => {
      if (busy || isGone) return;
      busy = true;
      clearTimeout(timer);
      timer = 0;
      const period = bounds(range),
        began = performance.now();
      let next = 0;
      try {
        const [{ data, panels }, then] = await Promise.all([
          askAll(source, view, period, open.current, signal),
          comparing && period ? (earlier ?? askEarlier(source, period, view, signal)) : null,
        ]);
        earlier = then ?? undefined; // the past is requested once
        setState((old) => ({
          key,
          data,
          earlier: then,
          error: null,
          panels: old.key === key ? { ...old.panels, ...panels } : panels,
        }));
        if (isLive(range)) next = Math.max(source.pause, pauseFactor * (performance.now() - began));
      } catch (error) {
        if (aborted(error)) return;
        setState((old) => ({ ...old, error }));
        isGone = error.status === 404;
        // An unreachable server is watched by connection; a failing one gets time; an invalid
        // request is not repeated.
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
  useOpened(source, view, key, state, setState);
  return { ...state, stale: state.key !== key, reload: () => setTurn(turn + 1) };
}

// A comparison's line is drawn from where the page's own begins, and is no longer: of a longer
// range it has the beginning, while the sums are those of the whole. The API returns at most 5,000
// points.
async function askEarlier(source, period, { range, asked, comparing }, signal) {
  const then = compared(period, range, comparing),
    query = { ...asked, by: "visitor" };
  const most = then.start + (period.end - period.start) + 32 * 86400e3,
    interval = intervalFor(period.start, period.end);
  const line = ask(source, { ...then, end: Math.min(then.end, most) }, query, { interval, signal });
  if (then.end <= most) return line;
  const sums = await ask(source, then, query, { interval: "month", signal });
  return { ...sums, series: (await line).series };
}

// useOpened loads the counts of tabs that were opened after the last answer.
function useOpened(source, view, key, state, setState) {
  const missing = state.key === key ? view.open.filter((name) => !state.panels[name]) : [];
  useEffect(() => {
    if (!missing.length) return;
    const controller = new AbortController(),
      { signal } = controller;
    for (const name of missing) {
      askPanel(source, view, name, { signal })
        .then((panel) =>
          setState((old) =>
            old.key === key ? { ...old, panels: { ...old.panels, [name]: panel } } : old,
          ),
        )
        .catch((error) => aborted(error) || setState((old) => ({ ...old, error })));
    }
    return () => controller.abort();
  }, [key, missing.join()]);
}

const maxSpanMs = 200 * 86400e3; // the API returns at most 5,000 hours

// askWeek returns the clicks and visitors by hour of the week, see week.js. It covers at most the
// last 200 days of the range; isCut says whether it left some out.
export async function askWeek(source, view, signal) {
  const { start, end } = bounds(view.range) ?? { start: 0, end: Date.now() };
  const from = Math.max(start, end - maxSpanMs);
  const { series } = await ask(
    source,
    { start: from, end },
    { ...view.asked, by: "visitor" },
    { interval: "hour", signal },
  );
  return { days: byHour(series), isCut: from > start };
}
