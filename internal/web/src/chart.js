// A chart of what is counted over time. It is SVG, so its colours come from the style sheet.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { compact, count } from "./format.js";
import { html } from "./html.js";
import { height, intervalName, labelWidth, margin, plotOf } from "./plot.js";
import { usePointing } from "./pointing.js";
import { after } from "./range.js";

function useWidth(ref) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry.contentRect.width)));
    observer.observe(ref.current);
    setWidth(Math.round(ref.current.getBoundingClientRect().width));
    return () => observer.disconnect();
  }, []);
  return width;
}

// series and earlier are lists of {time, clicks, visitors}; earlier is null without a comparison.
// The line shows one of the measures; live means that the last interval is not over.
export function Chart({ series, earlier, interval, measures, live, onZoom, onReset }) {
  const { shown: measure } = measures,
    { of, say } = measure;
  const box = useRef();
  const width = useWidth(box);
  const plot = useMemo(
    () => plotOf(series, earlier?.slice(0, series.length), { interval, width, of }),
    [width, series, earlier, measure],
  );
  const { last } = plot;
  const { hover, selected, zoom, isByMouse, pointer, keys } = usePointing({
    box,
    at: plot.at,
    last,
    interval,
    onZoom: (from, to) => onZoom(series[from].time, after(series[to].time, interval) - 1),
    onReset,
  });
  const title = `${measure.head} over time, by ${interval}`;
  const point = hover >= 0 && hover <= last ? series[hover] : null,
    current = point ?? series[last];
  const seen = { plot, series, earlier, interval, measures, live, hover, point };
  return html`<figure class="chart" ref=${box}>
    ${width > 0 && html`<${Plot} ...${seen} selected=${selected} pointer=${pointer} />`}
    ${point && html`<${Tip} ...${seen} />`}
    ${selected && !isByMouse() && html`<${Zoom} plot=${plot} selected=${selected} zoom=${zoom} />`}
    <div class="chart-steps" tabindex="0" role="slider"
      aria-label=${title} aria-valuemin="0"
      aria-valuemax=${Math.max(last, 0)} aria-valuenow=${Math.max(point ? hover : last, 0)}
      aria-valuetext=${
        current ? `${intervalName(current.time, interval)}: ${say(of(current))}` : "No clicks"
      } ...${keys}></div>
    <figcaption class="unseen">${title}</figcaption>
    <${ChartTable} ...${seen} title=${title} />
  </figure>`;
}

function Plot({ plot, series, earlier, measures, live, hover, point, selected, pointer }) {
  const { width, last, lines, labels, x, y, line, base } = plot,
    { of } = measures.shown;
  const solid = live && last > 0 ? series.slice(0, -1) : series;
  const anchor = (i) =>
    i === 0 && last > 0 ? "start" : x(i) > width - labelWidth / 2 ? "end" : "middle";
  return html`<svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}
    aria-hidden="true" ...${pointer}>
    <rect class="chart-ground" width=${width} height=${height} />
    ${lines.map(
      (value) =>
        html`<g key=${value}><line class="chart-grid" x1=${margin.left} x2=${width - margin.right}
          y1=${y(value)} y2=${y(value)} />
        <text class="chart-label" x=${margin.left - 10} y=${y(value) + 4} text-anchor="end">
          ${compact(value)}</text></g>`,
    )}
    ${labels.map(
      ({ i, time, text }) =>
        html`<text key=${time} class="chart-label" x=${x(i)} y=${height - 8}
          text-anchor=${anchor(i)}>${text}</text>`,
    )}
    ${
      selected &&
      html`<rect class="chart-drag" x=${x(selected[0])} y=${margin.top}
        width=${x(selected[1]) - x(selected[0])} height=${base - margin.top} />`
    }
    ${
      last > 0 &&
      html`<path class="chart-area"
        d=${`${line(series)}L${x(last)} ${base}L${x(0)} ${base}z`} />`
    }
    ${earlier && html`<path class="chart-earlier" d=${line(earlier.slice(0, series.length))} />`}
    <path class="chart-line" d=${line(solid)} />
    ${
      live &&
      last > 0 &&
      html`<path class="chart-line chart-unfinished"
          d=${
            `M${x(last - 1)} ${y(of(series[last - 1]))}` + `L${x(last)} ${y(of(series[last]))}`
          } />`
    }
    ${last === 0 && html`<circle class="chart-dot" cx=${x(0)} cy=${y(of(series[0]))} r="4" />`}
    ${
      point &&
      html`<line class="chart-cursor" x1=${x(hover)} x2=${x(hover)} y1=${margin.top}
        y2=${base} />
        ${
          earlier?.[hover] &&
          html`<circle class="chart-dot chart-dot-earlier" cx=${x(hover)}
            cy=${y(of(earlier[hover]))} r="4" />`
        }
        <circle class="chart-dot" cx=${x(hover)} cy=${y(of(point))} r="4" />`
    }
  </svg>`;
}

// Tip says the numbers of the point that is reached.
function Tip({ plot: { x, width, last }, earlier, interval, measures, live, hover, point }) {
  const { shown, clicks } = measures,
    then = earlier?.[hover];
  return html`<div class="tip" data-side=${x(hover) > width / 2 ? "left" : "right"}
    style=${{ left: `${x(hover)}px` }}>
    <span class="quiet">${intervalName(point.time, interval)}
      ${live && hover === last ? " so far" : ""}</span>
    <b>${shown.say(shown.of(point))}</b>
    ${shown !== clicks && html`<span>${clicks.say(clicks.of(point))}</span>`}
    ${
      then &&
      html`<span class="quiet">
        ${count(shown.of(then))} · ${intervalName(then.time, interval)}</span>`
    }
  </div>`;
}

// Zoom is the button that a finger's selection takes.
function Zoom({ plot: { x, width }, selected: [from, to], zoom }) {
  const middle = Math.min(width - 52, Math.max(52, (x(from) + x(to)) / 2));
  return html`<button type="button" class="button chart-zoom" tabindex="-1"
    style=${{ left: `${middle}px` }} onMouseDown=${(e) => e.preventDefault()}
    onClick=${zoom}>Zoom in</button>`;
}

// ChartTable has the chart's numbers for those who don't see it.
function ChartTable({ title, series, earlier, interval, measures: { shown, clicks } }) {
  const columns = shown === clicks ? [clicks] : [shown, clicks];
  return html`<div class="unseen"><table><caption>${title}</caption>
    <thead><tr><th scope="col">Time</th>${columns.map(
      ({ head }) => html`<th scope="col" key=${head}>${head}</th>`,
    )}
      ${earlier && html`<th scope="col">${shown.head} in the period compared</th>`}</tr>
    </thead>
    <tbody>${series.map(
      (p, i) => html`<tr key=${p.time}>
      <th scope="row">${intervalName(p.time, interval)}</th>
      ${columns.map(({ head, of }) => html`<td key=${head}>${count(of(p))}</td>`)}
      ${earlier && html`<td>${earlier[i] ? count(shown.of(earlier[i])) : ""}</td>`}</tr>`,
    )}</tbody></table></div>`;
}
