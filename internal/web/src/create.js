// The card that creates links: a URL, or a list.
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./api.js";
import { created, remove } from "./deletions.js";
import { preferred } from "./domains.js";
import { inWords } from "./duplicate.js";
import { keyOf, shortOf, urlOf, urlOfKey, webURL } from "./format.js";
import { html } from "./html.js";
import { insert } from "./list.js";
import { linkPage } from "./me.js";
import { importFile } from "./moving.js";
import { batch, draft, edit, empty, refusal } from "./newlink.js";
import { Batch, LinkForm, form, table } from "./parts.js";
import { isNoList } from "./packing.js";
import { hasEnded } from "./record.js";
import { address, go, place } from "./router.js";
import { useStore } from "./store.js";
import { connection } from "./transport.js";
import {
  CopyButton,
  Icon,
  IconButton,
  Short,
  Spelled,
  copy,
  focusProblem,
  offer,
  say,
  tell,
} from "./ui.js";
import { complete, firstURL, objection, refusal as reasonOf, several } from "./urls.js";

const searchable = 200; // longest search in the API, in characters
const maxBytes = 5 * 1024 * 1024; // of a text or file that is read
const notLoaded = "Not created: can't reach the server. Your text is kept.";

export const focusCreate = () => document.getElementById("create-url")?.focus();

// tryExample fills in a URL for those who have none at hand.
export function tryExample() {
  edit({ url: "https://example.com/" });
  focusCreate();
}

// refuse says what is wrong with what was pasted or typed.
const refuse = (message) => (batch.get() ? tell(message) : refusal.set(message));

export function Create({ onQR }) {
  const [dropping, setDropping] = useState(false);
  useEffect(() => {
    prefill().catch(() => {}); // the list works without the form
    const isElsewhere = ({ target }) =>
      target.closest?.("input, textarea, dialog") || document.querySelector("dialog[open]");
    const paste = (event) => {
      if (!isElsewhere(event) && take(event.clipboardData.getData("text"), false))
        event.preventDefault();
    };
    const hasFile = (event) =>
      event.dataTransfer?.types.includes("Files") && !document.querySelector("dialog[open]");
    const drag = (event) => {
      if (hasFile(event)) event.preventDefault();
      setDropping(hasFile(event));
    };
    const leave = (event) => event.relatedTarget || setDropping(false);
    const drop = (event) => {
      setDropping(false);
      if (!hasFile(event)) return;
      event.preventDefault();
      takeFile(event.dataTransfer.files[0]);
    };
    const handlers = { paste, dragover: drag, dragleave: leave, drop };
    for (const [name, handle] of Object.entries(handlers)) addEventListener(name, handle);
    return () => {
      for (const [name, handle] of Object.entries(handlers)) removeEventListener(name, handle);
    };
  }, []);
  const list = useStore(batch);
  return html`<div class="create-card" data-dropping=${dropping}>
    ${list ? html`<${Batch} />` : html`<${Single} onQR=${onQR} />`}</div>`;
}

// Bookmarklets, other pages and what people share with the dashboard as an app lead here,
// /ui/?url=…&title=…&text=…, and so does the page of missed addresses, /ui/?code=…. What can't be a
// code becomes an alias. Many apps share a URL within the text.
async function prefill() {
  const { path, query } = place.get();
  const [given, title, text, code] = ["url", "title", "text", "code"].map(
    (name) => query.get(name)?.trim() ?? "",
  );
  if (path !== "/ui/" || !(given || title || text || code)) return;
  const url = webURL(given) ? given : firstURL(text) || given;
  if (url || title || text) edit({ url });
  edit({ isOpen: true });
  if (text && !url) refuse("There is no web address in what was shared.");
  go("/ui/", { replace: true });
  focusCreate();
  const { draftOf, withAddress } = await form();
  const before = draft.get().options ?? draftOf({ domain: preferred.get() });
  const options =
    url || title || text
      ? {
          ...draftOf({ title: [...title].slice(0, 200).join(""), domain: before.domain }),
          short_code: before.short_code,
        }
      : before;
  edit({ options: code ? withAddress(options, code) : options });
}

// take puts pasted or dropped text where it belongs, and reports whether it did. Browsers would
// join its lines.
function take(text, isField) {
  const line = text.trim();
  refusal.set("");
  if (text.length > maxBytes) {
    refuse("That's too much text. At most 5 MB can be read.");
  } else if (/[\t\r\n]/.test(line) || several(line).length) {
    takeList(text, isField);
  } else if (isField && /\s/.test(line)) {
    insertLine(line);
  } else if (!isField && !batch.get() && /^https?:\/\//i.test(line) && webURL(line)) {
    edit({ url: line.replace(/\s+/g, " ") });
    refuse(objection(line));
    focusCreate();
  } else {
    return false;
  }
  return true;
}

// takeList shows the text as a table. A text without a URL stays where it was pasted.
async function takeList(text, isField) {
  try {
    const { propose, isForImport, noURL } = await table();
    if (isForImport(text)) return importFile(new File([text], "pasted.csv", { type: "text/csv" }));
    const problem = propose(text);
    if (problem && problem !== noURL) refuse(problem);
    else if (problem && isField) insertLine(text);
  } catch {
    refuse("Couldn't read the list: can't reach the server. Paste it again in a moment.");
  }
}

// takeTyped does the same with what stands in the field.
async function takeTyped(text) {
  await takeList(text, false);
  if (batch.get()) edit({ url: "" });
}

function insertLine(text) {
  document.execCommand("insertText", false, text.trim().replace(/\s+/g, " ")); // can be undone
  refuse(objection(text.trim()));
}

// takeFile shows a list of URLs as a table. What is too big for that, an export, or a table of
// links with their codes, dates and clicks is for the page of imports.
async function takeFile(file) {
  if (!file) return;
  if (file.size > maxBytes) return importFile(file);
  try {
    if (isNoList(new Uint8Array(await file.slice(0, 64).arrayBuffer()))) return importFile(file);
    const { propose, decode, isForImport } = await table();
    const text = decode(await file.arrayBuffer());
    if (isForImport(text)) return importFile(file);
    const problem = propose(text);
    if (problem) refuse(problem);
  } catch {
    refuse("Couldn't read the file.");
  }
}

// find returns the keys of links of a domain that lead to the URL, have not ended and are not
// archived, among the first matches of a search.
async function find(url, domain, signal) {
  try {
    const search = [...url].slice(0, searchable).join("");
    const path = address("/api/urls", { search, archived: "false", limit: 20 });
    const { urls } = await request("GET", path, { signal });
    return urls
      .filter((link) => link.original_url === url && !hasEnded(link))
      .filter((link) => (link.domain ?? "") === domain)
      .map(keyOf);
  } catch {
    return []; // only a hint
  }
}

// useExisting returns the key of an existing link to the URL in the field.
function useExisting(url, domain) {
  const [found, setFound] = useState({ url: "", domain, key: "" });
  useEffect(() => {
    if (!webURL(url) || objection(url)) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const [key = ""] = await find(url, domain, controller.signal);
      if (!controller.signal.aborted) setFound({ url, domain, key });
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [url, domain]);
  return found.url === url && found.domain === domain ? found.key : "";
}

// bodyOf returns the API's fields for what was typed.
async function bodyOf(url, options) {
  if (!options) {
    const domain = preferred.get();
    return { original_url: complete(url), ...(domain && { domain }) };
  }
  const { fieldsOf } = await form();
  const fields = Object.entries(fieldsOf({ ...options, original_url: url }));
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}

// wrongIn returns the errors in the form below the URL, by field.
async function wrongIn(url, options) {
  if (!options) return {};
  const { problemsOf } = await form();
  const { original_url: _, ...wrong } = problemsOf({ ...options, original_url: url });
  return wrong;
}

// make creates a link and copies its short URL.
async function make(body) {
  const creating = request("POST", "/api/urls", { body });
  const copying = copy(creating.then((answer) => urlOfKey(keyOf(answer)))).catch(() => false);
  const answer = await creating;
  created(answer);
  insert({ ...answer, created_at: new Date().toISOString(), click_count: 0 });
  return { ...answer, copied: await copying };
}

// Single makes a link for one URL. The form below it appears with the URL, or when it is opened.
function Single({ onQR }) {
  const { url, options, isOpen, copied } = useStore(draft);
  const refused = useStore(refusal),
    reachable = useStore(connection);
  const [problems, setProblems] = useState({}); // in the form, by field
  const [made, setMade] = useState(null); // {short_code, domain, copied, existing}
  const [kept, setKept] = useState(""); // the URL that is to have another short URL
  const busy = useRef(false);
  const [waiting, setWaiting] = useState(false);
  const card = useRef();
  const isCopy = copied?.url === complete(url); // that the URL has a link is known then
  const liked = useStore(preferred),
    domain = options ? options.domain : liked;
  const existing = useExisting(isCopy ? "" : complete(url), domain);
  const isGrown = isOpen || url !== "";

  useEffect(() => {
    if (!isGrown || options) return;
    const show = ({ draftOf }) =>
      draft.get().options || edit({ options: draftOf({ domain: preferred.get() }) });
    form().then(show, () => {}); // a URL can be shortened without the form
  }, [isGrown, options, reachable]);

  const type = (to) => {
    edit({ url: to });
    refuse("");
    setMade(null);
  };
  const change = ({ original_url: to, ...rest }) => {
    setProblems({});
    if (to !== url) type(to);
    edit({ options: rest, isOpen: true });
  };
  const refuseFields = (found) => {
    setProblems(found);
    focusProblem(card.current);
  };
  const submit = async (event) => {
    event.preventDefault();
    if (busy.current) return;
    if (!url.trim()) return focusCreate();
    if (several(url).length) return takeTyped(url);
    const reason = objection(complete(url));
    if (reason) return refuse(reason);
    busy.current = true;
    setWaiting(true);
    refuse("");
    try {
      const wrong = await wrongIn(url, options);
      if (Object.keys(wrong).length) return refuseFields(wrong);
      await finish(await bodyOf(url, options));
    } catch (error) {
      await explain(error);
    } finally {
      busy.current = false;
      setWaiting(false);
    }
  };
  const finish = async (body) => {
    // Creating the link does not wait for this.
    const finding =
      isCopy || existing || find(body.original_url, body.domain ?? "", AbortSignal.timeout(5000));
    const link = await make(body);
    empty();
    setProblems({});
    scrollTo(0, 0);
    const other = kept === body.original_url ? "" : existing;
    setMade({ ...link, existing: other });
    say(`${shortOf(keyOf(link))} ${link.copied ? "copied" : "created"}`);
    focusCreate();
    if (existing || isCopy) return;
    const found = (await finding).find((key) => key !== keyOf(link));
    const isIt = (now) => now && keyOf(now) === keyOf(link);
    if (found) setMade((now) => (isIt(now) ? { ...now, existing: found } : now));
  };
  const explain = async (error) => {
    if (!error.status) return refuse(notLoaded);
    const { refusalOf, draftOf } = await form();
    const found = refusalOf(error, { ...(options ?? draftOf()), original_url: url });
    if (found && !found.original_url) return refuseFields(found);
    refuse(found ? reasonOf(url, error.message) : error.message);
  };

  // Cancelling can be undone: the form may have taken minutes.
  const cancel = () => {
    const before = draft.get();
    empty();
    setProblems({});
    refuse("");
    focusCreate();
    if (before.url || before.options)
      offer("Cleared", () => {
        draft.set(before);
      });
  };
  const reuse = async (key) => {
    const text = (await copy(urlOfKey(key))) ? "Copied" : "Use";
    if (made) remove(made);
    else empty();
    setMade(null);
    tell(`${text} ${shortOf(key)}`);
    focusCreate();
  };
  const keepBoth = () => {
    setKept(complete(url));
    if (made) setMade({ ...made, existing: "" });
    focusCreate();
  };
  const known = made ? made.existing : kept === complete(url) ? "" : existing;

  return html`<form ref=${card} class="create" onSubmit=${submit} novalidate
    aria-label="Shorten a URL">
    <div class="create-line">
      <input id="create-url" class="field mono" type="text" inputmode="url" autocomplete="off"
        autocapitalize="off" spellcheck=${false} aria-label="Long URL"
        placeholder="Paste a long URL" value=${url} onInput=${(e) => type(e.target.value)}
        onPaste=${(e) => take(e.clipboardData.getData("text"), true) && e.preventDefault()}
        onDrop=${(e) => take(e.dataTransfer.getData("text"), true) && e.preventDefault()}
        onKeyDown=${(e) => e.key === "Escape" && e.target.blur()}
        onFocus=${() => form().catch(() => {})}
        aria-invalid=${Boolean(refused)}
        aria-describedby=${refused ? "create-problem" : undefined} />
      ${!isGrown && html`<${Rest} onOpen=${() => edit({ isOpen: true })} />`}
    </div>
    <${Spelled} text=${url} />
    ${(isGrown || refused || made) && html`<div class="create-note">${note()}</div>`}
    ${
      isGrown &&
      html`<div class="form create-form">
      ${
        options &&
        html`<${LinkForm} id="new" isNew=${true} draft=${{ ...options, original_url: url }}
        onChange=${change} problems=${problems} />`
      }
      <div class="form-end"><button type="button" class="button" onClick=${cancel}>Cancel</button>
        <button class="button primary" aria-busy=${waiting}>Shorten</button></div></div>`
    }
  </form>`;

  function note() {
    if (refused) return html`<p id="create-problem" class="problem" role="alert">${refused}</p>`;
    return html`${made && html`<${Made} link=${made} onQR=${onQR} />`}
      ${
        known
          ? html`<${Existing} of=${known} isOld=${Boolean(made)} onUse=${reuse}
            onKeep=${keepBoth} />`
          : !made &&
            html`<p class="hint">${
              copied ? inWords(copied) : "Enter shortens it and copies the short URL."
            }</p>`
      }`;
  }
}

// Rest is what the card offers while it is empty.
function Rest({ onOpen }) {
  const input = useRef();
  const choose = (event) => {
    takeFile(event.target.files[0]);
    event.target.value = ""; // the same file can be chosen again
  };
  return html`<input ref=${input} type="file" hidden accept=".csv,.tsv,.txt,text/csv,text/plain"
      aria-label="CSV file" onChange=${choose} />
    <${IconButton} icon="upload" label="Shorten a list from a CSV file"
      onClick=${() => input.current.click()} />
    <button type="button" class="text-button" aria-expanded="false"
      onClick=${onOpen}>Options</button>`;
}

function Made({ link, onQR }) {
  const key = keyOf(link);
  return html`<p class="made">
  <${Icon} name="done" /><a class="mono" href=${urlOf(linkPage(key))}><${Short} of=${key}
    whole /></a><span class="quiet">${link.copied ? "Copied" : "Created"}</span>
  ${!link.copied && html`<${CopyButton} text=${urlOfKey(key)} label="Copy the short URL" />`}
  <${IconButton} icon="qr" label="QR code for the new link" onClick=${() => onQR(link)} /></p>`;
}

// Existing says that the URL already has a short link. To use that deletes the one just made, which
// can be undone.
function Existing({ of: key, isOld, onUse, onKeep }) {
  const short = shortOf(key),
    has = isOld ? "had" : "have";
  useEffect(() => say(`You already ${has} ${short} for this URL`), [key]);
  return html`<p class="known"><span>${"You "}<span class="known-why">already </span>${`${has} `}<a
      class="mono" href=${urlOf(linkPage(key))}><${Short} of=${key} whole /></a><span
      class="known-why">${" for this URL"}</span></span>
    <button type="button" class="text-button" onClick=${() => onUse(key)}>Use it</button>
    <button type="button" class="text-button" onClick=${onKeep}>Keep both</button></p>`;
}
