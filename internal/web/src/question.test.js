import assert from "node:assert/strict";
import test from "node:test";
import { datesOf, doubtfulDate, questionOf } from "./question.js";

test("a question about a table and its answers", () => {
  const message =
    'no column is known to have short codes, but "Kürzel, alt" or "Nr" could: ' +
    "map=Kürzel, alt=short_code if it has them, map=Kürzel, alt= if it has none, " +
    "or guess=true if each new link is to get a code of its own";
  assert.deepEqual(questionOf(message, ["Ziel", "Kürzel, alt", "Nr", "Kürzel"]), {
    text: 'no column is known to have short codes, but "Kürzel, alt" or "Nr" could',
    answers: [
      { column: "Kürzel, alt", field: "short_code", says: "if it has them" },
      { column: "Kürzel, alt", field: "", says: "if it has none" },
      { guess: true, says: "if each new link is to get a code of its own" },
    ],
  });
});

test("a question without a column's name has only the answer that the table is meant so", () => {
  assert.deepEqual(
    questionOf(
      "3 of the first 4 rows would fail or be skipped (original_url 3): map=COLUMN=FIELD to say " +
        "what a column is, map=COLUMN= not to read one, or guess=true if the others are to be " +
        "imported",
      ["Ziel"],
    ),
    {
      text: "3 of the first 4 rows would fail or be skipped (original_url 3)",
      answers: [{ guess: true, says: "if the others are to be imported" }],
    },
  );
});

test("a question that has to be answered", () => {
  const { answers } = questionOf(
    'no column is known to have the URLs where links lead, but "Wohin" could: ' +
      "map=Wohin=original_url names the column",
    ["Wohin", "Woher"],
  );
  assert.deepEqual(answers, [{ column: "Wohin", field: "original_url", says: "names the column" }]);
});

test("a refusal is no question", () => {
  assert.equal(questionOf("the table has no rows", ["a"]), null);
});

test("dates that may be two", () => {
  assert.deepEqual(datesOf("01/02/2026"), ["%d/%m/%Y", "%m/%d/%Y"]);
  assert.deepEqual(datesOf("1/2/2026 9:30 PM"), ["%d/%m/%Y %I:%M %p", "%m/%d/%Y %I:%M %p"]);
  assert.deepEqual(datesOf("01/02/2026, 09:30:15"), ["%d/%m/%Y, %H:%M:%S", "%m/%d/%Y, %H:%M:%S"]);
  for (const one of ["31/01/2026", "01/31/2026", "02/02/2026", "2026-01-02", "", "1/2"])
    assert.equal(datesOf(one), null, one);
  assert.equal(
    doubtfulDate([{ cells: ["a", "31/01/2026"] }, { link: {} }, { cells: ["b", "01/02/2026"] }]),
    "01/02/2026",
  );
});
