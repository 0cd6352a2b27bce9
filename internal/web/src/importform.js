// What is chosen about a file that is to be imported: what its columns are, how it is read, and
// what becomes of codes that are taken.
import { useState } from "preact/hooks";
import { count, dateTime, lookUp, timeZone, visible } from "./format.js";
import { html } from "./html.js";
import { change, changeFormat, importing, setField } from "./importing.js";
import { isAdmin, me } from "./me.js";
import { Choice } from "./pick.js";
import { commandOf, hasFile, kinds as formats, nameOf, products } from "./products.js";
import { datesOf } from "./question.js";
import { fields, placeOf } from "./results.js";
import { useStore } from "./store.js";
import { Command, URLText } from "./ui.js";

const shownColumns = 60; // of a table; more are read, but not listed
const shownLetters = 80; // of a cell

const cut = (text) => {
  const letters = [...visible(String(text ?? ""))];
  return letters.slice(0, shownLetters).join("") + (letters.length > shownLetters ? "…" : "");
};

const kinds = [["", "Not imported"], ...Object.entries(fields)];

// Question is what the server asks about a table, with its answers.
export function Question({ question: { text, answers, isNeeded } }) {
  const answer = ({ guess, column, field }) =>
    guess ? change({ guess }) : setField(column, field);
  return html`<div class="move-question" role="group" aria-labelledby="move-asks">
    <p id="move-asks">${visible(sentenceOf(text))}</p>
    ${
      answers.length > 0 &&
      html`<div class="move-answers">${answers.map(
        (one, i) => html`<button type="button" key=${i} class="button"
          onClick=${() => answer(one)}>${labelOf(one)}</button>`,
      )}</div>`
    }
    <p class="hint">${
      isNeeded
        ? "The file can't be read without an answer. You can also change what a column is, below."
        : "You can also change what a column is, below."
    }</p></div>`;
}

function labelOf({ guess, column, field, says }) {
  if (guess) return `Import it as it is${says ? `, ${says}` : ""}`;
  const name = `"${cut(column)}"`;
  const what = field ? `${name} is: ${lookUp(fields, field) ?? field}` : `Don't import ${name}`;
  return says ? `${what}, ${says}` : what;
}

const sentenceOf = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export function Columns({ columns }) {
  const seen = new Set();
  return html`<table class="entries move-columns">
    <caption class="unseen">What each column becomes</caption>
    <thead><tr><th scope="col">Column</th><th scope="col">For example</th>
      <th scope="col">Becomes</th></tr></thead>
    <tbody>${columns.slice(0, shownColumns).map(({ name, field = "", example = "" }, i) => {
      const isFirst = !seen.has(name);
      seen.add(name);
      const shown = name ? cut(name) : `Column ${i + 1}`;
      return html`<tr key=${i} data-off=${!field}>
        <th scope="row"><bdi>${shown}</bdi></th>
        <td class="move-example"><bdi>${cut(example)}</bdi></td>
        <td>${
          isFirst && name
            ? html`<${Choice} label=${shown} value=${field} options=${optionsFor(field)}
                onChange=${(to) => to !== field && setField(name, to)} />`
            : html`<span class="quiet">${lookUp(fields, field) ?? "Not imported"}</span>`
        }</td></tr>`;
    })}</tbody></table>
    ${
      columns.length > shownColumns &&
      html`<p class="hint">And ${count(columns.length - shownColumns)} more.</p>`
    }`;
}

// A server that is newer may know other fields.
const optionsFor = (field) =>
  lookUp(fields, field) || !field ? kinds : [...kinds, [field, field]];

const delimiters = [
  ["", "As found"],
  [",", "Commas"],
  [";", "Semicolons"],
  ["tab", "Tabs"],
  ["|", "Bars"],
];
const ofTime = ["created_at", "updated_at", "starts_at", "expires_at", "day", "hour"];

// How offers what is seldom needed to read a table.
export function How({ columns, options }) {
  const hasTimes = columns.some(({ field }) => ofTime.includes(field));
  return html`<div class="move-how">
    <${Labelled} label="Between columns" value=${options.delimiter} options=${delimiters}
      onChange=${(delimiter) => change({ delimiter })} />
    ${hasTimes && html`<${Zone} label="Times without a zone" value=${options.time_zone} />`}
    ${
      options.date_format &&
      html`<${Labelled} label="Dates" value=${options.date_format}
        options=${[["", "As they are known"], ...stylesOf(options.date_format)]}
        onChange=${(format) => change({ date_format: format })} />`
    }</div>`;
}

const Labelled = ({ label, ...rest }) => html`<div><span class="form-label" aria-hidden="true">
  ${label}</span><${Choice} label=${label} ...${rest} /></div>`;

// Zone says in which time zone times are that name none.
const Zone = ({ label, value }) =>
  timeZone() !== "UTC" &&
  html`<${Labelled} label=${label} value=${value}
    options=${[
      ["", "UTC"],
      [timeZone(), `${timeZone()} (yours)`],
    ]}
    onChange=${(zone) => change({ time_zone: zone })} />`;

// Format says what the file is, and what has to be known to read one of its kind, by how it is
// read.
export const Format = ({ value, read = value, zone }) => html`<div class="move-how"><${Labelled}
    label="What the file is" value=${value} options=${formats} onChange=${changeFormat} />
  ${read === "yourls" && html`<${Zone} label="Time zone of its database" value=${zone} />`}</div>`;

// Commands shows how the command line imports what this page does not take: a database, which may
// be a file, and what a server of the product says.
export function Commands({ file, product }) {
  const offered = file ? products.filter(hasFile) : products;
  const [format, choose] = useState(product || offered[0][0]);
  const [, , sources] = offered.find(([name]) => name === format);
  const shown = file ? [["the file", nameOf(file)]] : sources;
  return html`<div class="move-how"><${Labelled} label="Product" value=${format}
      options=${offered} onChange=${choose} /></div>
    ${shown.map(
      ([what, source]) => html`<div key=${what} class="move-command"><p>From ${what}:</p>
        <${Command} line=${commandOf(format, source)} /></div>`,
    )}
    <p class="hint">Run it where ${file ? "the file" : "the product"} can be reached, after
      <code> terse login</code>. It says what would come; without <code>--dry-run</code> it
      imports.${
        !file && " The key of an API is in TERSE_SOURCE_KEY, or in a file that --key-file names."
      }</p>`;
}

// Dates asks which date is meant by one that may be two.
export function Dates({ example }) {
  return html`<div class="move-question" role="group" aria-labelledby="move-dates">
    <p id="move-dates">Dates such as ${visible(example)} may be two. Those are left out unless you
      say which is meant.</p>
    <div class="move-answers">${stylesOf(datesOf(example)[0]).map(
      ([format, text]) => html`<button type="button" key=${format} class="button"
        onClick=${() => change({ date_format: format })}>${text}</button>`,
    )}</div></div>`;
}

const stylesOf = (format) => {
  const [first, second] = ["%d/%m", "%m/%d"].map((order) => format.replace(/%[dm]\/%[dm]/, order));
  return [
    [first, "Day first (31/12/2026)"],
    [second, "Month first (12/31/2026)"],
  ];
};

const conflicts = [
  ["skip", "Leave it out", "The link that is there stays as it is."],
  [
    "overwrite",
    "Replace",
    "The link that is there becomes as in the file, if it is yours, and keeps its clicks.",
  ],
  ["rename", "Give it another code", "abc becomes abc-2. The link that is there stays."],
  ["fail", "Import nothing", "As soon as one code is taken."],
];

// Conflicts asks what becomes of a link whose code another one has.
export const Conflicts = ({ value }) => html`<fieldset class="move-conflicts">
  <legend>If a code is taken by another link</legend>
  ${conflicts.map(
    ([name, text, hint]) => html`<label key=${name} class="move-choice">
      <input type="radio" name="conflict" value=${name} checked=${name === value}
        onChange=${() => change({ conflict: name })} />
      <span><b>${text}</b> <span class="quiet">${hint}</span></span></label>`,
  )}</fieldset>`;

// Owner lets an admin keep the owners that a file names.
export function Owner({ value }) {
  const who = useStore(me);
  if (!isAdmin(who) || !who.others) return null;
  return html`<div class="move-how"><${Labelled} label="The links belong to" value=${value}
    options=${[
      ["", "Me"],
      ["keep", "The owners that the file names"],
    ]}
    onChange=${(owner) => change({ owner })} /></div>`;
}

const results = {
  created: "New",
  updated: "Changed",
  unchanged: "There already",
  renamed: "New, with another code",
  skipped: "Left out",
  failed: "Can't be imported",
};

// FirstRows shows the first links as they will be.
export function FirstRows({ trial, head, columns }) {
  const { file } = useStore(importing);
  const rows = trial.first.map((result) => ({
    result,
    ...shownOf(
      result.link ? result : (head.rows.find(({ line }) => line === result.line) ?? {}),
      columns,
    ),
  }));
  return html`<div class="move-rows" role="region" tabindex="0" aria-label="The first links">
    <table class="entries">
    <caption class="unseen">The first links of ${visible(file.name)}, as they will be</caption>
    <thead><tr><th scope="col">Code</th><th scope="col">Destination</th><th scope="col">Title</th>
      <th scope="col">Created</th><th scope="col" class="end">Clicks</th>
      <th scope="col">What becomes of it</th></tr></thead>
    <tbody>${rows.map(
      ({ result, hasCode, url, title, created }) => html`<tr key=${result.line}>
        <th scope="row">${hasCode ? codeOf(result) : newCode}</th>
        <td class="move-url">${url && html`<${URLText} url=${url} />`}</td>
        <td class="move-title"><bdi>${cut(title)}</bdi></td>
        <td class="move-created"><bdi>${cut(created)}</bdi></td>
        <td class="end">${count((result.clicks_added ?? 0) + (result.clicks_known ?? 0))}
          <span class="move-unit"> clicks</span></td>
        <td class="move-result">${results[result.result]}${
          result.error && html`<span class="quiet">: ${cut(result.error)}</span>`
        }</td></tr>`,
    )}</tbody></table></div>`;
}

const newCode = html`<span class="quiet">a new one</span>`;

const noCode = html`<span class="quiet">unknown</span>`; // of what can't be read

const codeOf = ({ short_code: code, domain, new_short_code: other, result }) =>
  !code
    ? noCode
    : html`<span class="mono"><bdi>${cut(placeOf(domain, code))}</bdi>${
        other && result === "renamed" && ` → ${other}`
      }</span>`;

// shownOf returns what is shown of a link as the server has read it, or of a row of the file that
// it can't read. A code that the row lacks is made anew by the import, whatever the try has made.
function shownOf({ cells, link }, columns) {
  if (link) {
    const { short_code: code, original_url: url, title, created_at: created } = link;
    return { hasCode: Boolean(code), url, title, created: created && dateTime(new Date(created)) };
  }
  if (!cells) return { hasCode: true };
  const cell = (field) => cells[columns?.findIndex((column) => column.field === field)]?.trim();
  return {
    hasCode: Boolean(cell("short_code") || cell("short_url")),
    url: cell("original_url"),
    title: cell("title"),
    created: cell("created_at"),
  };
}

// Lines says which lines of the file a remark is about, and which codes.
export const Lines = ({ reason: { n, lines } }) =>
  html`<p class="hint">${lines.length === 1 ? "line" : "lines"}${" "}${lines.map(
    ({ line, code }, i) =>
      html`${i > 0 && ", "}${count(line)}${code && html` (<bdi class="mono">${cut(code)}</bdi>)`}`,
  )}${n > lines.length && ` and ${count(n - lines.length)} more`}</p>`;
