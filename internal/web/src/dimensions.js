// The dimensions that clicks are counted by, in the order of their panels. A new one is a row here.
import { countryName, flag, urlParts, webURL } from "./format.js";
import { html } from "./html.js";

export const dimensions = [
  {
    name: "country", // the filter's parameter; by_country has the counts
    id: "countries", title: "Countries",
    few: 8, // rows at first: the panels of countries and referrers are of one height
    map: true,
    valid: (value) => /^[A-Z]{2}$/.test(value), // an address may hold anything
    text: countryName,
    label: (code) => html`<span class="flag" aria-hidden="true">${flag(code)}</span>
      <span class="bar-name">${countryName(code)}</span>`,
    chip: (code) => html`${flag(code)} ${countryName(code)}`,
    columns: ["Code", "Country"], cells: (code) => [code, countryName(code)],
  },
  {
    name: "referrer",
    id: "referrers", title: "Referrers",
    few: 15,
    text: (referrer) => referrer,
    label: (referrer) => html`<${Referrer} referrer=${referrer} />`,
    chip: (referrer) => referrerName(referrer),
    columns: ["Referrer"], cells: (referrer) => [referrer],
  },
  {
    name: "browser",
    id: "browsers", title: "Browsers",
    few: 8,
    text: (browser) => browser === "other" ? "Other" : browser,
    label: (browser) => html`<span class="bar-name">${browser === "other" ? "Other" : browser}
      </span>`,
    chip: (browser) => html`${browser === "other" ? "Other browsers" : browser}`,
    columns: ["Browser"], cells: (browser) => [browser],
  },
  {
    name: "rule",
    id: "rules", title: "Rules",
    few: 8,
    usual: "default", // a panel with nothing else says nothing
    text: ruleName,
    label: (rule) => html`<span class="bar-name"><bdi>${ruleName(rule)}</bdi></span>`,
    chip: (rule) => html`Rule: <bdi>${ruleName(rule)}</bdi>`,
    columns: ["Rule"], cells: (rule) => [rule],
  },
];

// dimensionNames is what the server is asked to count by.
export const dimensionNames = dimensions.map(({ name }) => name).join(",");

// says reports whether the panel of a dimension says something with these counts.
export const says = ({ usual }, counts, chosen) =>
  !usual || Boolean(chosen) || Object.keys(counts).some((value) => value !== usual);

// byDimension returns an object with what f returns for each dimension, by its name.
export const byDimension = (f) =>
  Object.fromEntries(dimensions.map((dimension) => [dimension.name, f(dimension)]));

function Referrer({ referrer }) {
  if (!webURL(referrer)) return html`<span class="initial" aria-hidden="true">
    ${referrer === "direct" ? "→" : "·"}</span><span class="bar-name">
    ${referrerName(referrer)}</span>`;
  const [host, rest] = urlParts(referrer);
  return html`<span class="initial" aria-hidden="true">${[...host][0]?.toUpperCase()}</span>
    <span class="bar-name"><bdi dir="ltr"><bdi dir="ltr">${host}</bdi>
      <bdi dir="ltr" class="quiet">${rest}</bdi></bdi></span>`;
}

function ruleName(rule) {
  return { default: "No rule", other: "Other" }[rule] ?? rule;
}

const referrerName = (referrer) => ({ direct: "Direct", other: "Other" })[referrer]
  ?? urlParts(referrer).join("");
