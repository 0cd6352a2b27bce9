// What webhooks and their deliveries are called, and how they are asked for and changed.
import { request } from "./api.js";
import { count, lookUp, plural, visible } from "./format.js";
import { schemeOf, shorten } from "./hookname.js";
import { html } from "./html.js";
import { everybody, isAdmin, me, mayEdit, of } from "./me.js";
import { address } from "./router.js";
import { URLText } from "./ui.js";

// events are [name, what happens, what happened to links]. The words are those of the names.
export const events = [
  ["link.created", "A link is created", "created"],
  ["link.updated", "A link is updated", "updated"],
  ["link.deleted", "A link is deleted", "deleted"],
  ["link.expired", "A link expires, or its clicks are used up", "expired"],
  ["clicks", "Clicks are counted: batches, at most one a second", ""],
];

const eventNames = {
  ...Object.fromEntries(events.map(([name, , did]) => [name, `Link ${did}`])),
  clicks: "Clicks",
  "webhook.test": "Test",
};

// eventName returns what an event is called; one that this page doesn't know as it is.
export const eventName = (type) => lookUp(eventNames, type) ?? visible(type);

// eventsText says in a few words which events a webhook is told of.
export function eventsText(names) {
  const did = events.filter(([name, , text]) => text && names.includes(name));
  return [
    did.length && `Links ${did.map(([, , text]) => text).join(", ")}`,
    names.includes("clicks") && (did.length ? "clicks" : "Clicks"),
  ]
    .filter(Boolean)
    .join(" · ");
}

// reasons say why the server disabled a webhook.
const reasons = {
  gone: "Answer 410 (gone)",
  failing: "Three days without success",
  backlog: `${count(10_000)} deliveries were waiting`,
};

// reasonOf says why the server disabled a webhook, "" if somebody else did, or nobody.
export const reasonOf = ({ disabled_reason: reason }) => lookUp(reasons, reason) ?? "";

export const isOff = ({ status }) => status === "disabled";

// HookURL shows where a webhook sends to: in one line, or whole.
export const HookURL = ({ url, whole = false }) =>
  html`<bdi dir="ltr" class="hook-url" title=${whole ? undefined : visible(url)}>
    ${schemeOf(url)}<${URLText} url=${whole ? url : shorten(url)} /></bdi>`;

// HookName shows nameOf.
export const HookName = ({ hook: { description, url } }) =>
  description ? html`<bdi>${visible(description)}</bdi>` : html`<${HookURL} url=${url} />`;

// mayChange reports whether somebody may change a webhook: their own, or as an admin any.
export const mayChange = (hook, who) =>
  isAdmin(who) || (mayEdit(who) && hook.created_by === who.identity && hook.owner !== everybody);

// ownerOf returns the owner that a request about a webhook has to name.
const ownerOf = (hook) => (hook.created_by === me.get().identity ? "" : everybody);

export const hookPath = (hook, below = "", query = {}) =>
  of(address(`/api/webhooks/${encodeURIComponent(hook.id)}${below}`, query), ownerOf(hook));

export const change = (hook, body) => request("PATCH", hookPath(hook), { body });

export const deliveryPath = (hook, { id }, below = "") =>
  hookPath(hook, `/deliveries/${encodeURIComponent(id)}${below}`);

// answerOf says how an attempt ended.
export const answerOf = ({ status, error }) =>
  status ? `Answer ${status}` : error ? visible(error) : "No answer";

const statuses = { waiting: "Waiting", delivered: "Delivered", failed: "Failed" };

export const statusName = (status) => lookUp(statuses, status) ?? visible(status);

export const triesText = ({ attempts }) =>
  attempts.length > 1 ? plural(attempts.length, "attempt", "attempts") : "";

// pretty returns a payload as people read it.
export const pretty = (payload) => JSON.stringify(payload, null, 2);
