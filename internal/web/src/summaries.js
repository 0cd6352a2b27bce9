// What the closed parts of a link's form say: what is set in them, in a few words.
import { dateTime, plural, visible } from "./format.js";
import { fromInput, isTime } from "./range.js";
import { utmOf } from "./utm.js";

const named = {
  aliases: "addresses",
  starts_at: "start",
  redirect_status: "redirect type",
  forward_query: "query",
  forward_path: "path",
  note: "note",
  disabled: "off",
};

// A new link may have been begun for an address, so a single one is named.
function addressesOf(aliases) {
  return aliases.length === 1
    ? visible(aliases[0])
    : plural(aliases.length, "address", "addresses");
}

const time = (text) => (isTime(text) ? dateTime(new Date(fromInput(text))) : "");
const clicks = (text) =>
  /^\d+$/.test(text.trim()) ? `after ${plural(Number(text), "click", "clicks")}` : "";

function endsOf({ ends, expires_at: at, max_clicks: most }) {
  const parts = {
    never: [],
    on: [time(at)],
    after: [clicks(most)],
    either: [time(at), clicks(most)],
  };
  return parts[ends].filter(Boolean).join(" or ");
}

function passwordOf({ password }, link) {
  if (password) return "set";
  if (!link?.password) return "";
  return password === "" ? "will be removed" : "set";
}

// summariesOf returns a draft's summaries by part, "" where nothing is set.
export const summariesOf = (draft, link) => ({
  utm: Object.values(utmOf(draft.original_url)).join(" · "),
  ends: endsOf(draft),
  password: passwordOf(draft, link),
  rules: draft.rules.length ? plural(draft.rules.length, "rule", "rules") : "",
  more: Object.keys(named)
    .filter((name) => draft[name]?.length ?? draft[name])
    .map((name) => (name === "aliases" ? addressesOf(draft.aliases) : named[name]))
    .join(", "),
});
