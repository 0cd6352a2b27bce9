// Tries the rules: shows where a visitor would land.
import { useState } from "preact/hooks";
import { countryCodes, countryName, languageName, share, urlParts, visible } from "./format.js";
import { html } from "./html.js";
import { Choice } from "./pick.js";
import { browsers, isEmpty, outcomes, queryTexts } from "./rule.js";
import { complete } from "./urls.js";

// Visitors by device, with the matching values of the condition device, and the browser that most
// of them have.
const kinds = {
  iphone: ["iPhone", ["ios", "mobile"], "safari"],
  ipad: ["iPad", ["ios", "tablet"], "safari"],
  phone: ["Android phone", ["android", "mobile"], "chrome"],
  tablet: ["Android tablet", ["android", "tablet"], "chrome"],
  windows: ["Windows PC", ["windows", "desktop"], "chrome"],
  mac: ["Mac", ["macos", "desktop"], "safari"],
  linux: ["Linux PC", ["linux", "desktop"], "firefox"],
  chromebook: ["Chromebook", ["chromeos", "desktop"], "chrome"],
};
const unique = (values) => [...new Set(values)];
const languages = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh"];
const byName = (name) => (a, b) => name(a).localeCompare(name(b));

export function TryIt({ id, rules, destination }) {
  const named = (kind) => unique(rules.flatMap((rule) => rule.when?.[kind] ?? []));
  const queries = rules.map((rule) => rule.when?.query).filter((query) => query && !isEmpty(query));
  const [chosen, setChosen] = useState({ kind: "iphone", browser: "", query: "", address: "" });
  const asked = {
    language: named("language")[0] ?? "en",
    country: named("country")[0] ?? "US",
    ...chosen,
  };
  const set = (name) => (value) => setChosen({ ...chosen, [name]: value });
  const [, device, usual] = kinds[asked.kind];
  const found = outcomes(
    rules,
    { ...asked, device, browser: asked.browser || usual, query: sample(queries[asked.query]) },
    destination,
  );
  const countries = unique([...countryCodes().sort(byName(countryName)), ...named("country")]);
  const select = (name, label, options) => html`<${Choice} label=${label} isField=${true}
    value=${asked[name]} onChange=${set(name)}
    options=${options.map(([value, text]) => [value, visible(text)])} />`;
  return html`<div class="try-it" role="group" aria-labelledby=${id}>
    <span id=${id} class="form-label">Try it</span><div class="form-line">
    ${select(
      "kind",
      "Device of the visitor",
      Object.entries(kinds).map(([kind, [name]]) => [kind, name]),
    )}
    ${
      named("browser").length > 0 &&
      select("browser", "Browser of the visitor", [
        ["", `usual: ${browsers[usual]}`],
        ...Object.entries(browsers),
      ])
    }
    ${select(
      "language",
      "Language of the visitor",
      unique([...languages, ...named("language")]).map((tag) => [tag, languageName(tag)]),
    )}
    ${select(
      "country",
      "Country of the visitor",
      countries.map((code) => [code, countryName(code)]),
    )}
    ${
      queries.length > 0 &&
      select("query", "Query of the visit", [
        ["", "no query"],
        ...queries.map((query, i) => [i, queryTexts(query)]),
      ])
    }
    ${
      named("address").length > 0 &&
      select("address", "IP address of the visitor", [
        ["", "other addresses"],
        ...named("address").map((block) => [block, block]),
      ])
    }</div>
    <p class="outcome" role="status">goes ${found.map(
      ({ url, share: part, rule }, i) =>
        html`<span key=${i}>${i > 0 && " or "}${to(url, rule)}${part < 1 && ` (${share(part, 1)})`}
        <span class="quiet"> ${rule ? `(${visible(rule.name)})` : ""}</span></span>`,
    )}</p>
  </div>`;
}

// sample returns a query for which a rule's condition holds.
const sample = (query = {}) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value ?? "any"]));

// to says where a rule leads, or the destination without one. A rule that is being made leads
// nowhere so far.
function to(url, rule) {
  if (!url.trim()) return rule ? "nowhere yet" : html`to <b>the destination</b>`;
  return html`to <b>${visible(urlParts(complete(url)).join(""))}</b>`;
}
