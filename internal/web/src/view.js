// The view of clicks in a URL, and how to change it.
import { dimensions, panelsOf } from "./dimensions.js";
import { readFilters, toggled } from "./filters.js";
import { isSeveral } from "./format.js";
import { whose } from "./me.js";
import { comparisonQuery, rangeQuery, readComparison, readRange } from "./range.js";
import { address, go, place } from "./router.js";
import { useStore } from "./store.js";

// read returns the view in a URL's query, for the known dimensions. A shared page has no owner,
// domain and tags.
function read(query, known, isShared) {
  const range = readRange(query),
    panels = panelsOf(known);
  return {
    range,
    filters: readFilters(query, known),
    people: query.get("bots") !== "1", // bots are left out
    comparing: range.preset === "all" ? "" : readComparison(query), // see range.js
    measure: query.get("show") ?? "", // the measure that is shown; "": the first that there is
    owner: isShared ? "" : whose({ query }),
    domain: (!isShared && isSeveral && query.get("domain")) || "",
    tags: isShared ? [] : query.getAll("tag").filter(Boolean).slice(0, 20),
    tabs: query
      .getAll("tab")
      .filter((name) => panels.some(({ tabs }) => tabs.slice(1).some((tab) => tab.name === name))),
  };
}

const write = ({ range, filters, people, comparing, measure, owner, domain, tags, tabs }) => ({
  ...rangeQuery(range),
  ...filters,
  owner,
  domain,
  tag: tags,
  bots: people ? "" : "1",
  ...comparisonQuery(comparing),
  show: measure,
  tab: tabs,
});

// useView returns the view of a page that knows all dimensions except leftOut, which only a shared
// page has.
export function useView(leftOut = []) {
  const { path, query, state } = useStore(place);
  const known = dimensions.filter(({ name }) => !leftOut.includes(name));
  const view = read(query, known, leftOut.length > 0),
    panels = panelsOf(known);
  const move = (change, options) => go(address(path, write({ ...view, ...change })), options);
  const openIn = ({ tabs }) => tabs.find(({ name }) => view.tabs.includes(name)) ?? tabs[0];
  return {
    ...view,
    dimensions: known,
    panels,
    openIn,
    open: panels.map((panel) => openIn(panel).name),
    // whether the API counts visitors by value, too: not while clicks are shown
    visitors: view.measure === "clicks" ? "true" : "by",
    // parameters for the API besides the range
    asked: {
      ...view.filters,
      ...(view.people && { not_visitor: ["bot"] }),
      tag: view.tags,
      domain: view.domain,
    },
    setRange: (range) => move({ range }),
    setPeople: (people) => move({ people }),
    setComparing: (comparing) => move({ comparing }),
    setMeasure: (measure) => move({ measure }, { replace: true, state }),
    setOwner: (owner, options) => move({ owner, tags: [] }, options),
    setDomain: (domain) => move({ domain }),
    setTags: (tags) => move({ tags }),
    setFilters: (filters) => move({ filters }),
    toggle: (name, value, not) => move({ filters: toggled(view.filters, name, value, not) }),
    clearFilters: () => move({ filters: {}, tags: [] }),
    countAll: () => move({ filters: {}, tags: [], people: false }),
    openTab: (panel, name) =>
      move(
        {
          tabs: [
            ...view.tabs.filter((tab) => panel.tabs.every((other) => other.name !== tab)),
            ...(name === panel.tabs[0].name ? [] : [name]),
          ],
        },
        { replace: true, state },
      ),
    zoom: (from, to) =>
      to - from > 3600e3 &&
      move(
        { range: { from, to: Math.min(to, Math.max(Date.now(), from + 1)) } },
        { state: { wider: rangeQuery(view.range), outer: state } },
      ),
    zoomOut: () => {
      if (state?.wider)
        go(address(path, { ...write(view), from: "", to: "", ...state.wider }), {
          state: state.outer,
        });
      else if (!view.range.preset) move({ range: { preset: "30d" } });
    },
  };
}
