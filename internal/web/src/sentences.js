// A link's changes in sentences.
import { count, dateTime, lookUp, urlParts, visible } from "./format.js";

const at = (time) => dateTime(new Date(time));
const quoted = (text) => `“${visible(text)}”`;
const where = (url) => visible(urlParts(url).join(""));
const list = (tags) => tags.map(visible).join(", ");

// sentences maps each field to a description of its old and new value; one of them may be null.
const sentences = {
  original_url: (old, now) => `Destination changed from ${where(old)} to ${where(now)}`,
  short_code: (old, now) => `Code changed from ${visible(old)} to ${visible(now)}`,
  aliases: (old, now) => addressesChanged(old ?? [], now ?? []),
  owner: (old, now) => `Given from ${visible(old)} to ${visible(now)}`,
  title: (old, now) =>
    !old
      ? `Title set to ${quoted(now)}`
      : !now
        ? `Title ${quoted(old)} removed`
        : `Title changed from ${quoted(old)} to ${quoted(now)}`,
  note: (old, now) => (!old ? "Note added" : !now ? "Note removed" : "Note changed"),
  tags: (old, now) => {
    const before = old ?? [],
      after = now ?? [];
    const added = after.filter((tag) => !before.includes(tag));
    const removed = before.filter((tag) => !after.includes(tag));
    return [
      added.length && `Tagged ${list(added)}`,
      removed.length && `${added.length ? "no longer" : "No longer tagged"} ${list(removed)}`,
    ]
      .filter(Boolean)
      .join(", ");
  },
  starts_at: (old, now) => (now ? `Starts ${at(now)}` : "Starts at once"),
  expires_at: (old, now) =>
    !now ? `No longer ends on ${at(old)}` : `Ends ${at(now)}${old ? ` instead of ${at(old)}` : ""}`,
  max_clicks: (old, now) =>
    !now
      ? `No longer ends after ${count(old)} clicks`
      : `Ends after ${count(now)} clicks${old ? ` instead of ${count(old)}` : ""}`,
  disabled: (old, now) => (now ? "Disabled" : "Enabled"),
  archived: (old, now) => (now ? "Archived" : "Taken out of the archive"),
  expired_url: (old, now) =>
    now ? `Goes to ${where(now)} once it has ended` : "Shows the default page once it has ended",
  password: (old, now) => (!now ? "Password removed" : old ? "Password changed" : "Password set"),
  redirect_status: (old, now) => `Redirect type changed from ${old ?? 302} to ${now ?? 302}`,
  forward_query: (old, now) => (now ? "Forwards the query" : "No longer forwards the query"),
  forward_path: (old, now) => (now ? "Forwards the path" : "No longer forwards the path"),
  rules: (old, now) => rulesChanged(old ?? [], now ?? []),
};

function addressesChanged(old, now) {
  const added = now.filter((alias) => !old.includes(alias));
  const removed = old.filter((alias) => !now.includes(alias));
  if (!added.length && !removed.length) return "Order of the addresses changed";
  const named = (aliases) =>
    `${aliases.length > 1 ? "addresses" : "address"} ${aliases.map(visible).join(", ")}`;
  const text = [
    added.length && `${named(added)} added`,
    removed.length && `${named(removed)} removed`,
  ]
    .filter(Boolean)
    .join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function rulesChanged(old, now) {
  const names = (rules) => rules.map((rule) => rule.name);
  const added = names(now).filter((name) => !names(old).includes(name));
  const removed = names(old).filter((name) => !names(now).includes(name));
  if (!added.length && !removed.length) {
    return names(old).join() === names(now).join() ? "Rules changed" : "Order of the rules changed";
  }
  return [
    added.length && `Rule ${added.map(quoted).join(", ")} added`,
    removed.length && `${added.length ? "rule" : "Rule"} ${removed.map(quoted).join(", ")} removed`,
  ]
    .filter(Boolean)
    .join(", ");
}

export function sentence(name, change) {
  try {
    const text = lookUp(sentences, name)?.(change.old, change.new);
    if (text) return text;
  } catch {
    // An import may have brought anything.
  }
  const json = (value) => visible(JSON.stringify(value ?? null).slice(0, 200));
  return `${visible(name)}: ${json(change?.old)} → ${json(change?.new)}`;
}

// told returns the fields of a change in sentences. What can't be said is shown as it is.
export function told(fields) {
  let said = fields ?? {};
  try {
    said = withoutSaying(said);
  } catch {
    // An import may have brought anything.
  }
  return Object.entries(said).map(([name, change]) => sentence(name, change));
}

// withoutSaying leaves out what another code does to the aliases: one of them became the code, and
// the old code became one.
function withoutSaying(fields) {
  const { short_code: code, aliases } = fields,
    rest = { ...fields };
  if (code) {
    const after = (aliases?.new ?? []).filter((one) => one !== code.new);
    // Where case is ignored, a change of case only makes no alias of the old code.
    const stays = after.includes(code.old) || code.old.toLowerCase() !== code.new.toLowerCase();
    const before = [...(stays ? [code.old] : []), ...(aliases?.old ?? [])].filter(
      (one) => one !== code.new,
    );
    const isSame = before.every((one) => after.includes(one)) && after.length === before.length;
    if (isSame || !aliases) delete rest.aliases;
    else rest.aliases = { old: before, new: after };
  }
  return rest;
}
