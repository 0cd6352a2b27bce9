// All values of a dimension, with search and sorting.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Bars } from "./bars.js";
import { askPanel } from "./clicks.js";
import { chosen } from "./filters.js";
import { count, plural } from "./format.js";
import { html } from "./html.js";
import { byMost, valuesOf } from "./measure.js";
import { Choice } from "./pick.js";
import { aborted } from "./transport.js";
import { Dialog, DialogTitle, Icon, Trouble } from "./ui.js";

const limit = 1000; // most values that the API returns, besides the rest
const step = 200; // rows per step: as many as a browser lays out at once

export function AllValues({ dimension, source, view, measures, onClose }) {
  const [answer, setAnswer] = useState(null);
  const [error, setError] = useState(null);
  const [turn, setTurn] = useState(0);
  const { name, many } = dimension;
  useEffect(() => {
    const controller = new AbortController();
    setError(null);
    askPanel(source, view, name, { limit, signal: controller.signal })
      .then(setAnswer)
      .catch((problem) => aborted(problem) || setError(problem));
    return () => controller.abort();
  }, [JSON.stringify([view.range, view.asked, view.visitors]), turn]);
  return html`<${Dialog} label=${`All ${many}`} class="all-values" onClose=${onClose}>
    <${DialogTitle} onClose=${onClose}>${many[0].toUpperCase() + many.slice(1)}<//>
    ${
      answer
        ? html`<${Found} ...${valuesOf(answer, measures)} dimension=${dimension} view=${view} />`
        : error
          ? html`<${Trouble} title="Couldn't load them" message=${error.message}
        onRetry=${() => setTurn(turn + 1)} />`
          : html`<div class="bars-bone" role="status" aria-label="Loading"></div>`
    }
  <//>`;
}

function Found({ measure, counts, total, rest, dimension, view }) {
  const [text, setText] = useState("");
  const [order, setOrder] = useState("most");
  const [most, setMost] = useState(step);
  const search = useRef();
  useEffect(() => search.current.focus(), []);
  const { name, one, many, text: words } = dimension;
  const all = useMemo(() => byMost(counts), [counts]);
  const found = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const rows = all.filter(([value]) =>
      `${words(value)}\n${value}`.toLowerCase().includes(wanted),
    );
    return order === "most"
      ? rows
      : rows.sort(([a], [b]) => words(a).localeCompare(words(b), "en"));
  }, [all, text, order]);
  return html`<div class="all-tools">
      <div class="search"><${Icon} name="search" />
        <input type="search" class="field" ref=${search}
          aria-label=${`Search ${many}`} placeholder="Search"
          autocomplete="off" spellcheck=${false} value=${text}
          onInput=${(e) => {
            setText(e.target.value);
            setMost(step);
          }} /></div>
      <${Choice} label="Sort" value=${order} onChange=${setOrder}
        options=${[
          ["most", `Most ${measure.many}`],
          ["name", `${one}, A to Z`],
        ]} />
    </div>
    <p class="quiet" role="status">${plural(found.length, "value", "values")}
      ${rest > 0 && `, and ${measure.say(rest)} of rarer ones`}</p>
    <${Bars} rows=${found.slice(0, most)} total=${total} highest=${all[0]?.[1] ?? 0}
      measure=${measure} dimension=${dimension} picked=${chosen(view.filters, name)} view=${view} />
    ${
      found.length > most &&
      html`<p class="panel-foot"><button type="button" class="text-button"
      onClick=${() => setMost(most + step)}>
      Show ${count(Math.min(step, found.length - most))} more</button></p>`
    }`;
}
