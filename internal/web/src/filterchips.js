// The filters of a view, as chips above the chart.
import { inWords } from "./filters.js";
import { html } from "./html.js";
import { Icon } from "./ui.js";

const Chip = ({ what, text, onRemove }) => html`<button type="button" class="chip"
  onClick=${onRemove}><span class="unseen">Remove filter: </span><span class="chip-text">
    <span class="chip-what">${what}</span> <bdi>${text}</bdi></span>
    <${Icon} name="close" /></button>`;

// Chips show the filters, and can remove each.
export function Chips({ view }) {
  const shown = inWords(view);
  if (!shown.length) return null;
  return html`<div class="chips" role="group" aria-label="Filters">${shown.map(
    ({ key, what, text, remove }) =>
      html`<${Chip} key=${key} what=${what} text=${text} onRemove=${remove} />`,
  )}
    ${
      shown.length > 1 &&
      html`<button type="button" class="text-button"
      onClick=${view.clearFilters}>Remove all filters</button>`
    }</div>`;
}
