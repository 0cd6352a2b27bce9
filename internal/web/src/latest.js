// The latest clicks, one by one, as they arrive.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { siteName } from "./dimensions.js";
import { ago, countryName, dateTime, flag, keyOf, plural, urlOf, visible } from "./format.js";
import { html } from "./html.js";
import { linkPage } from "./me.js";
import { Panel } from "./panels.js";
import { bounds, instants, isLive } from "./range.js";
import { address } from "./router.js";
import { aborted } from "./transport.js";
import { Icon, Short } from "./ui.js";
import { useSeen } from "./use.js";

const firstCount = 10,
  page = 50; // clicks at first, and per step after that
const minPauseMs = 3000; // minimum milliseconds from an answer to the next request
// the pause is also at least this many times as long as the answer took: the server has other work
const pauseFactor = 9;

const queryOf = (view) => ({ ...view.asked, ...instants(bounds(view.range)) });

// useLatest loads the latest clicks, and reloads them while somebody sees them. After the reader
// has requested older ones, nothing moves until it is resumed.
function useLatest(source, view, isSeen) {
  const [state, setState] = useState({ events: null, next: "", error: null });
  const [paused, setPaused] = useState(false);
  const key = JSON.stringify([source.events, source.owner, view.range, view.asked]);
  const get = (query, signal) =>
    source.get(address(source.events, { ...queryOf(view), ...query }), { signal });
  useLayoutEffect(() => {
    setPaused(false);
    setState((old) => ({ ...old, events: null }));
  }, [key]);
  useLayoutEffect(() => {
    if (!isSeen || paused) return;
    const controller = new AbortController(),
      { signal } = controller;
    let timer = 0,
      busy = false;
    const look = async () => {
      clearTimeout(timer);
      if (busy || document.hidden) return;
      busy = true;
      const began = performance.now();
      try {
        const answer = await get({ limit: firstCount }, signal);
        setState({ events: answer.events, next: answer.next_cursor ?? "", error: null });
      } catch (error) {
        if (aborted(error)) return;
        setState((old) => ({ ...old, error }));
      } finally {
        busy = false;
      }
      if (isLive(view.range))
        timer = setTimeout(look, Math.max(minPauseMs, pauseFactor * (performance.now() - began)));
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [key, isSeen, paused]);
  const more = async () => {
    setPaused(true);
    try {
      const answer = await get({ limit: page, cursor: state.next });
      setState((old) => ({
        events: [...old.events, ...answer.events],
        next: answer.next_cursor ?? "",
        error: null,
      }));
    } catch (error) {
      setState((old) => ({ ...old, error }));
    }
  };
  return { ...state, paused, setPaused, more };
}

// whatever is counted: a column says who clicked
const fileLabel = "Export single clicks as CSV, with those by bots";

export function Latest({ source, view }) {
  const place = useRef();
  const { events, next, error, paused, setPaused, more } = useLatest(source, view, useSeen(place));
  const file = address(source.events, {
    ...view.filters,
    tag: view.tags,
    domain: view.domain,
    ...instants(bounds(view.range)),
    format: "csv",
  });
  return html`<${Panel} id="latest" title="Latest clicks" wide=${true}
    extra=${html`<span class="latest-tools">${
      isLive(view.range) &&
      html`<button type="button" class="text-button" onClick=${() => setPaused(!paused)}>
          ${paused ? "Resume" : "Pause"}</button>`
    }
      <a class="icon-button" href=${source.fileOf(file)} download aria-label=${fileLabel}
        title=${fileLabel}><${Icon} name="download" /></a></span>`}>
    <div ref=${place}>${
      !events
        ? html`<div class="bars-bone"></div>`
        : events.length
          ? html`<${Events} events=${events} source=${source} />`
          : html`<p class="panel-empty quiet">No clicks to show.</p>`
    }
    ${error && html`<p class="panel-note problem" role="status">${error.message}</p>`}
    ${
      events &&
      next &&
      html`<p class="panel-foot"><button type="button" class="text-button"
      onClick=${more}>Show ${plural(page, "older click", "older clicks")}</button></p>`
    }</div><//>`;
}

// The roles say that it is a table also where its rows are drawn as two lines.
const Events = ({
  events,
  source: { ofAll, titleOf, owner },
}) => html`<table class="latest" role="table">
  <thead role="rowgroup"><tr role="row">
    ${["When", ofAll && "Link", "Where", "Who", "From"]
      .filter(Boolean)
      .map(
        (head) => html`<th key=${head} scope="col" role="columnheader">${head}</th>`,
      )}</tr></thead>
  <tbody role="rowgroup">${events.map(
    (event, i) => html`<tr key=${`${event.time} ${keyOf(event)} ${i}`} role="row">
    <td class="latest-when quiet" role="cell">
      <time datetime=${event.time} title=${dateTime(Date.parse(event.time))}>
      ${when(Date.parse(event.time))}</time></td>
    ${
      ofAll &&
      html`<td class="latest-link" role="cell">
        <${Linked} of=${keyOf(event)} title=${titleOf(keyOf(event))} owner=${owner} />
      </td>`
    }
    <td class="latest-where" role="cell">
      <span aria-hidden="true">${flag(event.country)} </span>${where(event)}</td>
    <td class="latest-who" role="cell">${who(event)}${
      event.count && html` <span class="quiet">· ${plural(event.count, "click", "clicks")}</span>`
    }</td>
    <td class="latest-from" role="cell">${from(event)}</td></tr>`,
  )}</tbody></table>`;

const Linked = ({ of: key, title, owner }) => html`<a href=${urlOf(linkPage(key, owner))}
  title=${title ? `${visible(title)} (${key})` : key}>${
    title
      ? html`<bdi>${visible(title)}</bdi>`
      : html`<span class="mono"><${Short} of=${key} /></span>`
  }</a>`;

function when(time) {
  const seconds = Math.max(0, Math.floor((Date.now() - time) / 1000));
  return seconds < 60 ? `${seconds} s ago` : ago(time);
}

const isKnown = (value) => value && value !== "unknown" && value !== "other" && value !== "none";

// where returns the smallest known place.
function where({ city, region, country }) {
  const [name] = isKnown(city) ? city.split(", ") : [];
  return visible(name ?? (isKnown(region) ? region : countryName(country)));
}

function who({ visitor, browser, os }) {
  if (visitor === "bot") return "Bot";
  const words = [browser, os].filter(isKnown).join(" on ") || "Unknown";
  return visitor === "prefetch" ? `${words}, in advance` : words;
}

function from({ referrer_host: host, source, campaign }) {
  const named = [source, campaign].filter(isKnown).map(visible).join(", ");
  return html`<bdi>${siteName(host)}</bdi>
    ${named && html`<span class="quiet"> · <bdi>${named}</bdi></span>`}`;
}
