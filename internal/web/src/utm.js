// A URL's campaign parameters, and sets of them that the reader saved. The rest of the URL stays as
// it is, byte for byte.

// The parameters: name, label, example.
export const parameters = [
  ["source", "Source", "newsletter"],
  ["medium", "Medium", "email"],
  ["campaign", "Campaign", "spring-sale"],
  ["term", "Term", "running shoes"],
  ["content", "Content", "header-link"],
];

function parts(url) {
  const [, path, query, fragment] = url.match(/^([^?#]*)(?:\?([^#]*))?(#.*)?$/s);
  return { path, pairs: query ? query.split("&") : [], fragment: fragment ?? "" };
}

const nameOf = (pair) => decode(pair.split("=", 1)[0]);

function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

// readUTM returns a parameter's value, "" if the URL has none.
export function readUTM(url, name) {
  const pair = parts(url).pairs.find((p) => nameOf(p) === `utm_${name}`);
  return pair ? decode(pair.slice(pair.indexOf("=") + 1 || pair.length)) : "";
}

// writeUTM returns the URL with a new value; an empty one removes the parameter.
export function writeUTM(url, name, value) {
  const { path, pairs, fragment } = parts(url);
  const own = value && `utm_${name}=${encodeURIComponent(value).replaceAll("%20", "+")}`;
  const at = pairs.findIndex((p) => nameOf(p) === `utm_${name}`);
  const others = pairs.filter((p) => nameOf(p) !== `utm_${name}`);
  if (own) others.splice(at < 0 ? others.length : at, 0, own);
  return path + (others.length ? `?${others.join("&")}` : "") + fragment;
}

// utmOf returns a URL's parameters by name, without those that it lacks.
export const utmOf = (url) =>
  Object.fromEntries(
    parameters.map(([name]) => [name, readUTM(url, name)]).filter(([, value]) => value),
  );

// withUTM returns the URL with these parameters and no others.
export const withUTM = (url, values) =>
  parameters.reduce((result, [name]) => writeUTM(result, name, values[name] ?? ""), url);

// addUTM returns the URL with the parameters of another one, which replace its own.
export const addUTM = (url, other) =>
  Object.entries(utmOf(other)).reduce(
    (result, [name, value]) => writeUTM(result, name, value),
    url,
  );

// Sets are [{name, values}], sorted by name. Their bounds keep them a small part of what a browser
// stores for a site.
const maxSets = 50,
  maxSetsBytes = 64 * 1024;
export const longestSetName = 40; // characters

// readSets returns the sets in a stored text. What is not one is left out.
export function readSets(text) {
  let stored;
  try {
    stored = JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored
    .filter((set) => typeof set?.name === "string" && set.name && isValues(set.values))
    .slice(0, maxSets)
    .map(({ name, values }) => ({ name, values }));
}

const isValues = (values) =>
  values !== null &&
  typeof values === "object" &&
  Object.entries(values).every(
    ([key, value]) => parameters.some(([name]) => name === key) && typeof value === "string",
  );

// addSet returns {sets} with a set that replaces one of that name, or {problem}.
export function addSet(sets, name, values) {
  name = name.trim();
  if (!name) return { problem: "Enter a name." };
  if ([...name].length > longestSetName)
    return { problem: `A name can have at most ${longestSetName} characters.` };
  const others = sets.filter((set) => set.name.toLowerCase() !== name.toLowerCase());
  if (others.length >= maxSets)
    return { problem: `There are ${maxSets} sets already. Delete one first.` };
  const next = [...others, { name, values }].sort((a, b) => a.name.localeCompare(b.name));
  if (new TextEncoder().encode(JSON.stringify(next)).length > maxSetsBytes)
    return { problem: "The sets take too much room. Delete one first." };
  return { sets: next };
}

export const dropSet = (sets, name) => sets.filter((set) => set.name !== name);
