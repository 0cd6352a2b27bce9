// A URL's campaign parameters, which statistics count by. The rest of the URL stays as it is, byte
// for byte.
export const parameters = ["source", "medium", "campaign"];

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
