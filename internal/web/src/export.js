// The contents of a page of clicks as files.
import { useState } from "preact/hooks";
import { byClicks } from "./bars.js";
import { ask, askPanel } from "./clicks.js";
import { clicksCSV, dimensionCSV, linksCSV, weekCSV } from "./csv.js";
import { html } from "./html.js";
import { part } from "./lazy.js";
import { bounds } from "./range.js";
import { Dialog, Icon, download, tell } from "./ui.js";
import { askWeek } from "./week.js";

const zip = part(() => import("client-zip"));

// exportPanel saves all values of a dimension as its panel counts them, that is, without their own
// filter.
export async function exportPanel(source, view, dimension) {
  const { counts } = await askPanel(source, bounds(view.range), view.asked, dimension.name, {
    limit: 0,
  });
  download(...dimensionCSV(source.name, dimension, byClicks(counts)));
}

// allFiles returns a file for each panel, with all filters applied.
async function allFiles(source, view, earlier) {
  const { name } = source;
  const { dimensions, asked, range, comparing } = view;
  const [data, { days }] = await Promise.all([
    ask(source, bounds(range), {
      ...asked,
      by: dimensions.map((dimension) => dimension.name).join(),
    }),
    askWeek(source, view),
  ]);
  return [
    clicksCSV(name, data, earlier, comparing),
    weekCSV(name, days),
    ...dimensions.map((dimension) =>
      dimensionCSV(name, dimension, byClicks(data[`by_${dimension.name}`] ?? {})),
    ),
    ...(data.top_links ? [linksCSV(name, data.top_links)] : []),
  ];
}

async function exportAll(source, view, earlier) {
  const [files, { downloadZip }] = await Promise.all([allFiles(source, view, earlier), zip()]);
  const [first] = files[0];
  const date = first.match(/\d{4}-\d\d-\d\d/)[0];
  download(
    `terse-${source.name}-${date}.zip`,
    await downloadZip(
      files.map(([file, text]) => ({ name: file, input: text, lastModified: new Date() })),
    ).blob(),
  );
}

export function ExportMenu({ source, view, data, earlier, onClose }) {
  const [busy, setBusy] = useState(false);
  const run = async (act) => {
    if (busy) return;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      tell(`Couldn't export: ${error.message}`);
    }
    onClose();
  };
  const item = (words, act) => html`<button type="button" class="sheet-item" aria-busy=${busy}
    onClick=${() => run(act)}><${Icon} name="download" />${words}</button>`;
  return html`<${Dialog} label="Export" class="sheet" onClose=${onClose}>
    ${item("The chart (CSV)", () =>
      download(...clicksCSV(source.name, data, earlier?.series, view.comparing)),
    )}
    ${item("Everything shown (ZIP of CSV files)", () => exportAll(source, view, earlier?.series))}
    <button type="button" class="sheet-item" onClick=${onClose}>
      <${Icon} name="close" />Cancel</button>
  <//>`;
}
