// The contents of a page of clicks as files.
import { ask, askPanel, askWeek } from "./clicks.js";
import { clicksCSV, dimensionCSV, linksCSV, weekCSV } from "./csv.js";
import { html } from "./html.js";
import { part } from "./lazy.js";
import { Menu } from "./menu.js";
import { byMost, measures as measuresOf, panelOf, valuesOf } from "./measure.js";
import { bounds } from "./range.js";
import { download, tell } from "./ui.js";

const zip = part(() => import("client-zip"));

// exportPanel saves all values of a dimension as its panel counts them, that is, without their own
// filter.
export async function exportPanel(source, view, dimension, measures) {
  const panel = await askPanel(source, view, dimension.name, { limit: 0 });
  download(...panelCSV(source.name, dimension, panel, measures));
}

function panelCSV(name, dimension, panel, measures) {
  const { measure, counts } = valuesOf(panel, measures);
  return dimensionCSV(name, dimension, measure.head, byMost(counts));
}

// allFiles returns a file for each panel, with all filters applied.
async function allFiles(source, view, earlier) {
  const { name } = source;
  const { dimensions, asked, range, comparing, visitors, people } = view;
  const [answer, { days }] = await Promise.all([
    ask(source, bounds(range), {
      ...asked,
      visitors,
      by: dimensions.map((dimension) => dimension.name).join(),
    }),
    askWeek(source, view),
  ]);
  const data = { ...answer, ofPeople: people },
    measures = measuresOf(view, data);
  return [
    clicksCSV(name, data, measures, earlier, comparing),
    weekCSV(name, days, measures),
    ...dimensions.map((dimension) =>
      panelCSV(name, dimension, panelOf(data, dimension.name, 0), measures),
    ),
    ...(data.top_links ? [linksCSV(name, data.top_links, measures)] : []),
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

export function ExportMenu({ anchor, source, view, data, measures, earlier, onClose }) {
  const run = (act) => async () => {
    try {
      await act();
    } catch (error) {
      tell(`Couldn't export: ${error.message}`);
    }
  };
  const item = (label, act) => ({ icon: "download", label, onChoose: run(act) });
  return html`<${Menu} anchor=${anchor} label="Export" onClose=${onClose} items=${[
    item("The chart (CSV)", () =>
      download(...clicksCSV(source.name, data, measures, earlier?.series, view.comparing)),
    ),
    item("Everything shown (ZIP of CSV files)", () => exportAll(source, view, earlier?.series)),
  ]} />`;
}
