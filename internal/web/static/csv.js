// What a page of clicks shows, for spreadsheets: one line a number.

// A cell that a spreadsheet would take for a formula gets an apostrophe, as they themselves show it.
function cell(value) {
  let text = String(value);
  if (/^[=+\-@\t\r]/.test(text)) text = "'" + text;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function statsCSV(name, data, earlier) {
  const lines = [["what", "key", "clicks"]];
  const time = (t) => new Date(t).toISOString();
  for (const p of data.series) lines.push([data.interval, time(p.time), p.clicks]);
  for (const p of earlier?.series ?? []) lines.push([`${data.interval} before`, time(p.time), p.clicks]);
  for (const [what, counts] of [["country", data.by_country], ["referrer", data.by_referrer]]) {
    for (const [key, clicks] of Object.entries(counts).sort(([, a], [, b]) => b - a)) lines.push([what, key, clicks]);
  }
  for (const link of data.top_links ?? []) lines.push(["link", link.short_code, link.clicks]);
  lines.push(["total", "", data.total_clicks]);
  return { file: `terse-${name}-${new Date().toISOString().slice(0, 10)}.csv`, columns: lines.map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n" };
}
