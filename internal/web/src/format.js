// Numbers in the reader's format; words, such as months and countries, in the page's language.

// once makes a formatter when it is first needed: each takes milliseconds, too long for the first
// paint.
export function once(make) {
  let made;
  return () => (made ??= make());
}

// The reader's variety of English. Readers of other languages get the day first, and the hours of
// their own clock.
const locale = once(() => {
  const { locale: own, hourCycle } = new Intl.DateTimeFormat(undefined, {
    hour: "numeric",
  }).resolvedOptions();
  return /^en\b/.test(own) ? own : `en-GB-u-hc-${hourCycle}`;
});

export const dateFormat = (options) => once(() => new Intl.DateTimeFormat(locale(), options));

const number = once(() => new Intl.NumberFormat());
const short = once(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 }));
const percent = once(
  () => new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 }),
);
const exact = dateFormat({ dateStyle: "medium", timeStyle: "short" });
const relative = {
  short: once(() => relativeFormat("short")),
  long: once(() => relativeFormat("long")),
};
// Always a number: "last month" would be a month of the calendar.
const relativeFormat = (style) => new Intl.RelativeTimeFormat(locale(), { style });
const regions = once(() => new Intl.DisplayNames(locale(), { type: "region", fallback: "code" }));

const tongues = once(() => new Intl.DisplayNames(locale(), { type: "language", fallback: "code" }));

export const count = (n) => number().format(n);
export const plural = (n, one, many) => `${number().format(n)} ${n === 1 ? one : many}`;
export const share = (part, whole) => percent().format(whole ? part / whole : 0);
export const dateTime = (time) => exact().format(time);

const dayOfYear = dateFormat({ month: "short", day: "numeric" });
const dayOfAnyYear = dateFormat({ month: "short", day: "numeric", year: "numeric" });

// day returns a date, with its year if that is another one.
export const day = (time) =>
  (time.getFullYear() === new Date().getFullYear() ? dayOfYear() : dayOfAnyYear()).format(time);

const inUTC = dateFormat({ dateStyle: "medium", timeZone: "UTC" });

// utcDay returns a day of UTC, as YYYY-MM-DD or its first instant, in words.
export const utcDay = (text) => inUTC().format(Date.parse(text));

// compact is count for an axis. Intl's own short form contains words: "1,2 Mio.".
export function compact(n) {
  const [power, letter] = [
    [1e9, "B"],
    [1e6, "M"],
    [1e3, "K"],
    [1, ""],
  ].find(([p]) => n >= p || p === 1);
  return short().format(n / power) + letter;
}

// The zone in requests and on the page. A browser that does not know its zone uses UTC.
export const timeZone = once(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && zone !== "Etc/Unknown" ? zone : "UTC";
});

const units = [
  ["year", 365 * 86400],
  ["month", 30 * 86400],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

export function ago(time, style = "short") {
  const seconds = Math.max(0, (Date.now() - time) / 1000);
  for (const [unit, length] of units) {
    if (seconds >= length) return relative[style]().format(-Math.floor(seconds / length), unit);
  }
  return "just now";
}

// ahead says how far off a time is that comes.
export function ahead(time) {
  const seconds = (time - Date.now()) / 1000;
  for (const [unit, length] of units) {
    if (seconds >= length) return relative.short().format(Math.round(seconds / length), unit);
  }
  return seconds > 0 ? `in ${Math.ceil(seconds)} s` : "now";
}

export function countryName(code) {
  if (code === "XX") return "Unknown";
  try {
    return regions().of(code) ?? code;
  } catch {
    return code;
  }
}

// languageName returns the name of a language tag; a malformed one stands for itself.
export function languageName(tag) {
  try {
    return tongues().of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const notCountries = new Set([
  "EU",
  "EZ",
  "UN",
  "QO",
  "ZZ",
  "XX",
  "XA",
  "XB",
  "AC",
  "CP",
  "CQ",
  "DG",
  "EA",
  "IC",
  "TA",
]); // reserved, but not assigned to a country

// countryCodes returns the codes that the browser has names for, except those of former countries
// such as DD.
export const countryCodes = once(() =>
  letters
    .flatMap((a) => letters.map((b) => a + b))
    .filter(
      (code) =>
        !notCountries.has(code) &&
        countryName(code) !== code &&
        new Intl.Locale(`und-${code}`).region === code,
    ),
);

// flag returns the two letters' regional indicator symbols; systems without flags show letters.
export function flag(code) {
  if (!/^[A-Z]{2}$/.test(code) || code === "XX") return "";
  return String.fromCodePoint(...[...code].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));
}

// lookUp returns a table's value for a key, or undefined. Visitors choose the keys, and every
// object inherits something called "constructor".
export const lookUp = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);

// webURL returns a URL that may become a link, null for anything but http and https.
export function webURL(text) {
  try {
    const url = new URL(text);
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}

// Characters that are invisible or change the order of others: controls, bidi controls, invisible
// spaces and letters. Joiners and variation selectors stay, because scripts and emoji need them,
// and so do the tags in flags such as Scotland's.
const unseen = new RegExp(
  "(?![\\u200c\\u200d\\p{Variation_Selector}])" +
    "[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]" +
    "(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007f}]{1,6})",
  "gu",
);

// visible returns text from elsewhere with such characters spelled out, so that they deceive
// nobody. Everything that shows such text calls it.
export const visible = (text) =>
  text.replace(
    unseen,
    (c) => `[U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );

// visibleLines is visible for a text whose line breaks and tabs are intended.
export const visibleLines = (text) =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => visible(line.replaceAll("\t", "  ")))
    .join("\n");

const maxShownChars = 300; // characters shown of a URL

// urlParts returns a URL's host and rest for display, without parts that say nothing; [text, ""] if
// it is not a URL.
export function urlParts(text) {
  const url = webURL(text);
  if (!url) return [visible(cut(text)), ""];
  // As submitted, not as the parser writes it: people look for what they pasted.
  const shown = text.replace(/^https?:\/\/(?:[^/?#@]*@)?/i, "");
  const end = shown.search(/[/?#]/);
  const [host, rest] = end < 0 ? [shown, ""] : [shown.slice(0, end), decoded(shown.slice(end))];
  return [visible(cut(host.replace(/^www\./i, ""))), rest === "/" ? "" : visible(cut(rest))];
}

// decoded returns a path, and what follows it, with the letters, marks and digits that it has in
// percent-encoding, as the preview of a link shows them. What separates parts, or does not show,
// stays as it is.
function decoded(rest) {
  const [path] = rest.split(/[?#]/, 1);
  return path.replace(escaped, readable) + rest.slice(path.length);
}

const escaped = /%[c-f][\da-f](?:%[89ab][\da-f]){1,3}/gi; // a character beyond ASCII

function readable(escapes) {
  try {
    const c = decodeURIComponent(escapes);
    return /^[\p{L}\p{M}\p{N}]$/u.test(c) && visible(c) === c ? c : escapes;
  } catch {
    return escapes;
  }
}

// cut keeps the start of a text, without half a character at its end.
const cut = (text) =>
  text.length <= maxShownChars
    ? text
    : `${text.slice(0, maxShownChars).replace(/[\ud800-\udbff]$/, "")}…`;

// The prefix of short links. A server without BASE_URL assumes localhost, which is wrong for
// everyone who reached it by another address; theirs works at least for them.
const { content = "", dataset: { assumed, path = "", oidc = "", oidcAuto, several } = {} } =
  globalThis.document?.querySelector('meta[name="terse-base-url"]') ?? {};
const { origin = "" } = globalThis.location ?? {}; // Node has no page
export const isGuessed = assumed !== undefined && content !== origin;
export const baseURL = isGuessed ? origin : content || origin;
export const shortHost = baseURL.replace(/^https?:\/\//, "");
// Whether there are more hosts at which links are served. domainOf returns the domain that a
// parameter names: the API calls the default one by no name.
export const isSeveral = several !== undefined;
const host = /^(?:\[.*?\]|[^:/]*)/;
export const [defaultHost] = shortHost.match(host);
export const domainOf = (name) => (name && name !== defaultHost ? name : "");
// hostOf returns what stands before the addresses of a domain. All have the same port.
export const hostOf = (domain) => (domain ? shortHost.replace(host, domain) : shortHost);
export const shortURL = (address, domain) =>
  `${baseURL.slice(0, -shortHost.length)}${hostOf(domain)}/${encodeURI(address)}`;

// A link goes by its key: its code, behind its domain unless that is the default one, as in
// "go.example/launch". No code has a slash. What has short_code and domain has a key.
export const keyOf = ({ domain, short_code: code }) => (domain ? `${domain}/${code}` : code);
export function partsOf(key) {
  const slash = key.indexOf("/");
  return { domain: key.slice(0, Math.max(slash, 0)), code: key.slice(slash + 1) };
}
// shortOf returns the short URL of a link by its key, as people read it; urlOfKey as it is copied.
export function shortOf(key) {
  const { domain, code } = partsOf(key);
  return `${hostOf(domain)}/${code}`;
}
export function urlOfKey(key) {
  const { domain, code } = partsOf(key);
  return shortURL(code, domain);
}
// The OpenID provider that people sign in with; its name is "" if there is none. isAutomatic means
// that the page leads there by itself.
export const provider = { name: oidc, isAutomatic: oidc !== "" && oidcAuto !== undefined };
// The path of BASE_URL, below which everything is served: "/go", usually "".
export const basePath = path;
// urlOf returns the address of one of the server's paths, such as "/ui/".
export const urlOf = (path) => basePath + path;
