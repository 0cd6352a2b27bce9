// URLs as people paste them.
import { baseURL, count, urlOf, webURL } from "./format.js";

const maxURLBytes = 8192; // bytes of a URL, as in the API

// Invisible characters that get copied with a URL: white space, controls, zero-width and bidi
// characters. Variation selectors and tags stay, because they belong to emoji.
const unseen =
  "[\\s\\p{Cc}\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f" + "\\ufeff]+";
const around = new RegExp(`^${unseen}|${unseen}$`, "gu");

// complete removes invisible characters, and adds the scheme that people leave out: https, or http
// for this machine.
export function complete(text) {
  text = text.replace(around, "");
  if (/^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?([/?#]|$)/i.test(text)) return "http://" + text;
  return /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)+(:\d+)?([/?#]|$)/u.test(text)
    ? "https://" + text
    : text;
}

// several returns the URLs of a text that consists of URLs separated by white space, which commas
// or semicolons may precede; otherwise [].
export function several(text) {
  const urls = `${text.trim()} `
    .split(/[,;]?\s+/)
    .filter(Boolean)
    .map(complete);
  return urls.length > 1 && urls.every(webURL) ? urls : [];
}

// firstURL returns the first http or https URL in a text that people wrote, "" if there is none.
// The sentence around it may go on without a blank.
export function firstURL(text) {
  for (const [found] of text.matchAll(/\bhttps?:\/\/[^\s<>"]+/gi)) {
    let open = found.split("(").length - found.split(")").length,
      end = found.length;
    while (".,;:!?'’”»…".includes(found[end - 1]) || (found[end - 1] === ")" && open < 0)) {
      end--;
      if (found[end] === ")") open++;
    }
    if (webURL(found.slice(0, end))) return found.slice(0, end);
  }
  return "";
}

// objection returns why a URL need not be sent to the server, "" if it may be.
export function objection(url) {
  if (/\s/.test(url)) return "A URL can't contain spaces: write them as %20.";
  const bytes = new TextEncoder().encode(url).length;
  if (bytes > maxURLBytes)
    return `A URL can have at most ${count(maxURLBytes)} bytes. This one has ${count(bytes)}.`;
  const [, scheme] = url.match(/^([a-z][a-z0-9+-]*):(?!\d)/i) ?? [];
  return scheme && !/^https?$/i.test(scheme)
    ? `Only http and https addresses can be shortened, not ${scheme.toLowerCase()}.`
    : "";
}

const notFull = "Enter a full web address, such as https://example.com/page.";
const isOurs = "That's already a short link on this server.";

// complaint returns why a URL in a form can't be saved, "" if it can.
export const complaint = (text) =>
  objection(complete(text)) || (webURL(complete(text)) ? "" : notFull);

// refusal returns why the server refuses a URL in a form, in its words if the page has none.
export function refusal(text, message) {
  const { host, pathname } = webURL(complete(text)) ?? {};
  const isOwn = host === webURL(baseURL).host && pathname.startsWith(urlOf("/"));
  return complaint(text) || (isOwn ? isOurs : message);
}
