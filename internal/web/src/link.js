// The page of a link: what it is, and its clicks.
import { useLayoutEffect, useState } from "preact/hooks";
import { useClicks, useView } from "./clicks.js";
import { isDeleted, remove } from "./deletions.js";
import { ago, dateTime, shortHost, shortURL, visible, webURL } from "./format.js";
import { html } from "./html.js";
import { QR } from "./lazy.js";
import { left } from "./list.js";
import { go } from "./router.js";
import { Stats, Try } from "./stats.js";
import { CopyButton, Icon, IconButton, URLText, copy, say, tell, useKeys } from "./ui.js";

export function LinkPage({ code }) {
  const [qr, setQR] = useState(false);
  const view = useView();
  const clicks = useClicks(`/api/urls/${encodeURIComponent(code)}/clicks`, view.range, view.filters,
    view.comparing);
  useLayoutEffect(() => {
    document.title = `${code} · terse`;
    scrollTo(0, 0);
  }, [code]);
  const { data } = clicks;
  const drop = () => {
    if (!data) return;
    remove({ short_code: code, original_url: data.original_url });
    say(`Deleted ${code}. Press Z to undo.`);
    go(left.href);
  };
  useKeys({
    q: () => setQR(true),
    c: async () => tell((await copy(shortURL(code))) ? `Copied ${shortHost}/${code}`
      : "Couldn't copy"),
    Delete: drop,
  });
  if (clicks.error?.status === 404 || isDeleted(code)) {
    return html`<main class="page" id="main"><div class="state"><h1>Link not found</h1>
      <p>"${code}" doesn't exist or was deleted.</p><a class="button"
        href=${left.href}>Back to links</a></div></main>`;
  }
  const leads = data && webURL(data.original_url);
  return html`<main class="page" id="main">
    <header class="link-head">
      <a class="back" href=${left.href}><${Icon} name="back" />Links</a>
      <div class="link-title"><h1 class="mono"><span class="quiet">${shortHost}/</span>${code}</h1>
        <span class="link-actions"><${CopyButton} text=${shortURL(code)}
          label="Copy the short URL" />
          <${IconButton} icon="qr" label="QR code" onClick=${() => setQR(true)} />
          <a class="icon-button" href=${shortURL(code)} target="_blank" rel="noreferrer noopener"
            aria-label="Open the short URL, which counts as a click"
            title="Open the short URL (counts as a click)"><${Icon} name="open" /></a></span>
        <button type="button" class="button quiet-danger" disabled=${!data}
          onClick=${drop}>Delete</button></div>
      <p class="link-leads">${data
        ? html`<${Icon} name="arrow" />${leads
            ? html`<a href=${leads.href} target="_blank" rel="noreferrer noopener"
              title=${visible(data.original_url)}><${URLText} url=${data.original_url} /></a>`
            : html`<span><${URLText} url=${data.original_url} /></span>`}
              <time class="quiet" datetime=${data.created_at}
                title=${dateTime(new Date(data.created_at))}>
                Created ${ago(new Date(data.created_at), "long")}</time>`
        : html`<i class="bone wide"></i>`}</p>
    </header>
    <${Stats} name=${code} view=${view} clicks=${clicks}
      nothing=${html`<${Try} code=${code} onQR=${() => setQR(true)} />`}
      isNew=${(start) => data && Date.parse(data.created_at) >= start} />
    ${qr && html`<${QR} code=${code} onClose=${() => setQR(false)} />`}
  </main>`;
}
