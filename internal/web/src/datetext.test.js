import assert from "node:assert/strict";
import test from "node:test";
import { readClock, reader } from "./datetext.js";

test("a time is read in words, by numbers and as ISO has it", () => {
  for (const [locale, texts] of [
    [
      "en-GB",
      [
        "3 May 2026, 18:00",
        "3 may 2026 18:00",
        "03/05/2026, 18:00",
        "3.5.2026 18.00",
        "3-5-2026 6pm",
        "May 3, 2026, 6:00 PM",
        "3 May 2026 at 6 p.m.",
        "2026-05-03T18:00",
        "2026-05-03 18:00",
        "2026/5/3 18:00",
        " 3 May 2026,  18:00 ",
      ],
    ],
    ["en-US", ["5/3/2026, 6:00 PM", "May 3, 2026, 6:00\u202fPM", "3 May 2026 18:00"]],
    ["de", ["3.5.2026 18:00", "3. Mai 2026, 18:00", "03.05.2026, 18:00", "3 May 2026, 18:00"]],
    ["fr", ["03/05/2026 18:00", "3 mai 2026 18:00"]],
    ["pl", ["3 maja 2026, 18:00", "3 maj 2026, 18:00", "3.05.2026, 18:00"]],
    ["uk", ["3 травня 2026 18:00"]],
    ["fi", ["3. toukokuuta 2026 18.00", "3.5.2026 18.00"]],
    ["sv", ["2026-05-03 18:00", "3 maj 2026 18:00", "3/5/2026 18:00"]],
  ])
    for (const text of texts)
      assert.equal(reader(locale).time(text), "2026-05-03T18:00", `${locale}: ${text}`);
});

test("what could mean two things, or is not whole, means nothing", () => {
  const { time, day } = reader("en-GB");
  for (const text of [
    "",
    "3",
    "3 May",
    "3 May 2026",
    "3 May 18:00",
    "3 May 26, 18:00",
    "3 May 12026, 18:00",
    "12026-05-03T18:00",
    "3/5/26 18:00",
    "30 February 2026, 18:00",
    "31/11/2026 18:00",
    "3 Ma 2026 18:00", // March, May
    "3 Ju 2026 18:00",
    "3 May 2026, 24:00",
    "3 May 2026, 18:60",
    "3 May 2026, 13 pm",
    "3 May 2026, 18",
    "3 May 4 2026, 18:00",
    "3 May June 2026, 18:00",
    "3 May 2026, 18:00 or so",
    "18:00",
    "tomorrow",
    "<3 May 2026, 18:00>",
  ])
    assert.equal(time(text), "", text);
  for (const text of ["", "3 May", "2026-02-30", "3 May 2026, 18:00", "5 2026", "May 2026"])
    assert.equal(day(text), "", text);
});

test("a day is read", () => {
  for (const [locale, text] of [
    ["en-GB", "3 May 2026"],
    ["en-GB", "03/05/2026"],
    ["en-US", "05/03/2026"],
    ["en-US", "May 3, 2026"],
    ["en-CA", "2026-05-03"],
    ["de", "3. Mai 2026"],
  ])
    assert.equal(reader(locale).day(text), "2026-05-03", text);
});

test("a time of day is read", () => {
  for (const [text, want] of [
    ["18:00", "18:00"],
    ["6pm", "18:00"],
    ["6:05 am", "06:05"],
    ["12:30 AM", "00:30"],
    ["12 pm", "12:00"],
    ["0:00", "00:00"],
    ["9.15", "09:15"],
    ["18", ""],
    ["24:00", ""],
    ["18:0", ""],
    ["pm", ""],
  ])
    assert.equal(readClock(text), want, text);
});

test("what the page writes is read again, in each variety of English and any month", () => {
  for (const locale of ["en-GB", "en-US", "en-AU", "en-CA", "en-IN", "en-IE", "en-NZ", "en-ZA"]) {
    const { time, day } = reader(locale),
      words = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
      date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
    for (let month = 0; month < 12; month++)
      for (const hour of [0, 9, 12, 23]) {
        const at = new Date(2026, month, 28, hour, 5);
        const want = `2026-${String(month + 1).padStart(2, "0")}-28`;
        assert.equal(
          time(words.format(at)),
          `${want}T${String(hour).padStart(2, "0")}:05`,
          `${locale}: ${words.format(at)}`,
        );
        assert.equal(day(date.format(at)), want, `${locale}: ${date.format(at)}`);
      }
  }
});
