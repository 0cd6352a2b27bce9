// A link's history, in sentences.
import { useEffect, useState } from "preact/hooks";
import { request } from "./api.js";
import { ago, count, dateTime, lookUp, urlParts, visible } from "./format.js";
import { html } from "./html.js";
import { aborted } from "./transport.js";

const few = 5;
const at = (time) => dateTime(new Date(time));
const quoted = (text) => `“${visible(text)}”`;
const where = (url) => visible(urlParts(url).join(""));
const list = (tags) => tags.map(visible).join(", ");

// sentences maps each field to a description of its old and new value; one of them may be null.
const sentences = {
  original_url: (old, now) => `Destination changed from ${where(old)} to ${where(now)}`,
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
  expired_url: (old, now) =>
    now ? `Goes to ${where(now)} once it has ended` : "Shows the default page once it has ended",
  password: (old, now) => (!now ? "Password removed" : old ? "Password changed" : "Password set"),
  redirect_status: (old, now) => `Redirect type changed from ${old ?? 302} to ${now ?? 302}`,
  forward_query: (old, now) => (now ? "Forwards the query" : "No longer forwards the query"),
  forward_path: (old, now) => (now ? "Forwards the path" : "No longer forwards the path"),
  rules: (old, now) => rulesChanged(old ?? [], now ?? []),
};

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

export const sentence = (name, { old, new: now }) =>
  lookUp(sentences, name)?.(old, now) || `${name} changed`;

export function History({ link }) {
  const { short_code: code, created_by: owner, updated_at: version } = link;
  const [changes, setChanges] = useState([]);
  const [more, setMore] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    request("GET", `/api/urls/${encodeURIComponent(code)}/history`, { signal: controller.signal })
      .then((answer) => setChanges(answer.changes))
      .catch((error) => aborted(error) || setChanges([]));
    return () => controller.abort();
  }, [code, version]);
  if (!changes.length) return null;
  return html`<section class="panel history" aria-labelledby="history-title">
    <header class="panel-head"><h2 id="history-title">History</h2></header>
    <ol>${changes.slice(0, more ? undefined : few).map(
      ({ time, by, fields }, i) =>
        html`<li key=${i}><div>${Object.entries(fields).map(
          ([name, change]) => html`<p key=${name}>${sentence(name, change)}</p>`,
        )}</div>
        <span class="quiet">${by && by !== owner && html`<span>by ${visible(by)}, </span>`}
          <time datetime=${time} title=${at(time)}>${ago(new Date(time), "long")}</time></span>
      </li>`,
    )}</ol>
    ${
      changes.length > few &&
      html`<p class="panel-more"><button type="button" class="text-button"
      onClick=${() => setMore(!more)}>
      ${more ? "Show less" : `Show all ${count(changes.length)} changes`}</button></p>`
    }
  </section>`;
}
