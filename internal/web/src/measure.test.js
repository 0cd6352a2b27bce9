import assert from "node:assert/strict";
import test from "node:test";
import { byMost, inWords, measures, panelOf, valuesOf } from "./measure.js";

const view = { measure: "", people: true };
const heads = ({ there }) => there.map(({ head }) => head);

test("visitors come first where they are known, and clicks are named for who is counted", () => {
  const data = { visitors: 2, total_clicks: 3, ofPeople: true };
  assert.deepEqual(heads(measures(view, data)), ["Visitors", "Clicks"]);
  assert.equal(measures(view, data).shown.head, "Visitors");
  assert.equal(measures({ ...view, measure: "clicks" }, data).shown.head, "Clicks");
  assert.equal(measures({ ...view, measure: "constructor" }, data).shown.head, "Visitors");
  assert.deepEqual(heads(measures(view, { ...data, visitors: 0 })), ["Clicks"]);
  const all = { ...data, total_clicks: 9, ofPeople: false };
  assert.deepEqual(heads(measures({ ...view, people: false }, all)), [
    "Visitors",
    "Clicks with bots",
  ]);
  assert.equal(inWords(view, data), "2 visitors, 3 clicks");
  assert.equal(inWords(view, all), "2 visitors, 9 clicks with bots");
  assert.equal(
    inWords(view, { visitors: 1, total_clicks: 1, ofPeople: false }),
    "1 visitor, 1 click with bots",
  );
});

test("an answer keeps its names while another one is on its way", () => {
  const data = { visitors: 2, total_clicks: 3, ofPeople: true };
  assert.equal(measures({ ...view, people: false }, data).clicks.head, "Clicks");
});

test("a panel has the values of the measure that is shown", () => {
  const answer = {
    total_clicks: 15,
    visitors: 6,
    by_os: { Linux: 9, iOS: 4, other: 2 },
    visitors_by_os: { Linux: 1, iOS: 5, other: 0 },
  };
  const both = measures(view, { ...answer, ofPeople: true });
  const panel = panelOf(answer, "os", 250);
  const { measure, counts, total, rest } = valuesOf(panel, both);
  assert.equal(measure.head, "Visitors");
  assert.deepEqual([total, rest], [6, 0]);
  assert.deepEqual(byMost(counts), [
    ["iOS", 5],
    ["Linux", 1],
    ["other", 0],
  ]);
  const { visitors_by_os: _, ...before } = answer; // asked for while clicks were shown
  const other = valuesOf(panelOf(before, "os", 250), both);
  assert.equal(other.measure.head, "Clicks");
  assert.deepEqual([other.total, other.counts.Linux], [15, 9]);
});

test("what does not fit is the rest, of each measure its own", () => {
  const answer = {
    total_clicks: 15,
    visitors: 6,
    by_os: { Linux: 9, iOS: 4, other: 2 },
    visitors_by_os: { Linux: 1, iOS: 4, other: 1 },
  };
  const { clicks, visitors } = panelOf(answer, "os", 2);
  assert.deepEqual(clicks, { total: 15, rest: 2, counts: { Linux: 9, iOS: 4 } });
  assert.deepEqual(visitors, { total: 6, rest: 1, counts: { Linux: 1, iOS: 4 } });
  assert.deepEqual(panelOf({ total_clicks: 0 }, "os", 2).clicks.counts, {});
});
