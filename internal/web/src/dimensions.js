// The dimensions of clicks, and the panels whose tabs they are. A new dimension is a row here.
import { countryName, flag, languageName, lookUp, urlParts, visible, webURL } from "./format.js";
import { html } from "./html.js";

// Labels of clicks whose value is unknown or beyond a bound.
const words = { direct: "Direct", other: "Other", unknown: "Unknown", none: "None" };
const kinds = {
  desktop: "Desktop",
  mobile: "Phone",
  tablet: "Tablet",
  tv: "TV",
  console: "Game console",
};
const word = (value) => lookUp(words, value) ?? value;
const plain = (text) => (value) => html`<span class="bar-name"><bdi>${text(value)}</bdi></span>`;
const language = (code) => lookUp(words, code) ?? visible(languageName(code));
const name = (value) => visible(word(value));

// Android's apps call themselves by their package in place of a host.
const apps = {
  "com.discord": "Discord",
  "com.facebook.katana": "Facebook",
  "com.google.android.gm": "Gmail",
  "com.google.android.googlequicksearchbox": "Google",
  "com.instagram.android": "Instagram",
  "com.linkedin.android": "LinkedIn",
  "com.microsoft.office.outlook": "Outlook",
  "com.pinterest": "Pinterest",
  "com.reddit.frontpage": "Reddit",
  "com.slack": "Slack",
  "com.twitter.android": "X",
  "com.whatsapp": "WhatsApp",
  "org.telegram.messenger": "Telegram",
};

// siteName returns a referrer's host in words.
export function siteName(host) {
  const app = lookUp(apps, host.toLowerCase());
  return app ? `${app} (Android)` : name(host);
}

function pageName(referrer) {
  const [, app] = referrer.match(/^android-app:\/\/([^/]+)\/$/) ?? [];
  return app ? siteName(app) : (lookUp(words, referrer) ?? urlParts(referrer).join(""));
}

const rows = [
  {
    name: "referrer_host", // parameter of the filter; by_referrer_host has the counts
    panel: "referrers",
    tab: "Sites",
    one: "Site", // one: a single value
    unknown: "direct",
    text: siteName, // a value in words
    // and in a row
    label: (host) => html`<${Initial} text=${siteName(host)} />${plain(siteName)(host)}`,
  },
  {
    name: "referrer",
    panel: "referrers",
    tab: "Pages",
    one: "Page",
    unknown: "direct",
    text: pageName,
    label: (referrer) => html`<${Referrer} referrer=${referrer} />`,
  },
  utm("source"),
  utm("medium"),
  utm("campaign"),
  {
    name: "country",
    panel: "places",
    tab: "Countries",
    one: "Country",
    unknown: "XX",
    nothing: "Nobody knows which countries these clicks came from.", // shown without rows
    map: true,
    valid: (value) => /^[A-Z]{2}$/.test(value), // the page's URL may contain anything
    text: countryName,
    label: (code) => html`<${Flag} code=${code} />${plain(countryName)(code)}`,
    columns: ["Code", "Country"],
    cells: (code) => [code, countryName(code)],
  },
  {
    name: "region",
    panel: "places",
    tab: "Regions",
    one: "Region",
    unknown: "unknown",
    nothing: "Nobody knows which regions these clicks came from.",
    text: name,
    label: (region) => html`<${Flag} code=${region.slice(0, 2)} />${plain(name)(region)}`,
  },
  {
    name: "city",
    panel: "places",
    tab: "Cities",
    one: "City",
    unknown: "unknown",
    nothing: "Nobody knows which cities these clicks came from.",
    text: name,
    label: (city) => html`<${Flag} code=${city.match(/, ([A-Z]{2})(?:-[^,]*)?$/)?.[1] ?? ""} />
      ${plain(name)(city)}`,
  },
  {
    name: "browser",
    panel: "devices",
    tab: "Browsers",
    one: "Browser",
    unknown: "other",
    text: name,
  },
  {
    name: "os",
    panel: "devices",
    tab: "Systems",
    one: "System",
    unknown: "other",
    text: name,
  },
  {
    name: "device",
    panel: "devices",
    tab: "Kinds",
    one: "Kind",
    unknown: "other",
    valid: (value) => value === "other" || Object.hasOwn(kinds, value),
    text: (kind) => lookUp(kinds, kind) ?? name(kind),
  },
  {
    name: "language",
    panel: "devices",
    tab: "Languages",
    one: "Language",
    unknown: "unknown",
    nothing: "No visitor said which language they prefer.",
    text: language,
    columns: ["Code", "Language"],
    cells: (code) => [code, language(code)],
  },
  {
    name: "rule",
    panel: "rules",
    tab: "Rules",
    one: "Rule",
    unknown: "default",
    nothing: "No rule decided.",
    text: (rule) => (rule === "default" ? "No rule" : name(rule)),
  },
  {
    name: "alias",
    panel: "addresses",
    tab: "Addresses",
    one: "Address",
    unknown: "none",
    nothing: "Nobody came by another address.",
    text: (alias) =>
      alias[0] === "/" ? visible(alias.slice(1)) : alias === "none" ? "Short code" : name(alias),
  },
];

export const dimensions = rows.map((row) => ({
  label: plain(row.text),
  many: row.tab.toLowerCase(), // in a sentence
  columns: [row.one],
  cells: (value) => [value],
  ...row,
}));

// Panels in order. An optional one is shown only if it says something.
const titles = [
  ["referrers", "Referrers"],
  ["campaigns", "Campaigns"],
  ["devices", "Devices"],
  ["places", "Places"],
  ["rules", "Rules", true],
  ["addresses", "Addresses", true],
];

// panelsOf returns the panels with the known dimensions: a shared page knows none of some.
export const panelsOf = (known) =>
  titles
    .map(([id, title, optional = false]) => ({
      id,
      title,
      optional,
      tabs: known.filter(({ panel }) => panel === id),
    }))
    .filter(({ tabs }) => tabs.length > 0);

// says reports whether a panel has any known value of a dimension.
export const says = ({ unknown }, panel) =>
  Object.keys(panel?.clicks.counts ?? {}).some((value) => value !== unknown);

function utm(name_) {
  const tab = `UTM ${name_}`;
  return {
    name: name_,
    panel: "campaigns",
    tab,
    one: tab,
    many: `${tab}s`,
    unknown: "none",
    nothing:
      `No visit named a ${name_}. ` + `Add ?utm_${name_}=… to the short link where you publish it.`,
    text: name,
  };
}

const Flag = ({ code }) => html`<span class="flag" aria-hidden="true">${flag(code)}</span>`;

const initials = { Direct: "→", Other: "·" };

const Initial = ({ text }) => html`<span class="initial" aria-hidden="true">
  ${lookUp(initials, text) ?? [...visible(text)][0]?.toUpperCase()}</span>`;

function Referrer({ referrer }) {
  if (!webURL(referrer))
    return html`<${Initial} text=${pageName(referrer)} />${plain(pageName)(referrer)}`;
  const [host, rest] = urlParts(referrer);
  return html`<${Initial} text=${host} /><span class="bar-name">
    <bdi dir="ltr"><bdi dir="ltr">${host}</bdi><bdi dir="ltr" class="quiet">${rest}</bdi></bdi>
  </span>`;
}
