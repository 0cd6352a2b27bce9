// The hosts at which links are served, where there are several.
import { useEffect } from "preact/hooks";
import { request } from "./api.js";
import { basePath, defaultHost, domainOf, isSeveral, visible } from "./format.js";
import { html } from "./html.js";
import { Choice } from "./pick.js";
import { store, useStore } from "./store.js";

// The server's rows, the default one first, [] until they are known. name is the domain of links
// there, "" for the default.
export const domains = store([]);
let asking = null;

// learnDomains loads them, once unless they may have changed.
export function learnDomains(anew = false) {
  if (!isSeveral || (asking && !anew)) return asking;
  asking = request("GET", "/api/domains").then(
    (answer) => domains.set(answer.domains.map((row) => ({ ...row, name: domainOf(row.domain) }))),
    (error) => {
      asking = null;
      throw error;
    },
  );
  return asking;
}

const learn = () => learnDomains()?.catch(() => {}); // the next one who needs them tries again

const key = `terse-domain${basePath}`;

// The domain of new links: the one that was chosen last in this browser.
export const preferred = store(remembered());

function remembered() {
  try {
    return (isSeveral && localStorage.getItem(key)) || "";
  } catch {
    return "";
  }
}

export function prefer(name) {
  preferred.set(name);
  try {
    localStorage.setItem(key, name);
  } catch {
    // The next page begins with the default.
  }
}

// DomainFilter chooses whose links are shown by their host.
export function DomainFilter({ domain, onChange }) {
  const found = useStore(domains);
  useEffect(() => {
    learn();
  }, []);
  if (!isSeveral) return null;
  const rows = found.map((row) => [row.domain, row.domain]);
  const isThere = found.some((row) => row.domain === domain);
  return html`<${Choice} label="Domain" value=${domain} onChange=${onChange}
    options=${[
      ["", "Any domain"],
      ...(domain && !isThere ? [[domain, visible(domain)]] : []),
      ...rows,
    ]} />`;
}

// useUnserved reports whether nobody can reach the links of a domain there any more.
export function useUnserved(domain) {
  const found = useStore(domains);
  useEffect(() => {
    if (domain) learn();
  }, [domain]);
  const row = domain && found.find(({ name }) => name === domain);
  return Boolean(row && !row.configured);
}

export const Unserved = ({ domain, children }) =>
  useUnserved(domain) ? children("Domain not served") : null;
