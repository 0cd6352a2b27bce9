import assert from "node:assert/strict";
import test from "node:test";
import { chosen, inWords, isFiltered, readFilters, toggled, without } from "./filters.js";

const dimensions = [
  {
    name: "country",
    one: "Country",
    text: (code) => code,
    valid: (code) => /^[A-Z]{2}$/.test(code),
  },
  { name: "browser", one: "Browser", text: (name) => name },
];
const read = (query) => readFilters(new URLSearchParams(query), dimensions);

test("an address has the filters of known dimensions, each value once", () => {
  assert.deepEqual(read("country=DE&country=US&country=DE&not_browser=Chrome&os=Linux&range=7d"), {
    country: ["DE", "US"],
    not_browser: ["Chrome"],
  });
  assert.deepEqual(read("country=nowhere&country=&browser="), {});
  assert.deepEqual(read("constructor=x&__proto__=y"), {});
});

test("as many values as the API accepts", () => {
  const many = Array.from({ length: 150 }, (_, i) => `browser=b${i}`).join("&");
  const filters = read(`country=DE&${many}&not_browser=x`);
  assert.equal(filters.browser.length, 99);
  assert.equal(filters.not_browser, undefined);
});

test("a value is chosen, left out, and neither", () => {
  let filters = toggled({}, "country", "DE");
  assert.deepEqual(filters, { country: ["DE"] });
  filters = toggled(filters, "country", "US");
  assert.deepEqual(chosen(filters, "country"), { only: ["DE", "US"], not: [] });
  filters = toggled(filters, "country", "DE", true);
  assert.deepEqual(filters, { country: ["US"], not_country: ["DE"] });
  filters = toggled(filters, "country", "DE", true);
  assert.deepEqual(toggled(filters, "country", "US"), {});
  assert.equal(isFiltered(filters), true);
  assert.equal(isFiltered({}), false);
});

test("a panel is asked without its own filter", () => {
  const filters = { country: ["DE"], not_country: ["US"], browser: ["Chrome"] };
  assert.deepEqual(without(filters, "country"), { browser: ["Chrome"] });
});

test("filters in words, and how to remove each", () => {
  const removed = [];
  const all = inWords({
    filters: { country: ["DE"], not_browser: ["\u202echrome"] },
    dimensions,
    tags: ["spring"],
    toggle: (...of) => removed.push(of),
    setTags: (tags) => removed.push(tags),
  });
  assert.deepEqual(
    all.map(({ what, text }) => `${what} ${text}`),
    ["Tag: spring", "Country: DE", "Browser is not \u202echrome"],
  );
  all.forEach(({ remove }) => remove());
  assert.deepEqual(removed, [[], ["country", "DE", false], ["browser", "\u202echrome", true]]);
});
