// Rules: in words, and where they lead a visitor. This decides like the server.
import { countryName, dateTime, languageName, lookUp } from "./format.js";

export const devices = {
  ios: "iPhone or iPad",
  android: "Android",
  windows: "Windows",
  macos: "Mac",
  linux: "Linux",
  chromeos: "Chromebook",
  mobile: "Phone",
  tablet: "Tablet",
  desktop: "Computer",
};
export const browsers = {
  chrome: "Chrome",
  safari: "Safari",
  firefox: "Firefox",
  edge: "Edge",
  opera: "Opera",
  samsung: "Samsung Internet",
  duckduckgo: "DuckDuckGo",
  vivaldi: "Vivaldi",
  yandex: "Yandex",
  ie: "Internet Explorer",
};

// isEmpty reports whether a condition has no value yet. Then it holds for nobody: a reader who is
// still choosing countries does not mean all of them.
export const isEmpty = (value) => Object.keys(value).length === 0;

const or = (words) =>
  words.length < 2 ? (words[0] ?? "…") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
const names = (table, values) => or(values.map((value) => lookUp(table, value) ?? value));

const at = (time) => (Number.isNaN(Date.parse(time)) ? "…" : dateTime(new Date(time)));

export const queryText = ([name, value]) =>
  value === null ? `${name} (any value)` : `${name}=${value}`;

export const queryTexts = (query) => Object.entries(query).map(queryText).join(" and ");

// describe returns a rule's conditions in words: "iPhone or iPad in Germany", "Half of the rest".
export function describe({ when = {}, share }, index = 0) {
  const parts = [
    when.device && names(devices, when.device),
    when.browser && `with ${names(browsers, when.browser)}`,
    when.language && `reading ${or(when.language.map(languageName))}`,
    when.country && `in ${or(when.country.map(countryName))}`,
    when.query && `with ${queryTexts(when.query) || "…"} in the link`,
    when.address && `from ${or(when.address)}`,
    when.after !== undefined && `from ${at(when.after)} on`,
    when.before !== undefined && `until ${at(when.before)}`,
  ].filter(Boolean);
  const some = parts.length > 0;
  if (some && !when.device) parts.unshift(share ? "visitors" : "Visitors");
  const who = some ? parts.join(" ") : index > 0 ? "the rest" : "all visitors";
  if (share) return `${share === 50 ? "Half" : `${share} %`} of ${who}`;
  return some ? who : index > 0 ? "The rest" : "All visitors";
}

// outcomes returns where a visitor is led: [{url, rule, share}], several if rules hold for a part
// of the visitors. A visitor is {device: […], browser, language, country, query, address}.
export function outcomes(rules, visitor, destination, now = Date.now()) {
  const named = rules.flatMap((rule) => rule.when?.language ?? []);
  const found = [];
  let left = 1;
  for (const rule of rules) {
    if (!holds(rule.when ?? {}, visitor, named, now)) continue;
    const part = rule.share ? rule.share / 100 : 1;
    found.push({ url: rule.url, rule, share: left * part });
    left *= 1 - part;
    if (!rule.share) return found;
  }
  return [...found, { url: destination, rule: null, share: left }];
}

function holds(when, visitor, named, now) {
  return (
    !Object.values(when).some(isEmpty) &&
    (!when.device || when.device.some((device) => visitor.device.includes(device))) &&
    (!when.browser || when.browser.includes(visitor.browser)) &&
    (!when.language || readsOneOf(when.language, visitor.language, named)) &&
    (!when.country || when.country.includes(visitor.country)) &&
    (!when.query ||
      Object.entries(when.query).every(
        ([name, value]) =>
          Object.hasOwn(visitor.query ?? {}, name) &&
          (value === null || visitor.query[name] === value),
      )) &&
    (!when.address || when.address.includes(visitor.address)) &&
    (!when.after || now >= Date.parse(when.after)) &&
    (!when.before || now < Date.parse(when.before))
  );
}

// readsOneOf looks up the visitor's language among all that the rules name (RFC 4647, 3.4), and
// reports whether the result is one of a rule's.
function readsOneOf(languages, range, named) {
  const same = (tag) => (other) => other.toLowerCase() === tag.toLowerCase();
  const subtags = (range ?? "").split("-");
  while (subtags.length && subtags[0]) {
    const tag = subtags.join("-");
    if (named.some(same(tag))) return languages.some(same(tag));
    subtags.pop();
    if (subtags.at(-1)?.length === 1) subtags.pop();
  }
  return false;
}
