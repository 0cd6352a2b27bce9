// The page on which links come in and go out.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { respond } from "./api.js";
import { DomainFilter } from "./domains.js";
import { count, dateTime, isSeveral, plural, share, urlOf, visible } from "./format.js";
import { html } from "./html.js";
import {
  choose,
  comes,
  forgetFile,
  importing,
  isUnderWay,
  leftOver,
  progressOf,
  report,
  start,
  stop,
  summaryOf,
  tryOut,
} from "./importing.js";
import {
  Columns,
  Commands,
  Conflicts,
  Dates,
  FirstRows,
  Format,
  How,
  Lines,
  Owner,
  Question,
} from "./importform.js";
import { everybody, isAdmin, mayEdit, me, mayMove, whose } from "./me.js";
import { given } from "./moving.js";
import { kinds, tableOf } from "./products.js";
import { doubtfulDate } from "./question.js";
import { address, go, place } from "./router.js";
import { useStore } from "./store.js";
import style from "./style/move.css";
import { OwnerFilter } from "./toolbar.js";
import { Failure } from "./transport.js";
import { Icon, download, tell } from "./ui.js";

// Few open this page, so its style comes with it, not with every page.
const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

export function Move() {
  const who = useStore(me);
  useLayoutEffect(() => {
    document.title = "Import and export · terse";
    scrollTo(0, 0);
  }, []);
  if (!mayMove(who))
    return html`<main class="page" id="main"><div class="state"><h1>Import and export</h1>
    <p>This is for those who may make links. Ask an admin.</p>
    <a class="button" href=${urlOf("/ui/")}>Back to links</a></div></main>`;
  return html`<main class="page move" id="main"><h1>Import and export</h1>
    ${mayEdit(who) && html`<${Import} />`}<${Export} /></main>`;
}

function Import() {
  const state = useStore(importing);
  const { file, phase } = state;
  const [dropping, setDropping] = useState(false);
  const chosen = useRef(null);
  const take = (next) => {
    if (!next) return;
    if (isUnderWay()) return tell("An import is under way. Wait for its end, or stop it.");
    choose(next);
  };
  useEffect(() => {
    const next = given.get();
    given.set(null);
    take(next);
    const hasFile = (event) =>
      event.dataTransfer?.types.includes("Files") && !document.querySelector("dialog[open]");
    const drag = (event) => {
      if (hasFile(event)) event.preventDefault();
      setDropping(hasFile(event));
    };
    const leave = (event) => event.relatedTarget || setDropping(false);
    const drop = (event) => {
      setDropping(false);
      if (!hasFile(event)) return;
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    };
    const handlers = { dragover: drag, dragleave: leave, drop };
    for (const [name, handle] of Object.entries(handlers)) addEventListener(name, handle);
    return () => {
      for (const [name, handle] of Object.entries(handlers)) removeEventListener(name, handle);
    };
  }, []);
  useEffect(() => {
    // what had the focus may be gone
    if (file && document.activeElement === document.body) chosen.current?.focus();
  }, [file, phase]);
  return html`<section class="panel" aria-labelledby="import-title" data-dropping=${dropping}>
    <h2 id="import-title">Import</h2>
    ${phase !== "importing" && phase !== "done" && html`<${LeftOver} />`}
    ${
      file
        ? html`<div ref=${chosen} tabindex="-1" class="move-file">
            <${File} state=${state} onFile=${take} /></div>
          <${Steps} state=${state} />`
        : html`<div class="move-drop">
          <p>Drop a file here, or choose one. Nothing is imported before you have seen what would
            come.</p>
          <${ChooseFile} class="button primary" text="Choose a file" onFile=${take} />
          <p class="hint">An export of terse, also packed (.gz, .zst); a file of Sink or golink, or
            an SQL dump of YOURLS; or a table of links of any product: CSV, with the names of the
            columns in its first line. At most 1 GiB.</p></div>
          <details class="move-others"><summary>From a database or a server</summary>
            <p>The command line reads the databases and the APIs of these products, and can ask
              both servers afterwards where each address leads.</p>
            <${Commands} /></details>`
    }
  </section>`;
}

function ChooseFile({ text, onFile, class: name }) {
  const input = useRef();
  const read = ({ target }) => {
    onFile(target.files[0]);
    target.value = ""; // the same file can be chosen again
  };
  return html`<input ref=${input} type="file" hidden aria-label="File to import"
      onChange=${read} /><button type="button" class=${name}
      onClick=${() => input.current.click()}>${text}</button>`;
}

// LeftOver says that an import of this browser may not have come to its end.
function LeftOver() {
  const [note, setNote] = useState(leftOver.get());
  useEffect(() => leftOver.watch(() => setNote(leftOver.get())), []);
  const { phase } = useStore(importing);
  if (!note || phase === "stopped" || phase === "lost") return null;
  return html`<div class="move-question"><p>The import of <b><bdi>${visible(note.name)}</bdi></b>,
    begun ${dateTime(note.at)}, did not come to its end on this page. Unless it still runs in
    another tab, choose the same file again: what has come stays as it is, the rest comes, and
    nothing comes twice.</p>
    <div class="move-answers"><button type="button" class="button"
      onClick=${leftOver.forget}>Don't show this again</button></div></div>`;
}

function File({ state: { file, head, phase, columns, trial, options }, onFile }) {
  const isBusy = phase === "importing";
  return html`<${Icon} name="upload" /><p><b><bdi>${visible(file.name)}</bdi></b>
      <span class="quiet"> ${sizeOf(file.size)}${kindOf(head, columns, trial, options)}</span></p>
    ${
      !isBusy &&
      html`<${ChooseFile} class="text-button" text="Another file" onFile=${onFile} />
      <button type="button" class="text-button" onClick=${forgetFile}>
        ${phase === "done" ? "Close" : "Cancel"}</button>`
    }`;
}

function sizeOf(bytes) {
  const [size, unit] = bytes >= 1e6 ? [bytes / 1e6, "MB"] : [bytes / 1e3, "KB"];
  return bytes < 1000
    ? plural(bytes, "byte", "bytes")
    : `${count(Math.round(size * 10) / 10)} ${unit}`;
}

// formatOf returns how a file is read, as far as that is known.
const formatOf = (head, { format }) => (format === "auto" ? head?.format : format);

function kindOf(head, columns, trial, options) {
  if (!trial && !columns) return "";
  const packed = head?.packing ? `, packed with ${head.packing}` : "";
  if (!columns) {
    const format = formatOf(head, options);
    const [, kind = "An export of terse"] = kinds.find(([name]) => name === format) ?? [];
    return ` · ${kind.charAt(0).toLowerCase()}${kind.slice(1)}${packed}`;
  }
  const { product } = tableOf(columns.map(({ name }) => name));
  return ` · table of ${plural(columns.length, "column", "columns")}${
    product ? `, as ${product} writes it` : ""
  }${packed}`;
}

// Steps are what there is to see and to choose, by how far it is.
function Steps({ state }) {
  const { file, phase, problem, isFinal, question, trial, columns, head, options, tally } = state;
  if (phase === "importing" || phase === "stopped" || (phase === "lost" && tally?.source && trial))
    return html`<${UnderWay} state=${state} />`;
  if (phase === "done") return html`<${Done} tally=${tally} />`;
  const isTrying = phase === "reading" || phase === "trying";
  const hasForm = !isFinal && Boolean(trial || columns);
  const date = columns && !options.date_format && head ? doubtfulDate(head.rows) : "";
  const trouble = phase === "lost" ? "The connection was lost. Nothing was imported." : problem;
  return html`
    ${isTrying && !hasForm && html`<${Trying} tally=${tally} />`}
    ${!hasForm && trouble && html`<p class="problem" role="alert">${visible(trouble)}</p>`}
    ${head?.isDatabase && html`<${Commands} file=${file} product=${head.product} />`}
    ${phase === "refused" && !isFinal && !hasForm && html`<${Format} value=${options.format} />`}
    ${
      (phase === "lost" || (isFinal && head && !head.problem)) &&
      html`<p><button type="button" class="button" onClick=${tryOut}>Try again</button></p>`
    }
    ${
      hasForm &&
      html`<div class="move-form" data-stale=${isTrying}>
        ${question && html`<${Question} question=${question} />`}
        ${date && html`<${Dates} example=${date} />`}
        <${Format} value=${options.format} read=${formatOf(head, options)}
          zone=${options.time_zone} />
        ${
          columns &&
          html`<h3>What the columns become</h3>
          <${Columns} columns=${columns} />
          <${How} columns=${columns} options=${options} />`
        }
        ${
          trial?.first.length > 0 &&
          html`<h3>The first links, as they will be</h3>
          <${FirstRows} trial=${trial} head=${head} columns=${columns} />`
        }
        <${Conflicts} value=${options.conflict} />
        <${Owner} value=${options.owner} />
        ${trial && html`<${Figures} tally=${trial} /><${Reasons} tally=${trial} />`}
        <${Go} state=${state} isTrying=${isTrying} trouble=${trouble} /></div>`
    }`;
}

const triedSoFar = (tally) =>
  `Trying it out; nothing is changed yet.${
    tally ? ` ${plural(tally.links, "line", "lines")} so far.` : ""
  }`;

const Trying = ({ tally }) => html`<div class="move-progress">
  <div class="move-bar" data-endless="true"></div><p role="status">${triedSoFar(tally)}</p></div>`;

// Go stays in sight, with what would come. Nothing else moves while the file is tried again.
function Go({ state: { phase, trial, tally, question, options }, isTrying, trouble }) {
  const links = trial ? comes(trial) : 0,
    added = trial?.added ?? 0;
  const isAsked = Boolean(question) && !options.guess;
  const canStart = (phase === "tried" || isTrying) && !isAsked && (links > 0 || added > 0);
  const text = isTrying
    ? triedSoFar(tally)
    : isAsked
      ? "Answer the question above to import the file."
      : trial && (nothingNew(trial) || summaryOf(trial));
  return html`<div class="move-end">
    ${
      trouble ? html`<p class="problem" role="alert">${visible(trouble)}</p>` : html`<p>${text}</p>`
    }
    ${
      canStart &&
      html`<button type="button" class="button primary" aria-disabled=${isTrying}
        onClick=${() => isTrying || start()}>Import ${
          links ? plural(links, "link", "links") : plural(added, "click", "clicks")
        }</button>`
    }</div>`;
}

// nothingNew says so if all of a file is there already.
const nothingNew = (trial) => {
  const { unchanged, ...others } = trial.results;
  const isAll = unchanged > 0 && !trial.added && Object.values(others).every((n) => n === 0);
  return isAll ? "All of it is there already: there is nothing to import." : "";
};

const said = [
  ["created", "new", "new"],
  ["renamed", "new, with another code", "new, with other codes"],
  ["updated", "changed", "changed"],
  ["unchanged", "there already", "there already"],
  ["skipped", "left out: its code is taken", "left out: their codes are taken"],
  ["failed", "can't be imported", "can't be imported"],
];

// Figures says how many links and clicks come, or have come.
function Figures({ tally }) {
  const { results, added, known, summary } = tally;
  // Until the end, lines that can't be read are not told from links.
  const {
    failed = results.failed,
    lines_failed: broken = 0,
    clicks_skipped: skipped = 0,
  } = summary ?? {};
  const amounts = { ...results, failed };
  const links = said.map(([name, one, many]) => [amounts[name], one, many]).filter(([n]) => n > 0);
  const clicks = [
    [added, "new"],
    [known, "there already"],
    [skipped, "left out"],
  ].filter(([n]) => n > 0);
  const List = ({ title, rows }) =>
    rows.length > 0 &&
    html`<div><h3>${title}</h3><ul>${rows.map(
      ([n, one, many = one]) =>
        html`<li key=${one}><b>${count(n)}</b> ${n === 1 ? one : many}</li>`,
    )}</ul></div>`;
  return html`<div class="move-figures">
    <${List} title="Links" rows=${links} /><${List} title="Clicks" rows=${clicks} />
    ${broken > 0 && html`<${List} title="Lines" rows=${[[broken, "can't be read"]]} />`}</div>`;
}

const shownReasons = 8;

// Reasons says what does not come as it is in the file, and why.
function Reasons({ tally }) {
  const { reasons, remarks, more } = tally;
  const [isWhole, setWhole] = useState(false);
  if (!remarks) return null;
  const sorted = [...reasons].sort((a, b) => b.n - a.n);
  const shown = isWhole ? sorted : sorted.slice(0, shownReasons);
  return html`<h3>What is left out or changed</h3>
    <ul class="move-reasons">${shown.map(
      (reason) => html`<li key=${`${reason.result} ${reason.text}`}>
        <p><b>${count(reason.n)}</b> ${visible(reason.text)}</p>
        <${Lines} reason=${reason} /></li>`,
    )}</ul>
    ${
      sorted.length > shown.length &&
      html`<button type="button" class="text-button" onClick=${() => setWhole(true)}>
        Show all ${count(sorted.length)}</button>`
    }
    ${more > 0 && html`<p class="hint">And ${count(more)} more, in the report.</p>`}
    <p><button type="button" class="text-button" onClick=${save}><${Icon} name="download" />
      Download the report</button></p>`;
}

const save = () => download("terse-import-report.csv", report());

function UnderWay({ state: { phase, file, trial, tally } }) {
  const { part, text } = progressOf(tally, trial);
  const isBusy = phase === "importing";
  return html`<div class="move-progress">
    <div class="move-bar" role="progressbar" aria-label=${`Import of ${visible(file.name)}`}
      aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.floor(100 * part)}
      aria-valuetext=${text}><span style=${{ width: `${100 * part}%` }}></span></div>
    <p>${share(part, 1)} · ${text}</p>
    ${
      isBusy
        ? html`<p class="hint">It goes on while you look at other pages here. If this tab is closed
          half-way, send the same file again: what has come stays, and the rest comes.</p>
          <button type="button" class="button" onClick=${stop}>Stop</button>`
        : html`<div role="alert"><p>${
            phase === "lost" ? "The connection was lost." : "Stopped."
          } What has come stays as it is. Send the same file again: the rest comes, and nothing
          comes twice.</p></div>
          <button type="button" class="button primary" onClick=${start}>Send it again</button>`
    }</div>
    ${!isBusy && html`<${Figures} tally=${tally} /><${Reasons} tally=${tally} />`}`;
}

const Done = ({ tally }) => html`<p class="move-done" role="status"><${Icon} name="done" />
    <b>${summaryOf(tally, true)}</b></p>
  <${Figures} tally=${tally} /><${Reasons} tally=${tally} />
  <div class="move-answers"><a class="button" href=${urlOf("/ui/")}>Show the links</a></div>`;

const forms = [
  [
    "ndjson",
    "All links with their clicks",
    "Everything: codes, options, history and each click. Keep it as a copy, or import it into " +
      "another terse. It has hashes of passwords and the addresses of shared pages in it.",
    "Export all links",
  ],
  [
    "csv",
    "Links as CSV",
    "For spreadsheets, and for other products. It has no clicks, passwords, rules or further " +
      "addresses, so it is no copy. Edited, it can be imported again, with Replace.",
    "Export as CSV",
  ],
];

// exportTo has the browser save an export, once the server has said that it would give it: what a
// browser saves in the background may as well be an error.
async function exportTo(path) {
  try {
    const response = await respond("HEAD", path);
    if (!response.ok) {
      const reason =
        response.status === 429
          ? "An export of yours is under way. Try again when it has ended."
          : `The server refused it (${response.status}).`;
      throw new Failure(response.status, reason);
    }
    const link = document.createElement("a");
    link.href = urlOf(path);
    link.download = ""; // named by the server
    link.click();
    tell("The download has begun");
  } catch (error) {
    tell(`Not exported: ${error.message}`);
  }
}

function Export() {
  const who = useStore(me);
  const at = useStore(place);
  const owner = whose(at),
    domain = (isSeveral && at.query.get("domain")) || "";
  const show = (change) => go(address("/ui/move", { owner, domain, ...change }), { replace: true });
  // an auditor has to name an owner, even itself
  const asked = owner || (mayEdit(who) ? "" : who.identity);
  const isOthers = owner !== "" && owner !== who.identity;
  return html`<section class="panel" aria-labelledby="export-title">
    <header class="panel-head"><h2 id="export-title">Export</h2>
      <${DomainFilter} domain=${domain} onChange=${(next) => show({ domain: next })} />
      <${OwnerFilter} owner=${owner} onChange=${(next) => show({ owner: next })} />
    </header>
    ${
      isOthers &&
      html`<p class="quiet">${
        owner === everybody ? "Links of everybody." : `Links of ${visible(owner)}.`
      }${isAdmin(who) ? " An import keeps their owners if you say so." : ""}</p>`
    }
    ${
      domain &&
      html`<p class="quiet">Links at ${visible(domain)} only. Those of an export go to the same host
        of another terse; <code>--domain-map</code> on its command line says it otherwise.</p>`
    }
    <div class="move-exports">${forms.map(
      ([
        format,
        title,
        text,
        label,
      ]) => html`<div key=${format}><h3>${title}</h3><p class="quiet">${text}</p>
        <button type="button" class="button"
          onClick=${() => exportTo(address("/api/export", { format, owner: asked, domain }))}>
          <${Icon} name="download" />${label}</button></div>`,
    )}</div></section>`;
}
