// By what people know a webhook.
import { urlParts, visible } from "./format.js";

// schemeOf returns what stands before a URL's host: nothing, unless it is not https as usual.
export const schemeOf = (url) => url.match(/^http:\/\//i)?.[0] ?? "";

// shorten leaves out the middle of a long URL. Its ends tell webhooks of one host apart.
export function shorten(url) {
  const chars = [...url];
  return chars.length > 60
    ? [...chars.slice(0, 35), "…", ...chars.slice(-24)].join("") // about a line
    : url;
}

// nameOf returns by what people know a webhook: its description, or else its URL.
export const nameOf = ({ description, url }) =>
  visible(description || schemeOf(url) + urlParts(shorten(url)).join(""));
