// The page of settings, for those who may see or change any of them.
import { useLayoutEffect } from "preact/hooks";
import { AuditLog } from "./auditlog.js";
import { DomainList } from "./domainlist.js";
import { isSeveral, urlOf } from "./format.js";
import { html } from "./html.js";
import { Waiting } from "./lazy.js";
import { mayManageTokens, me, readsAll, seesWebhooks } from "./me.js";
import { Webhooks } from "./parts.js";
import { address, place } from "./router.js";
import { useStore } from "./store.js";
import { Tokens } from "./tokens.js";
import { Users } from "./userlist.js";

const sections = [
  { name: "tokens", title: "Tokens", Section: Tokens, isFor: mayManageTokens },
  { name: "people", title: "People", Section: Users, isFor: readsAll },
  { name: "webhooks", title: "Webhooks", Section: Webhooks, isFor: seesWebhooks },
  { name: "domains", title: "Domains", Section: DomainList, isFor: () => isSeveral },
  { name: "audit", title: "Audit", Section: AuditLog, isFor: readsAll },
];

export function Settings() {
  const who = useStore(me);
  const { query } = useStore(place);
  const offered = sections.filter(({ isFor }) => isFor(who));
  const shown = offered.find(({ name }) => name === query.get("show")) ?? offered[0];
  useLayoutEffect(() => {
    document.title = `${shown?.title ?? "Settings"} · terse`;
    scrollTo(0, 0);
  }, [shown?.title]);
  if (!who.identity) return html`<${Waiting} />`;
  if (!shown)
    return html`<main class="page" id="main"><div class="state"><h1>Settings</h1>
    <p>Whoever signed in with a token can't change any.</p>
    <a class="button" href=${urlOf("/ui/")}>Back to links</a></div></main>`;
  const { Section } = shown;
  return html`<main class="page settings" id="main">
    <header class="settings-head"><h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">${offered.map(
        ({ name, title }, i) => html`<a key=${name} class="tab"
        href=${urlOf(address("/ui/settings", { show: i ? name : "" }))}
        aria-current=${name === shown.name ? "page" : undefined}>${title}</a>`,
      )}</nav></header>
    <${Section} who=${who} query=${query} />
  </main>`;
}
