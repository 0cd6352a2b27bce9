// The numbers that a page can show. Each has one name, wherever it stands.
import { count } from "./format.js";

// A measure is one number of a point of time, and of an answer: of(point) and total(answer). name
// is what the API and the page's address call it, head is above its numbers, unit is behind one.
function measure(name, head, one, many, total) {
  const unit = (n) => (n === 1 ? one : many);
  return {
    name,
    head,
    many,
    unit,
    say: (n) => `${count(n)} ${unit(n)}`,
    of: (point) => point[name] ?? 0,
    total,
  };
}

const visitors = measure(
  "visitors",
  "Visitors",
  "visitor",
  "visitors",
  ({ visitors: n }) => n ?? 0,
);
const ofClicks = (head, one, many) =>
  measure("clicks", head, one, many, ({ total_clicks: n }) => n);
const clicks = ofClicks("Clicks", "click", "clicks");
const withBots = ofClicks("Clicks with bots", "click with bots", "clicks with bots");

// measures returns the measures of an answer, the one of clicks, and the one that the view shows.
// Visitors are unknown for clicks from before they were counted, and where tracking is off. While
// another answer is on its way, the old one keeps its names.
export function measures({ measure: wanted, people }, data) {
  const own = (data?.ofPeople ?? people) ? clicks : withBots,
    there = [...(data?.visitors > 0 ? [visitors] : []), own];
  return { there, clicks: own, shown: there.find(({ name }) => name === wanted) ?? there[0] };
}

// inWords returns an answer's numbers in words: "12 visitors, 30 clicks".
export const inWords = (view, data) =>
  measures(view, data)
    .there.map(({ total, say }) => say(total(data)))
    .join(", ");

// A panel has the counts of a dimension's values by the name of each measure that was asked for.
// panelOf returns that of an answer. rest is the number of those whose values did not fit, 0 if all
// did; how many values these are is unknown.
export function panelOf(answer, name, limit) {
  const of = (counts, total) => {
    const { other = 0, ...named } = counts;
    const isCut = limit > 0 && Object.keys(named).length >= limit;
    return {
      total,
      rest: isCut ? other : 0,
      counts: isCut || !Object.hasOwn(counts, "other") ? named : counts,
    };
  };
  const byVisitors = answer[`visitors_by_${name}`];
  return {
    clicks: of(answer[`by_${name}`] ?? {}, answer.total_clicks),
    ...(byVisitors && { visitors: of(byVisitors, answer.visitors) }),
  };
}

// valuesOf returns a panel's values by the measure that is shown: {measure, counts, total, rest}.
// An answer from before visitors were asked for has clicks.
export const valuesOf = (panel, { shown, clicks: other }) => ({
  measure: panel[shown.name] ? shown : other,
  ...(panel[shown.name] ?? panel.clicks),
});

// byMost returns the values and their counts, the highest first.
export const byMost = (counts) =>
  Object.entries(counts).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
