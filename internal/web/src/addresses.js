// A link's addresses, its code and its aliases, as people type them.
import { hostOf } from "./format.js";

const longestCode = 20; // characters of a code, as in the API
const longestAlias = 128; // bytes
export const maxAliases = 20; // of a link

// codeProblem returns why a code can't be one, "" if it can. Without one the server makes it.
export function codeProblem(text) {
  const code = text.trim();
  if (!code) return "";
  if (code.length > longestCode) return `At most ${longestCode} characters.`;
  return /^[\w-]{3,}$/.test(code) ? "" : `Use 3–${longestCode} letters, digits, - or _.`;
}

// isCode reports whether an alias may become a link's code.
export const isCode = (alias) => codeProblem(alias) === "";

// asAddress returns the address that a text means: also that of a pasted short URL, which is
// encoded, and without the slashes that people write around a path.
export function asAddress(text, domain) {
  const bare = text.trim().replace(/^https?:\/\//i, ""),
    ours = `${hostOf(domain)}/`;
  const isOurs = bare.toLowerCase().startsWith(ours.toLowerCase());
  const path = isOurs ? decoded(bare.slice(ours.length)) : text.trim();
  return path.replace(/^\/|\/$/g, "").normalize("NFC");
}

function decoded(path) {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

// aliasProblem returns why an address can't be an alias, "" if nothing is known against it. The
// server knows which are reserved.
export function aliasProblem(alias, domain) {
  if (!alias) return "Enter an address, such as docs/install.";
  const bytes = new TextEncoder().encode(alias).length;
  if (bytes > longestAlias)
    return `An address can have at most ${longestAlias} bytes. This one has ${bytes}.`;
  if (/[?#%\\]/.test(alias)) return "An address can't have ? # % or \\ in it.";
  if (invisible.test(alias)) return "An address can't have invisible characters in it.";
  if (/^https?:\/\//i.test(alias))
    return `Enter what follows ${hostOf(domain)}/, such as docs/install.`;
  if (alias.split("/").some((part) => ["", ".", ".."].includes(part)))
    return "Between slashes there has to be a name, other than . and ..";
  return /(\+|\.svg|\.png)$/.test(alias)
    ? "An address can't end in +, .svg or .png: there are its preview and its QR code."
    : "";
}

// asAlias turns a text into {value} or {problem}.
export function asAlias(text, domain) {
  const value = asAddress(text, domain),
    problem = aliasProblem(value, domain);
  return problem ? { problem } : { value };
}

// taken says that another link has an address.
export const taken = (address, domain) => `${hostOf(domain)}/${address} is taken by another link.`;
