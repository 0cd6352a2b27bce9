// A list in the card that creates links: a table, what all links get, and the results.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { canMake, choose, dismiss, setUTM, shortenAll, stop } from "./bulk.js";
import { createdCSV } from "./csv.js";
import { ofLines, problemsOf } from "./draft.js";
import { LinkForm } from "./form.js";
import { count, plural, shortOf, urlOf, urlOfKey, visible, webURL } from "./format.js";
import { html } from "./html.js";
import { linkPage } from "./me.js";
import { batch, draft, edit } from "./newlink.js";
import { Choice } from "./pick.js";
import { useStore } from "./store.js";
import { kinds } from "./table.js";
import { CopyButton, URLText, copy, download, focusProblem, tell } from "./ui.js";
import { addUTM } from "./utm.js";

export { noURL, propose } from "./bulk.js";
export { decode, isForImport } from "./table.js";

async function copyAll(lines) {
  tell(
    (await copy(lines.map((line) => urlOfKey(line.made)).join("\n")))
      ? `Copied ${plural(lines.length, "short URL", "short URLs")}`
      : "Couldn't copy",
  );
}

export function Batch() {
  const state = useStore(batch),
    { options } = useStore(draft);
  const [problems, setProblems] = useState({});
  const form = useRef();
  const { table, lines, utm, began, busy } = state;
  const done = lines.filter((line) => line.made),
    left = lines.filter(canMake).length,
    bad = lines.filter(({ problem }) => problem).length;
  useEffect(() => {
    // the focused button may be gone
    if (document.activeElement === document.body || !began)
      form.current.querySelector(".form-end button:last-of-type").focus();
  }, [table.rows, busy]);
  const shown = useMemo(
    () => html`<${Table} table=${table} lines=${lines} utm=${utm} began=${began} />`,
    [table, lines, utm, began],
  );
  const change = ({ original_url: query, ...rest }) => {
    setProblems({});
    if (query !== utm) setUTM(query);
    edit({ options: rest });
  };
  const save = () =>
    download(...createdCSV(done.map((line) => ({ ...line, url: addUTM(line.url, utm) }))));
  // The lines are in a window of their own, and the one that is meant may be out of its sight.
  const showBad = () => {
    const rows = [...form.current.querySelectorAll('[data-problem="true"]')];
    const row = rows[(rows.indexOf(document.activeElement.closest("tr")) + 1) % rows.length];
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
  };
  const submit = (event) => {
    event.preventDefault();
    if (busy || !left) return;
    const { original_url: _, ...wrong } = problemsOf({ ...options, ...ofLines, original_url: "" });
    setProblems(wrong);
    if (Object.keys(wrong).length) focusProblem(form.current);
    else shortenAll();
  };
  return html`<form ref=${form} class="create" onSubmit=${submit} novalidate
    aria-label="Shorten several URLs">
    ${shown}
    <div class="form create-form">
      ${
        !began &&
        html`<${LinkForm} id="new" draft=${{ ...options, original_url: utm }} onChange=${change}
        problems=${problems} isNew=${true} several=${true} />`
      }
      ${
        table.lost.length > 0 &&
        !began &&
        html`<p class="quiet batch-lost">Not taken over: ${visible(
          table.lost.slice(0, 6).join(", "),
        )}${table.lost.length > 6 && " …"}. To bring links with their codes, dates and clicks,
        use <a href=${urlOf("/ui/move")}>Import and export</a>.</p>`
      }
      <div class="form-end"><p class="quiet" role="status">${statusOf(state)}</p>
        ${
          bad > 0 &&
          bad < lines.length &&
          html`<button type="button" class="text-button batch-show" onClick=${showBad}>
          ${bad === 1 ? "Show it" : "Show the next"}</button>`
        }
        ${
          busy
            ? html`<button type="button" class="button" onClick=${stop}>Stop</button>`
            : html`<button type="button" class="button" onClick=${dismiss}>
              ${began ? "Close" : "Cancel"}</button>
            ${
              done.length > 0 &&
              html`<button type="button" class="button"
                onClick=${save}>Download CSV</button>
              <button type="button" class=${left ? "button" : "button primary"}
                onClick=${() => copyAll(done)}>
                ${`Copy ${plural(done.length, "short URL", "short URLs")}`}</button>`
            }
            ${
              left > 0 &&
              html`<button class="button primary">
              ${began ? `Try ${count(left)} again` : `Shorten ${count(left)}`}</button>`
            }`
        }</div>
    </div>
  </form>`;
}

function statusOf({ lines, began, pause }) {
  if (pause) return `Too many requests. Continuing in ${pause} s.`;
  const total = plural(lines.length, "line", "lines");
  if (began) return `${count(lines.filter((line) => line.made).length)} of ${total} shortened`;
  const bad = lines.filter((line) => line.problem).length;
  if (bad === lines.length) return "No line has a URL. Choose the column with the URLs.";
  return bad ? `${count(bad)} of ${total} left out` : total;
}

function Table({ table: { rows, kinds: columns }, lines, utm, began }) {
  const [first] = rows;
  const nameOf = (i) => `Column ${i + 1}: ${visible(first[i] ?? "").slice(0, 40)}`;
  return html`<div class="batch" role="region" aria-label="Several URLs" tabindex="0"><table>
    ${
      columns.length > 1 &&
      !began &&
      html`<thead><tr>${columns.map(
        (kind, i) => html`<th key=${i} scope="col"><${Choice} label=${nameOf(i)} value=${kind}
          options=${kinds} isField=${true} onChange=${(next) => choose(i, next)} /></th>`,
      )}<td></td></tr></thead>`
    }
    <tbody>${lines.map(
      (line, row) => html`<tr key=${row} data-problem=${Boolean(line.problem)}
      tabindex=${line.problem ? -1 : undefined}>
      ${columns.map(
        (kind, i) =>
          html`<td key=${i} data-kind=${kind}>${
            kind === "url" && webURL(line.url)
              ? html`<${URLText} url=${addUTM(line.url, utm)} />`
              : visible(rows[row][i] ?? "")
          }</td>`,
      )}<td class="batch-result">${
        line.made
          ? html`<a class="mono" href=${urlOf(linkPage(line.made))}
            >${shortOf(line.made)}</a>
            <${CopyButton} text=${urlOfKey(line.made)} label=${`Copy ${shortOf(line.made)}`} />`
          : line.problem && html`<span class="problem">${line.problem}</span>`
      }</td></tr>`,
    )}</tbody></table></div>`;
}
