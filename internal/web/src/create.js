// The form that creates links.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { bulk, dismiss, maxURLs, propose, shortenAll } from "./bulk.js";
import { created } from "./deletions.js";
import { count, plural, shortHost, shortURL, webURL } from "./format.js";
import { html } from "./html.js";
import { insert } from "./list.js";
import { LinkForm, form } from "./parts.js";
import { hasEnded } from "./record.js";
import { address, go, place } from "./router.js";
import { store, useStore } from "./store.js";
import {
  CopyButton,
  Icon,
  IconButton,
  Spelled,
  URLText,
  copy,
  focusProblem,
  say,
  tell,
} from "./ui.js";
import { complete, objection, refusal, several } from "./urls.js";

const longestCode = 20; // characters of a code, as in the API
const searchable = 200; // longest search in the API, in characters

// The input survives a visit to another page. options is the draft of the form, null while that is
// closed.
const nothing = { url: "", code: "", choosing: false, options: null };
const draft = store(nothing);
const edit = (change) => draft.set({ ...draft.get(), ...change });

const withOptions = async (fields) => ({ ...(await form()).draftOf(fields) });

// Bookmarklets and other pages link here with a URL and a title, /ui/?url=…&title=…, and the page
// of unknown codes with a code, /ui/?code=….
async function prefill() {
  const { path, query } = place.get();
  const [url, title, code] = ["url", "title", "code"].map((name) => query.get(name)?.trim() ?? "");
  if (path !== "/ui/" || !(url || title || code)) return;
  if (url || title) edit({ url });
  if (code) edit({ code, choosing: true });
  go("/ui/", { replace: true });
  focusCreate();
  if (!url && !title) return;
  const options = await withOptions({ title: [...title].slice(0, 200).join("") });
  edit({ options });
}

// explain returns the message for an API error, and the field it belongs to.
function explain({ status, field, message }, url, code) {
  if (status === 0)
    return { field: "url", message: "Not created: can't reach the server. Your text is kept." };
  if (field === "short_code") return { field: "code", message: codeProblem(status, code) };
  return { field: "url", message: field === "original_url" ? refusal(url, message) : message };
}

// codeProblem returns why the server refuses a code: it has the wrong form, is taken or is
// reserved.
function codeProblem(status, code) {
  if (!/^[\w-]{3,20}$/.test(code)) return "Use 3–20 letters, digits, - or _.";
  return `"${code}" is ${status === 409 ? "taken" : "reserved"}. Try another.`;
}

// find returns the codes of links that lead to the URL and have not ended, among the first matches
// of a search.
async function find(url, signal) {
  try {
    const search = [...url].slice(0, searchable).join("");
    const { urls } = await request("GET", address("/api/urls", { search, limit: 20 }), { signal });
    return urls
      .filter((link) => link.original_url === url && !hasEnded(link))
      .map((link) => link.short_code);
  } catch {
    return []; // only a hint
  }
}

// useExisting returns the code of an existing link to the URL in the field.
function useExisting(url) {
  const [found, setFound] = useState({ url: "", code: "" });
  useEffect(() => {
    if (!webURL(url) || objection(url)) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const [code = ""] = await find(url, controller.signal);
      if (!controller.signal.aborted) setFound({ url, code });
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [url]);
  return found.url === url ? found.code : "";
}

const showProblem = () => focusProblem(document.querySelector(".create-options"));

export const focusCreate = () => document.getElementById("create-url")?.focus();

export function Create({ onQR }) {
  const { url, code, choosing, options } = useStore(draft);
  const [problems, setProblems] = useState({}); // in the options, by field
  const batch = useStore(bulk);
  const [problem, setProblem] = useState(null); // {field, message}
  const [made, setMade] = useState(null); // {short_code, copied, existing}
  const [busy, setBusy] = useState(false);
  const chosen = useRef();
  const existing = useExisting(complete(url));
  const refuse = (field, message) => {
    setMade(null);
    setProblem({ field, message });
    if (field === "code") chosen.current?.focus();
  };

  // take puts pasted or dropped text where it belongs, and reports whether it did. Browsers would
  // join its lines.
  const take = (text, isField) => {
    const urls = several(text);
    setProblem(null);
    if (urls.length > maxURLs) {
      refuse(
        "url",
        `That's ${count(urls.length)} URLs. At most ${count(maxURLs)} can be shortened at a time.`,
      );
    } else if (urls.length) {
      propose(urls);
    } else if (isField && /\s/.test(text.trim())) {
      const line = text.trim().replace(/\s+/g, " ");
      document.execCommand("insertText", false, line); // can be undone
      refuse("url", objection(text.trim()));
    } else if (!isField && /^https?:\/\//i.test(text.trim()) && webURL(text)) {
      edit({ url: text.trim().replace(/\s+/g, " ") });
      if (objection(text.trim())) refuse("url", objection(text.trim()));
      focusCreate();
    } else {
      return false;
    }
    return true;
  };
  const takeFrom = (event, data) => take(data.getData("text"), true) && event.preventDefault();

  useEffect(() => {
    prefill().catch(() => {});
  }, []);
  useEffect(() => {
    const paste = (event) => {
      if (
        event.target.closest?.("input, textarea, dialog") ||
        document.querySelector("dialog[open]")
      )
        return;
      if (take(event.clipboardData.getData("text"), false)) event.preventDefault();
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, []);

  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    if (!url.trim()) return focusCreate();
    const urls = several(url);
    if (urls.length && urls.length <= maxURLs) {
      propose(urls);
      return edit({ url: "" });
    }
    const body = { original_url: complete(url) },
      own = choosing ? code.trim() : "";
    const reason = objection(body.original_url);
    if (reason) return refuse("url", reason);
    if (own.length > longestCode) return chosen.current?.focus();
    if (options) {
      const { fieldsOf, problemsOf } = await form();
      const whole = { ...options, original_url: url };
      const { original_url: _, ...wrong } = problemsOf(whole);
      setProblems(wrong);
      if (Object.keys(wrong).length) return showProblem();
      for (const [name, value] of Object.entries(fieldsOf(whole))) {
        if (value !== null) body[name] = value;
      }
    }
    setBusy(true);
    setProblem(null);
    if (own) body.short_code = own;
    const creating = request("POST", "/api/urls", { body });
    const copying = copy(creating.then((answer) => shortURL(answer.short_code))).catch(() => false);
    // Creating the link does not wait for this.
    const finding = existing || find(body.original_url, AbortSignal.timeout(5000));
    try {
      const answer = await creating;
      created(answer.short_code);
      draft.set(nothing);
      insert({ ...answer, created_at: new Date().toISOString(), click_count: 0 });
      scrollTo(0, 0);
      const copied = await copying;
      setMade({ ...answer, copied });
      say(`${shortHost}/${answer.short_code} ${copied ? "copied" : "created"}`);
      focusCreate();
      const other = existing || (await finding).find((found) => found !== answer.short_code);
      if (other)
        setMade((old) =>
          old?.short_code === answer.short_code ? { ...old, existing: other } : old,
        );
    } catch (error) {
      const { field, message } = explain(error, url, own);
      const found = options && (await form()).refusalOf(error, { ...options, original_url: url });
      if (found && !found.original_url) {
        setProblems(found);
        showProblem();
      } else {
        refuse(own ? field : "url", message);
      }
    } finally {
      setBusy(false);
    }
  };

  const toggle = () => {
    edit({ choosing: !choosing, code: "" });
    setProblem(null);
    if (!choosing) requestAnimationFrame(() => chosen.current?.focus());
  };
  const type = (change) => {
    edit(change);
    setProblem(null);
    if (made) setMade(null);
  };
  const toggleOptions = async () => {
    setProblems({});
    if (options) return edit({ options: null });
    edit({ options: await withOptions({}) });
    requestAnimationFrame(() => document.getElementById("new-title")?.focus());
  };
  // The destination has its field above; campaign parameters are written into it, too.
  const change = ({ original_url: to, ...rest }) => {
    setProblems({});
    edit({ url: to, options: rest });
  };
  const isLong = choosing && code.trim().length > longestCode;
  const shown = isLong ? { field: "code", message: `At most ${longestCode} characters.` } : problem;
  const described = (field) => (shown?.field === field ? "create-problem" : undefined);
  const known = existing || made?.existing;

  return html`<form class="create" onSubmit=${submit} aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${false} aria-label="Long URL"
        placeholder="Paste a long URL" value=${url} onInput=${(e) => type({ url: e.target.value })}
        onPaste=${(e) => takeFrom(e, e.clipboardData)} onDrop=${(e) => takeFrom(e, e.dataTransfer)}
        onKeyDown=${(e) => e.key === "Escape" && e.target.blur()}
        aria-invalid=${shown?.field === "url"} aria-describedby=${described("url")} />
      <button class="button primary" aria-busy=${busy}>Shorten</button>
    </div>
    <${Spelled} text=${url} />
    <div class="create-more">
      ${
        choosing
          ? html`<span class="code-field" data-invalid=${shown?.field === "code"}>
            <span class="quiet mono">${shortHost}/</span>
            <input ref=${chosen} class="mono" aria-label="Short code" placeholder="my-link"
            autocomplete="off" autocapitalize="off" spellcheck=${false}
            value=${code} onInput=${(e) => type({ code: e.target.value })}
            aria-invalid=${shown?.field === "code"} aria-describedby=${described("code")} />
            <${IconButton} icon="close" label="Use a random code" onClick=${toggle} /></span>`
          : html`<button type="button" class="text-button" onClick=${toggle}>Custom code</button>`
      }
      <button type="button" class="text-button" aria-expanded=${Boolean(options)}
        onClick=${toggleOptions}>Options</button>
      ${shown && html`<p id="create-problem" class="problem" role="alert">${shown.message}</p>`}
      ${known && html`<${Existing} code=${known} isOld=${Boolean(made)} />`}
      ${
        made &&
        html`<p class="made"><${Icon} name="done" />
        <a class="mono" href=${`/ui/links/${made.short_code}`}>${shortHost}/${made.short_code}</a>
        <span class="quiet">${made.copied ? "Copied" : "Created"}</span>
        ${
          !made.copied &&
          html`<${CopyButton} text=${shortURL(made.short_code)} label="Copy the short URL" />`
        }
        <${IconButton} icon="qr" label="QR code for the new link"
          onClick=${() => onQR(made.short_code)} /></p>`
      }
    </div>
    ${
      options &&
      html`<div class="create-options"><${LinkForm} id="new" withURL=${false}
        draft=${{ ...options, original_url: url }} onChange=${change} problems=${problems} />
      <div class="form-end"><button type="button" class="button"
        onClick=${toggleOptions}>Cancel</button>
        <button class="button primary" aria-busy=${busy}>Shorten</button></div></div>`
    }
    ${batch && html`<${Batch} batch=${batch} />`}
  </form>`;
}

// Existing says that the URL already has a short link, and offers to use that.
function Existing({ code, isOld }) {
  const short = `${shortHost}/${code}`;
  useEffect(() => say(`You already ${isOld ? "had" : "have"} ${short} for this URL`), [code]);
  const link = html`<a class="mono" href=${`/ui/links/${code}`}>${short}</a>`;
  return html`<p class="known">You already ${isOld ? "had" : "have"} ${link} for this URL
    <${CopyButton} text=${shortURL(code)} label=${`Copy ${short} instead`} /></p>`;
}

async function copyAll(lines) {
  tell(
    (await copy(lines.map((line) => shortURL(line.code)).join("\n")))
      ? `Copied ${plural(lines.length, "short URL", "short URLs")}`
      : "Couldn't copy",
  );
}

// Batch offers to shorten several URLs, and shows a line for each result.
function Batch({ batch: { lines, busy, pause } }) {
  const done = lines.filter((line) => line.code),
    left = lines.length - done.length;
  const begin = () => shortenAll((error, url) => explain(error, url).message);
  const ref = useRef();
  useEffect(() => {
    // the focused button may be gone
    if (document.activeElement === document.body || (!busy && !done.length))
      ref.current.querySelector(".batch-end button:last-of-type").focus();
  }, [busy]);
  const urls = plural(left, "URL", "URLs");
  const isAgain = done.length > 0 || lines.some((line) => line.problem);
  const beginning = isAgain ? `Try ${urls} again` : `Shorten ${urls}`;
  let status = "";
  if (pause) status = `Too many requests. Continuing in ${pause} s.`;
  else if (done.length || busy) {
    status = `${count(done.length)} of ${plural(lines.length, "URL", "URLs")} shortened`;
  }
  return html`<section ref=${ref} class="batch" aria-label="Several URLs">
    <ol>${lines.map(
      ({ url, code, problem }, i) => html`<li key=${i}><${URLText} url=${url} />
      ${
        code &&
        html`<span class="batch-result">
        <a class="mono" href=${`/ui/links/${code}`}>${shortHost}/${code}</a>
        <${CopyButton} text=${shortURL(code)} label=${`Copy ${shortHost}/${code}`} /></span>`
      }
      ${problem && html`<span class="problem">${problem}</span>`}</li>`,
    )}</ol>
    <div class="batch-end"><p class="quiet" role="status">${status}</p>
      ${
        busy
          ? html`<button type="button" class="button" onClick=${dismiss}>Stop</button>`
          : html`<button type="button" class="button" onClick=${dismiss}>
          ${done.length ? "Close" : "Cancel"}</button>
        ${
          done.length > 0 &&
          html`<button type="button" class="button" onClick=${() => copyAll(done)}>
          ${`Copy ${plural(done.length, "short URL", "short URLs")}`}</button>`
        }
        ${
          left > 0 &&
          html`<button type="button" class="button primary" onClick=${begin}>${beginning}</button>`
        }`
      }</div>
  </section>`;
}
