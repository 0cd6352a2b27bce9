// What the audit says, in words.
import { dateTime, keyOf, lookUp, urlParts, visible } from "./format.js";

const fields = {
  original_url: "destination",
  short_code: "code",
  starts_at: "start",
  expires_at: "end",
  max_clicks: "number of clicks",
  expired_url: "destination after the end",
  redirect_status: "type of redirect",
  forward_query: "forwarding of the query",
  forward_path: "forwarding of the path",
  aliases: "addresses",
  disabled: "whether it is switched off",
  archived: "whether it is archived",
};

// verbs are what was done to the target that follows.
const verbs = {
  "link.create": "made the link",
  "link.update": "changed the link",
  "link.delete": "deleted the link",
  "link.reset": "deleted the statistics of",
  "link.share": "shared the statistics of",
  "link.unshare": "stopped sharing the statistics of",
  "overview.share": "shared the statistics of the overview",
  "overview.unshare": "stopped sharing the statistics of the overview",
  "tag.share": "shared the statistics of the tag",
  "tag.unshare": "stopped sharing the statistics of the tag",
  "tag.rename": "renamed the tag",
  "tag.delete": "deleted the tag",
  "links.import": "imported links",
  "links.export": "exported links",
  "domain.update": "changed where to lead visitors of",
  "token.create": "made the token",
  "token.delete": "deleted the token",
  "webhook.create": "created the webhook",
  "webhook.update": "changed the webhook",
  "webhook.rotate": "rotated the secret of the webhook",
  "webhook.delete": "deleted the webhook",
  "user.create": "added",
  "user.update": "changed",
  "user.delete": "deleted",
  "user.refused": "was not let in",
  "session.create": "signed in",
  "session.delete": "signed out",
  "sign_in.failed": "failed to sign in",
};

// told returns an entry in words: what was done to the target, the target's name if that says more,
// the key of a link, whether that is a link that may be there, and what more is known. Words that
// this page doesn't know are shown as they are.
export function told({ action, target, domain, details }) {
  const known = details ?? {};
  return {
    what: lookUp(verbs, action) ?? visible(action),
    name: nameOf(action, known) || keyOf({ domain, short_code: target }),
    isLink: action.startsWith("link.") && action !== "link.delete",
    more: moreOf(action, known),
  };
}

// nameOf returns by what people know a token or a webhook, "" if that is not known.
function nameOf(action, { name, url }) {
  if (action.startsWith("token.") && typeof name === "string") return name;
  return action.startsWith("webhook.") && typeof url === "string" ? urlParts(url).join("") : "";
}

function moreOf(action, details) {
  if (action === "link.update" && Array.isArray(details.fields)) return named(details.fields);
  if (action === "link.delete" && typeof details.original_url === "string")
    return urlParts(details.original_url).join("");
  return Object.entries(details)
    .filter(([name]) => !(nameOf(action, details) && (name === "name" || name === "url")))
    .map(([name, value]) => inWords(name, value))
    .filter(Boolean)
    .join(", ");
}

const named = (names) =>
  names.map((name) => visible(String(lookUp(fields, name) ?? name))).join(", ");

const labels = { identity: "for", expires_at: "until" };
const longest = 200; // characters of a value

function inWords(name, value) {
  const now = value !== null && typeof value === "object" && "new" in value ? value.new : value;
  if (name === "disabled") return now ? "disabled" : "enabled";
  if (name === "fields" && Array.isArray(now)) return named(now);
  const text =
    name === "expires_at" && Date.parse(now) > 0
      ? dateTime(Date.parse(now))
      : Array.isArray(now)
        ? now.join(", ")
        : now !== null && typeof now === "object"
          ? JSON.stringify(now)
          : String(now);
  const label = lookUp(labels, name) ?? name.replaceAll("_", " ");
  return visible(`${label} ${[...text].slice(0, longest).join("")}`);
}
