// The form's contents for a link, and the API's fields made from them.
import { asAlias, codeProblem, isCode, maxAliases, taken } from "./addresses.js";
import { conditionProblem, kinds } from "./conditions.js";
import { count, webURL } from "./format.js";
import { fromInput, isTime, notATime, toInput } from "./range.js";
import { complaint, complete, refusal } from "./urls.js";

let ids = 0;
export const withID = (rule) => ({ ...rule, id: ++ids }); // identifies a rule in the form

const local = (time) => (time ? toInput(Date.parse(time)) : "");

// draftOf returns the form's contents for a link, or an empty form.
export function draftOf(link = {}) {
  return {
    original_url: link.original_url ?? "",
    domain: link.domain ?? "", // "": the default one
    short_code: link.short_code ?? "", // "": the server makes one
    aliases: link.aliases ?? [],
    alias_text: "", // text in the field of addresses that is none yet
    title: link.title ?? "",
    tags: link.tags ?? [],
    tag_text: "", // text in the tag field that is not a tag yet
    ends: link.expires_at
      ? link.max_clicks
        ? "either"
        : "on"
      : link.max_clicks
        ? "after"
        : "never",
    expires_at: local(link.expires_at),
    max_clicks: String(link.max_clicks ?? ""),
    then: link.expired_url ? "url" : "page",
    expired_url: link.expired_url ?? "",
    password: null, // null: unchanged; "": remove it
    starts_at: local(link.starts_at),
    redirect_status: String(link.redirect_status ?? ""),
    forward_query: Boolean(link.forward_query),
    forward_path: Boolean(link.forward_path),
    note: link.note ?? "",
    disabled: Boolean(link.disabled),
    rules: (link.rules ?? []).map(withID),
  };
}

// copyOf returns the form's contents for another link that is like one, and what was left of it
// that another link could have. Nobody knows its password, and with an end that has come the copy
// would be over.
export function copyOf({ short_code: _code, aliases: _aliases, expires_at: end, ...link }) {
  const hasEnded = Date.parse(end) <= Date.now();
  return {
    options: draftOf({ ...link, expires_at: hasEnded ? undefined : end }),
    left: [link.password && "its password", hasEnded && "its end, which has come"].filter(Boolean),
  };
}

// withAddress returns a draft that has an address, too: as its code, if it may be one, or else as
// an alias. That is in the field of addresses if it can't be taken.
export function withAddress(draft, address) {
  if (isCode(address)) return { ...draft, short_code: address };
  const { aliases } = draft;
  if (asAlias(address).value !== address) return { ...draft, alias_text: address };
  return aliases.includes(address) ? draft : { ...draft, aliases: [...aliases, address] };
}

// ofLines has, empty, what each link of a list has for itself.
export const ofLines = { short_code: "", aliases: [], alias_text: "", title: "" };

const endsOn = ({ ends }) => ends === "on" || ends === "either";
const endsAfter = ({ ends }) => ends === "after" || ends === "either";

// instant returns the time in a field; an unchanged one keeps its seconds.
const instant = (text, before) =>
  !text
    ? null
    : text === local(before)
      ? before
      : isTime(text)
        ? new Date(fromInput(text)).toISOString()
        : text;

const whole = (text) => (/^\d+$/.test(text.trim()) ? Number(text) : NaN);

// fieldsOf returns the API's fields, null for those that are not set.
export function fieldsOf(draft, link = {}) {
  const { aliases, tags, rules } = draft;
  return {
    original_url:
      draft.original_url === link.original_url ? draft.original_url : complete(draft.original_url),
    domain: draft.domain || null,
    short_code: draft.short_code.trim() || null,
    aliases: aliases.length ? aliases : null,
    title: draft.title.trim() || null,
    tags: tags.length ? tags : null,
    expires_at: endsOn(draft) ? instant(draft.expires_at, link.expires_at) : null,
    max_clicks: endsAfter(draft) ? whole(draft.max_clicks) : null,
    expired_url:
      draft.then === "url" && draft.expired_url.trim() ? complete(draft.expired_url) : null,
    password: draft.password || null,
    starts_at: instant(draft.starts_at, link.starts_at),
    redirect_status: Number(draft.redirect_status) || null,
    forward_query: draft.forward_query || null,
    forward_path: draft.forward_path || null,
    note: draft.note.trim() ? draft.note : null,
    disabled: draft.disabled || null,
    rules: rules.length ? rules.map(ruleOf) : null,
  };
}

function ruleOf({ name, when = {}, share, url }) {
  return {
    name: name.trim(),
    ...(Object.keys(when).length > 0 && { when }),
    ...(share && { share }),
    url: complete(url),
  };
}

// changesOf returns the fields that differ from the link's.
export function changesOf(draft, link) {
  const before = fieldsOf(draftOf(link), link),
    after = fieldsOf(draft, link);
  const differ = (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const changes = Object.fromEntries(Object.entries(after).filter(([name]) => differ(name)));
  if (draft.password === "" && link.password) changes.password = null;
  if (changes.short_code && "aliases" in changes)
    // the API adds the old code only to aliases that stay as they were
    changes.aliases = [...draft.aliases, link.short_code];
  return changes;
}

// sections have, for each part of the form that can be closed, the fields whose errors it shows.
const sections = {
  ends: ["expires_at", "max_clicks", "expired_url"],
  password: ["password"],
  more: ["aliases", "starts_at", "note"],
};

// sectionsOf returns the parts of the form that errors are in.
export const sectionsOf = (problems) =>
  [
    ...new Set(
      Object.keys(problems).map((name) =>
        name.startsWith("rules[")
          ? "rules"
          : Object.keys(sections).find((section) => sections[section].includes(name)),
      ),
    ),
  ].filter(Boolean);

// isChanged reports whether unsaved input would be lost.
export const isChanged = (draft, link) =>
  Object.keys(changesOf(draft, link)).length > 0 ||
  [
    draft.tag_text,
    draft.alias_text,
    ...draft.rules.flatMap((rule) => Object.values(rule.text ?? {})),
  ].some((text) => text.trim());

// asTag turns a text into {value} or {problem}.
export const asTag = (text) =>
  length(text) > 40
    ? { problem: "A tag can have at most 40 characters." }
    : { value: text.normalize("NFC") };

// rebase applies others' changes of the link to the draft, where the draft is unchanged.
export function rebase(draft, before, theirs) {
  const old = draftOf(before),
    now = draftOf(theirs);
  const plain = (value) => JSON.stringify(value, (key, v) => (key === "id" ? undefined : v));
  return Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [
      name,
      plain(value) === plain(old[name]) ? now[name] : value,
    ]),
  );
}

const length = (text) => [...text].length;

// problemsOf returns a draft's errors by field, in the order of the form.
export function problemsOf(draft, link) {
  const found = {};
  const check = (name, message) => {
    if (message && !found[name]) found[name] = message;
  };
  if (draft.original_url !== link?.original_url)
    check("original_url", complaint(draft.original_url));
  check("short_code", link && !draft.short_code.trim() && "A link needs a code.");
  check("short_code", codeProblem(draft.short_code));
  check("title", length(draft.title.trim()) > 200 && "A title can have at most 200 characters.");
  check("tags", draft.tags.length > 20 && "A link can have at most 20 tags.");
  check(
    "tags",
    draft.tag_text.trim() &&
      (asTag(draft.tag_text.trim()).problem ?? "Press Enter to add this tag."),
  );
  if (endsOn(draft))
    check(
      "expires_at",
      !draft.expires_at ? "Choose a day and a time." : !isTime(draft.expires_at) && notATime(),
    );
  if (endsAfter(draft))
    check(
      "max_clicks",
      !(whole(draft.max_clicks) >= 1 && whole(draft.max_clicks) <= 1e9) &&
        `Enter a number from 1 to ${count(1e9)}.`,
    );
  if (draft.then === "url") check("expired_url", complaint(draft.expired_url));
  check(
    "password",
    new TextEncoder().encode((draft.password ?? "").normalize("NFC")).length > 128 &&
      "A password can have at most 128 bytes.",
  );
  draft.rules.forEach((rule, i) => {
    for (const [field, message] of Object.entries(ruleProblems(rule, draft.rules)))
      check(`rules[${i}].${field}`, message);
  });
  check("aliases", tooMany(draft, link));
  check(
    "aliases",
    draft.alias_text.trim() &&
      (asAlias(draft.alias_text, draft.domain).problem ?? "Press Enter to add this address."),
  );
  check("starts_at", draft.starts_at && !isTime(draft.starts_at) && notATime());
  check(
    "starts_at",
    endsOn(draft) &&
      isTime(draft.starts_at) &&
      isTime(draft.expires_at) &&
      draft.starts_at >= draft.expires_at &&
      "It has to start before it ends.",
  );
  check("note", length(draft.note) > 2000 && "A note can have at most 2,000 characters.");
  return found;
}

function tooMany({ short_code: text, aliases }, link) {
  const code = text.trim(),
    isOther = link && code !== link.short_code;
  const n = aliases.filter((alias) => alias !== code).length + (isOther ? 1 : 0);
  if (n <= maxAliases) return "";
  const most = `A link can have at most ${maxAliases} more addresses`;
  return isOther ? `${most}, and the old code is one of them.` : `${most}.`;
}

// ruleProblems returns a rule's errors by field: "url", "name", or the kind of a condition.
export function ruleProblems(rule, rules) {
  const { id, when = {} } = rule,
    own = rule.name.trim(),
    found = {};
  if (!rule.url.trim() || !webURL(complete(rule.url)))
    found.url = "Enter where the rule leads, such as https://example.com/page.";
  for (const [kind] of kinds) {
    const problem = conditionProblem(rule, kind);
    if (problem) found[kind] = problem;
  }
  if (Date.parse(when.after) >= Date.parse(when.before))
    found.before ??= "It has to begin before it ends.";
  if (!own || length(own) > 40) found.name = "A name has 1 to 40 characters.";
  else if (own === "default")
    found.name = '"default" stands for the destination. Choose another name.';
  else if (rules.some((other) => other.id !== id && other.name.trim() === own))
    found.name = "Another rule has this name.";
  return found;
}

// fields that show their own errors
const shownFields = [
  "original_url",
  "domain",
  "short_code",
  "aliases",
  "title",
  "tags",
  "expires_at",
  "max_clicks",
  "expired_url",
  "password",
  "starts_at",
  "note",
];
const shownRuleFields = ["url", "name", ...kinds.map(([kind]) => kind)];

// refusalOf returns the API's error about a draft in the form of problemsOf, or about a whole rule.
// It returns null for an error that is about none of its fields.
export function refusalOf({ status, field = "", message }, draft) {
  const name = where(field);
  if (!name) return null;
  if (name === "short_code") {
    const reason = status === 409 ? "taken" : "reserved";
    const code = draft.short_code.trim();
    return { [name]: codeProblem(code) || `"${code}" is ${reason}. Try another.` };
  }
  const [, at] = field.match(/^aliases\[(\d+)\]$/) ?? [];
  if (status === 409 && at) return { [name]: taken(draft.aliases[at], draft.domain) };
  const [, i] = name.match(/^rules\[(\d+)\]\.url$/) ?? [];
  const url = i ? draft.rules[i].url : name.endsWith("_url") && draft[name];
  return { [name]: url ? refusal(url, message) : message };
}

// where returns the form's field for a field of the API, "" if there is none.
function where(field) {
  const [, rule, name] = field.match(/^(rules\[\d+\])(?:\.(?:when\.)?(\w+))?/) ?? [];
  if (rule) return shownRuleFields.includes(name) ? `${rule}.${name}` : rule;
  const [whole] = field.split("[");
  return shownFields.includes(whole) ? whole : "";
}
