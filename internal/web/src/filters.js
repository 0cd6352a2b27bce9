// Filters: the values of a dimension that clicks must or must not have, in the form of the API's
// parameters: {country: ["DE", "US"], not_browser: ["Chrome"]}.
import { visible } from "./format.js";

const maxValues = 100; // most values that the API accepts

// readFilters returns the filters in a URL's query, for the known dimensions.
export function readFilters(query, dimensions) {
  const filters = {};
  let left = maxValues;
  for (const { name, valid = Boolean } of dimensions) {
    for (const key of [name, `not_${name}`]) {
      const values = [...new Set(query.getAll(key).filter((value) => value && valid(value)))].slice(
        0,
        left,
      );
      left -= values.length;
      if (values.length) filters[key] = values;
    }
  }
  return filters;
}

export const isFiltered = (filters) => Object.keys(filters).length > 0;

// chosen returns the filter of a dimension.
export const chosen = (filters, name) => ({
  only: filters[name] ?? [],
  not: filters[`not_${name}`] ?? [],
});

// without returns the filters of the other dimensions.
export const without = (filters, name) =>
  Object.fromEntries(
    Object.entries(filters).filter(([key]) => key !== name && key !== `not_${name}`),
  );

// toggled returns the filters with a value added, or removed if it is there.
export function toggled(filters, name, value, not = false) {
  const { only, not: refused } = chosen(filters, name);
  const [same, other] = not ? [refused, only] : [only, refused];
  const isThere = same.includes(value);
  const rest = (values) => values.filter((one) => one !== value);
  const next = isThere ? rest(same) : [...same, value];
  const [nextOnly, nextNot] = not ? [rest(other), next] : [next, rest(other)];
  return {
    ...without(filters, name),
    ...(nextOnly.length && { [name]: nextOnly }),
    ...(nextNot.length && { [`not_${name}`]: nextNot }),
  };
}

// inWords returns each filter of a view: {key, what, text, remove}.
export function inWords({ filters, dimensions, tags, toggle, setTags }) {
  const ofTags = tags.map((tag) => ({
    key: `tag ${tag}`,
    what: "Tag:",
    text: visible(tag),
    remove: () => setTags(tags.filter((other) => other !== tag)),
  }));
  const of = ({ name, one, text }, values, not) =>
    values.map((value) => ({
      key: `${name} ${not} ${value}`,
      what: one + (not ? " is not" : ":"),
      text: text(value),
      remove: () => toggle(name, value, not),
    }));
  return [
    ...ofTags,
    ...dimensions.flatMap((dimension) => {
      const { only, not } = chosen(filters, dimension.name);
      return [...of(dimension, only, false), ...of(dimension, not, true)];
    }),
  ];
}
