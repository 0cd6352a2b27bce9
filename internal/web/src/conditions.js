// The conditions of a rule: their kinds, how text becomes their values, and their errors.
import { countryCodes, countryName, languageName } from "./format.js";
import { isTime, notATime } from "./range.js";
import { isEmpty } from "./rule.js";

// The conditions in the order of the form: name, label.
export const kinds = [
  ["device", "Device"],
  ["browser", "Browser"],
  ["language", "Language"],
  ["country", "Country"],
  ["query", "Query"],
  ["after", "From"],
  ["before", "Until"],
  ["address", "IP address"],
  ["share", "Share"],
];

// fresh are new, empty conditions.
export const fresh = {
  device: [],
  browser: [],
  language: [],
  country: [],
  query: {},
  address: [],
  after: "",
  before: "",
  share: 50,
};

// valueOf returns a rule's condition of a kind, undefined if there is none.
export const valueOf = ({ when, share }, kind) => (kind === "share" ? share : when?.[kind]);

const missing = {
  device: "Choose at least one device",
  browser: "Choose at least one browser",
  language: "Choose at least one language",
  country: "Choose at least one country",
  query: "Enter at least one parameter",
  address: "Enter at least one IP address",
  after: "Choose a day and a time",
  before: "Choose a day and a time",
};

// conditionProblem returns what is wrong with a condition, "" if nothing is. The API refuses a
// condition without a value: leaving it out would make the rule hold for everybody.
export function conditionProblem(rule, kind) {
  const value = valueOf(rule, kind),
    text = rule.text?.[kind] ?? "";
  if (value === undefined) return "";
  if (kind === "share") {
    return Number.isInteger(value) && value >= 1 && value <= 99
      ? ""
      : "A share is a whole number from 1 to 99.";
  }
  if (text.trim()) return parsers[kind](text.trim()).problem ?? `Press Enter to add "${text}".`;
  if (isEmpty(value)) return `${missing[kind]}, or remove this condition.`;
  if ((kind === "after" || kind === "before") && !isTime(value)) return notATime();
  return "";
}

export const commonLanguages = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "pt-BR",
  "nl",
  "pl",
  "sv",
  "da",
  "nb",
  "fi",
  "cs",
  "hu",
  "ro",
  "el",
  "tr",
  "uk",
  "ru",
  "ar",
  "he",
  "hi",
  "id",
  "vi",
  "th",
  "ja",
  "ko",
  "zh",
  "zh-TW",
];

// fits reports whether a text is one of several names, ignoring case.
const fits = (text, ...names) => names.some((name) => name.toLowerCase() === text.toLowerCase());

// parsers have, for each kind that is typed, the function that turns a text into {value} or
// {problem}.
export const parsers = {
  language(text) {
    const named = commonLanguages.find((tag) => fits(text, tag, languageName(tag)));
    if (named) return { value: named };
    return /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i.test(text) && text.length <= 35
      ? { value: text }
      : { problem: "Enter a language or its tag, such as de or pt-BR." };
  },
  country(text) {
    const code = countryCodes().find((known) => fits(text, known, countryName(known)));
    return code ? { value: code } : { problem: "Enter a country or its code, such as DE." };
  },
  query(text) {
    const [name, ...rest] = text.split("=");
    if (!name.trim()) return { problem: "Enter a parameter, such as ref=print, or ref for any." };
    return { value: [name.trim(), rest.length ? rest.join("=") : null] };
  },
  address: (text) =>
    isBlock(text)
      ? { value: text }
      : { problem: "Enter an address or a block, such as 192.0.2.0/24." },
};

// isBlock reports whether a text is an IP address or a CIDR block.
function isBlock(text) {
  const [, address, length] = text.match(/^([\da-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i) ?? [];
  if (!address) return false;
  if (!address.includes(":")) {
    const parts = address.split(".");
    return (
      parts.length === 4 &&
      (length ?? 32) <= 32 &&
      parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && part < 256)
    );
  }
  return URL.canParse(`http://[${address}]`) && (length ?? 128) <= 128;
}
