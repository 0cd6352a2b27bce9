// Statistics: the numbers, the chart and the panels.
import { useEffect, useRef } from "preact/hooks";
import { Chart } from "./chart.js";
import { Figures } from "./figures.js";
import { Chips } from "./filterchips.js";
import { inWords as filtersInWords, isFiltered } from "./filters.js";
import { dateTime, plural, urlOfKey } from "./format.js";
import { html } from "./html.js";
import { Latest } from "./latest.js";
import { inWords, measures as measuresOf } from "./measure.js";
import { useNarrow } from "./menu.js";
import { DimensionPanel, PanelsSkeleton, isShown } from "./panels.js";
import { bounds, isLive, presets } from "./range.js";
import { Ranges, comparisonInWords, rangeInWords } from "./ranges.js";
import { Command, Trouble, say, useKeys } from "./ui.js";
import { When } from "./when.js";

export const tryTitle = "No clicks yet. Try your link:";

// Try has three ways to make a first click, all of which count as a person's: curl by its own name
// would be a bot, and bots are left out.
export const Try = ({ of: key, onQR }) => html`<p class="try"><a class="button"
    href=${urlOfKey(key)}
    target="_blank" rel="noreferrer noopener">Open it</a><button type="button" class="button"
    onClick=${onQR}>QR code</button></p>
  <${Command} line=${`curl -i -A Mozilla/5.0 ${urlOfKey(key)}`} />`;

const maxSpoken = 3; // filters that are announced one by one

// spoken returns the announcement of a view and its answer: range, filters and numbers.
function spoken(view, data) {
  const filters = filtersInWords(view);
  const then = comparisonInWords(view.comparing);
  return [
    rangeInWords(view.range) + (then && `, compared with ${then}`),
    ...(filters.length > maxSpoken
      ? [plural(filters.length, "filter", "filters")]
      : filters.map(({ what, text }) => `${what} ${text}`)),
    inWords(view, data),
  ]
    .filter(Boolean)
    .join(". ");
}

// useSpoken announces the result of a new range or filter, but neither the first result nor
// automatic updates.
function useSpoken(view, { data, stale }) {
  const key = JSON.stringify([view.range, view.comparing, view.asked]),
    heard = useRef(key);
  useEffect(() => {
    if (!data || stale || heard.current === key) return;
    heard.current = key;
    say(spoken(view, data));
  }, [key, data, stale]);
}

// source is the source of the clicks, see clicks.js. It may also have events, the path of single
// clicks, and ofAll, if the clicks belong to more than one link. nothing is shown, below its title,
// if there have been no clicks at all. belowChart stands before the panels. A narrow window begins
// with the numbers, and has the range below them.
export function Stats({
  source,
  view,
  clicks,
  nothing,
  nothingTitle,
  belowChart,
  isNew,
  children,
}) {
  const { data, panels: answers, earlier, error, stale, reload } = clicks;
  const isNarrow = useNarrow();
  useSpoken(view, clicks);
  useKeys(
    Object.fromEntries(presets.map(([preset, , , key]) => [key, () => view.setRange({ preset })])),
  );
  const measures = measuresOf(view, data),
    then = view.comparing ? earlier : null,
    bots = answers.visitor && (answers.visitor.clicks.counts.bot ?? 0);
  const controls = html`<${Ranges} view=${view} bots=${bots} />
    <${Chips} view=${view} />`;
  const figures = data
    ? html`<${Figures} source=${source} view=${view} data=${data} measures=${measures}
        earlier=${then} error=${error} />`
    : !error && html`<div class="figures"><i class="bone total-bone"></i></div>`;
  return html`${!isNarrow && controls}
    <div class="stats" data-stale=${Boolean(data) && stale} aria-busy=${stale}>
      ${figures}
      ${isNarrow && controls}
      ${
        data
          ? html`<${Overall} view=${view} clicks=${clicks} then=${then} measures=${measures}
              nothing=${nothing} nothingTitle=${nothingTitle} isNew=${isNew} />`
          : error
            ? html`<${Trouble} title="Couldn't load clicks" message=${error.message}
                onRetry=${reload} />`
            : html`<${Skeleton} />`
      }
      ${(data || error) && belowChart}
      ${
        data &&
        html`<${Panels} source=${source} view=${view} answers=${answers} measures=${measures}
          isEmpty=${!data.total_clicks} />
        ${data.total_clicks > 0 && children?.(measures)}
        ${
          data.total_clicks > 0 &&
          source.events &&
          html`<${Latest} source=${source} view=${view} />`
        }`
      }
    </div>`;
}

function Overall({ view, clicks, then, measures, nothing, nothingTitle, isNew }) {
  const { data, panels } = clicks;
  return html`${
    data.total_clicks > 0 || then?.total_clicks
      ? html`<${Chart} series=${data.series} earlier=${then?.series ?? null}
        interval=${data.interval} measures=${measures} live=${isLive(view.range)}
        onZoom=${view.zoom} onReset=${view.zoomOut} />`
      : html`<${NoClicks} view=${view} nothing=${nothing} title=${nothingTitle} isNew=${isNew}
        bots=${panels.visitor?.clicks.counts.bot} />`
  }
    <${Counted} view=${view} data=${data} />
    ${then && html`<${Counted} view=${view} data=${then} what="The other range is counted" />`}`;
}

// Counted shows the range that was counted, where single clicks have been dropped.
function Counted({ view, data, what = "Counted" }) {
  const { counted_start_time: start, counted_end_time: end } = data;
  if (!start) return null;
  const isCut = Date.parse(start) > Date.parse(data.start_time);
  return html`<p class="counted quiet">${what} from ${dateTime(Date.parse(start))} to${" "}
    ${dateTime(Date.parse(end))}. ${
      isCut
        ? "Of older clicks only their numbers by day are kept."
        : "Of days that are long over only the whole is known."
    }${" "}
    ${
      isCut &&
      html`<button type="button" class="text-button" onClick=${view.countAll}>
      Count all, without filters</button>`
    }</p>`;
}

// Two columns, so that a panel moves only those below it. Without clicks there are only the panels
// whose filters are why.
function Panels({ source, view, answers, measures, isEmpty }) {
  const panel = (id) => {
    const found = view.panels.find((one) => one.id === id);
    return (
      found &&
      isShown(found, view, answers, isEmpty) &&
      html`<${DimensionPanel} key=${id} panel=${found}
      source=${source} view=${view} answers=${answers} measures=${measures} />`
    );
  };
  return html`<div class="panels">
    <div class="panel-column">
      ${panel("referrers")}${panel("campaigns")}${panel("devices")}
      ${panel("rules")}${panel("addresses")}</div>
    <div class="panel-column">${panel("places")}
      ${!isEmpty && html`<${When} source=${source} view=${view} measures=${measures} />`}</div>
  </div>`;
}

function NoClicks({ view, nothing, title = "No clicks yet", isNew, bots }) {
  const { range } = view;
  if (isFiltered(view.filters) || view.tags.length) {
    return html`<div class="chart-empty"><h2>No data for this filter</h2>
      <button type="button" class="button" onClick=${view.clearFilters}>Remove filter</button>
    </div>`;
  }
  if (view.people && bots > 0) {
    return html`<div class="chart-empty"><h2>No clicks by people in this range</h2>
      <button type="button" class="button" onClick=${() => view.setPeople(false)}>
        Count bots, too</button></div>`;
  }
  const never = range.preset === "all" || (isLive(range) && isNew(bounds(range).start));
  return html`<div class="chart-empty">
    <h2>${never ? title : "No clicks in this range"}</h2>
    ${
      never
        ? nothing
        : html`<button type="button" class="button"
        onClick=${() => view.setRange({ preset: "all" })}>Show all time</button>`
    }</div>`;
}

const Skeleton = () => html`<div role="status" aria-label="Loading clicks">
  <div class="chart-bone"></div><${PanelsSkeleton} /></div>`;
