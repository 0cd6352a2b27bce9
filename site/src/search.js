// Searches the texts, which stand before this in the same file, and shows what was found.
"use strict";
{
  const dialog = document.querySelector("dialog.search");
  const root = document.querySelector(".search-button").dataset.root;
  const field = dialog.querySelector("input");
  const list = dialog.querySelector("[role=listbox]");
  const say = dialog.querySelector("[role=status]");
  const most = 20; // results that are shown

  // A name such as BASE_URL or base-url is a word, and so are its parts.
  const words = (text) =>
    (text.match(/[\p{L}\p{M}\p{N}]+(?:[_.:/-][\p{L}\p{M}\p{N}]+)*/gu) ?? []).flatMap((word) => {
      const parts = word.split(/[_.:/-]/u);
      return parts.length > 1 ? [word, ...parts] : parts;
    });

  const records = globalThis.texts.flatMap((page, i) =>
    page.records.map((record, j) => ({
      ...record,
      page: page.label,
      url: page.url + (j ? `#${record.id}` : ""),
      isPage: j === 0,
      // Users look for pages first, and seldom for what is about the project.
      weight: (page.section === globalThis.texts.at(-1).section ? 0.3 : 1) * (j ? 1 : 2),
      key: `${i} ${j}`,
    })),
  );
  const byKey = new Map(records.map((record) => [record.key, record]));
  const index = new globalThis.MiniSearch({
    idField: "key",
    fields: ["name", "page", "text"],
    tokenize: words,
    searchOptions: {
      boost: { name: 5, page: 2 },
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      tokenize: (text) => [text],
      boostDocument: (key) => byKey.get(key).weight,
    },
  });
  index.addAll(records);

  // find returns the records with all words that were typed or their synonyms. The last word may
  // still be typed, unless it is known as it is. If no record has all words, it returns those with
  // the most.
  function find(text) {
    const typed = text
      .toLowerCase()
      .split(/\s+/u)
      .map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
      .filter(Boolean);
    const queries = typed.map((word, i) => {
      const same = Object.hasOwn(globalThis.synonyms, word) ? globalThis.synonyms[word] : [];
      return {
        combineWith: "OR",
        queries: [word, ...same],
        prefix: i === typed.length - 1 && same.length === 0,
      };
    });
    if (queries.length === 0) return { results: [] };
    const results = index.search({ combineWith: "AND", queries });
    if (results.length > 0 || queries.length === 1) return { results };
    // How many of the words each record has, and how well it fits each.
    const some = new Map();
    for (const query of queries)
      for (const { id, score, match } of index.search(query)) {
        const before = some.get(id) ?? { id, count: 0, score: 0, match: {} };
        some.set(id, {
          id,
          count: before.count + 1,
          score: before.score + score,
          match: { ...before.match, ...match },
        });
      }
    const count = Math.max(0, ...[...some.values()].map((result) => result.count));
    const best = [...some.values()].filter((result) => result.count === count);
    return { results: best.sort((a, b) => b.score - a.score), isPart: true };
  }

  let chosen = -1;
  const options = () => [...list.children];

  function choose(i) {
    chosen = i;
    for (const [j, option] of options().entries()) option.ariaSelected = String(i === j);
    const option = list.children[i];
    if (!option) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  // marked returns a text with what was found in it.
  function marked(text, found) {
    const pattern = found.map((word) => word.replaceAll(/[./]/g, "\\$&")).join("|");
    const parts = found.length ? text.split(new RegExp(`(${pattern})`, "giu")) : [text];
    return parts.map((part, i) => {
      if (i % 2 === 0) return part;
      const mark = document.createElement("mark");
      mark.textContent = part;
      return mark;
    });
  }

  // around returns the part of a text in which something was found first.
  function around(text, found) {
    const lower = text.toLowerCase();
    const at = Math.min(...found.map((word) => lower.indexOf(word)).filter((i) => i >= 0));
    const begin = at > 60 && Number.isFinite(at) ? text.indexOf(" ", at - 50) + 1 : 0;
    return (begin ? "…" : "") + text.slice(begin, begin + 180);
  }

  function optionFor(result, i) {
    const record = byKey.get(result.id);
    // the longest first, so that the whole of a word is marked
    const found = Object.keys(result.match).sort((a, b) => b.length - a.length);
    const option = document.createElement("a");
    option.id = `theResult${i}`;
    option.role = "option";
    option.href = root + record.url;
    option.tabIndex = -1;
    const line = (name, ...content) => {
      const part = document.createElement("span");
      part.className = name;
      part.append(...content);
      option.append(part);
    };
    line("result-name", ...marked(record.name, found));
    if (!record.isPage) line("result-page", record.page);
    line("result-text", ...marked(around(record.text, found), found));
    return option;
  }

  function search() {
    const { results, isPart } = find(field.value);
    list.replaceChildren(...results.slice(0, most).map(optionFor));
    list.hidden = results.length === 0;
    list.scrollTop = 0;
    field.ariaExpanded = String(results.length > 0);
    choose(results.length ? 0 : -1);
    say.textContent = "";
    if (!field.value.trim()) return;
    if (results.length === 0) {
      const contents = document.createElement("a");
      contents.href = `${root}contents.html`;
      contents.textContent = "contents";
      say.append("Nothing found. All pages are in the ", contents, ".");
      return;
    }
    const count =
      results.length > most
        ? `The first ${most} of ${results.length}`
        : results.length === 1
          ? "1 result"
          : `${results.length} results`;
    say.textContent = isPart ? `Nothing has all words. ${count} with most of them` : count;
  }

  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = list.children.length;
    if (step && count) {
      event.preventDefault();
      choose((chosen + step + count) % count);
    }
    if (event.key === "Enter") list.children[chosen]?.click();
  });
  // the page may be the same one
  list.addEventListener("click", (event) => event.target.closest("a") && dialog.close());
  search();
}
