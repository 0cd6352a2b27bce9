// What the server asks about a table, whose answers are parameters of the request.

const yes = "guess=true";

// questionOf returns {text, answers} of a message that asks about a table, null of another one.
// names are those of the table's columns. An answer is {column, field, says}, or
// {guess: true, says} for "as it is"; field is "" for a column that is not to be read.
export function questionOf(message, names) {
  const start = message.search(/: map=/);
  if (start < 0) return null;
  const text = message.slice(0, start),
    rest = message.slice(start);
  const found = names.flatMap((column) => placesOf(rest, column));
  const at = rest.lastIndexOf(` ${yes} `);
  if (at >= 0) found.push({ at: at + 1, end: at + 1 + yes.length, guess: true });
  found.sort((a, b) => a.at - b.at || b.end - a.end);
  const answers = [];
  for (const [i, { at: from, end, ...answer }] of found.entries()) {
    if (found[i - 1]?.end > from) continue; // within a longer name
    const next = found.slice(i + 1).find((other) => other.at >= end);
    const says = rest.slice(end, next?.at).replace(/,?( or)?,?\s*$/, "");
    answers.push({ ...answer, says: says.trim() });
  }
  return { text, answers };
}

// placesOf returns where a text says map=COLUMN=FIELD.
function placesOf(text, column) {
  const found = [],
    start = ` map=${column}=`;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    const [field] = text.slice(at + start.length).match(/^[a-z_]*/);
    found.push({ at: at + 1, end: at + start.length + field.length, column, field });
  }
  return found;
}

const dated =
  /^(\d{1,2})\/(\d{1,2})\/\d{4}(?:(,?\s+)(\d{1,2}:\d{2}(?::\d{2})?)(\s?)([AaPp][Mm])?)?$/;

// datesOf returns the patterns of a date that may be two, day first and month first, by an example
// such as 01/02/2026 09:30; null of another text.
export function datesOf(example) {
  const [, first, second, space, time, gap, half] = example.trim().match(dated) ?? [];
  if (!first || first > 12 || second > 12 || Number(first) === Number(second)) return null;
  const clock = time
    ? `${space}${half ? "%I" : "%H"}:%M${time.split(":").length > 2 ? ":%S" : ""}` +
      (half ? `${gap}%p` : "")
    : "";
  return [`%d/%m/%Y${clock}`, `%m/%d/%Y${clock}`];
}

// doubtfulDate returns the first cell that may be two dates, "" if there is none.
export const doubtfulDate = (rows) =>
  rows.flatMap(({ cells = [] }) => cells).find((cell) => datesOf(cell)) ?? "";
