// Changes of links in the list, each with one undo.
import { keyOf, plural } from "./format.js";
import { belongs, replace, rowOf } from "./list.js";
import { everybody, reach } from "./me.js";
import { operate } from "./operations.js";
import { valuesOf } from "./record.js";
import { clear, renew, selected } from "./selection.js";
import { offer, say, tell } from "./ui.js";

export const these = (n) => plural(n, "link", "links");

// update changes each link's fields to what fieldsOf returns, and offers to undo all changes at
// once. done describes them.
export async function update(chosen, fieldsOf, done) {
  const links = chosen.map((link) => rowOf(keyOf(link)) ?? link); // current versions
  const operations = links.map((link) => ({
    op: "update",
    short_code: link.short_code,
    domain: link.domain,
    link: fieldsOf(link),
  }));
  const before = links.map((link, i) => valuesOf(link, Object.keys(operations[i].link)));
  const owner = links.map(reach).find(Boolean) ?? "";
  const changed = await send(operations, owner);
  const back = operations
    .map((operation, i) => ({ ...operation, link: before[i] }))
    .filter((operation) => changed.has(keyOf(operation)));
  const missing = links.length - changed.size;
  const text = missing ? `${done}, but for ${these(missing)}` : done;
  offer(
    text,
    back.length > 0 &&
      (async () => {
        await send(back, "owner" in back[0].link ? everybody : owner);
        say("Changed back");
      }),
  );
}

// send returns the keys of the links that were changed.
async function send(operations, owner) {
  const changed = new Set(),
    now = [];
  let done = 0;
  try {
    await operate(
      operations,
      (results) => {
        for (const { status, link } of results) {
          if (status < 300) {
            changed.add(keyOf(operations[done]));
            if (link) {
              // the answer may lack room for it
              replace(link);
              now.push(link);
            }
          }
          done++;
        }
      },
      {
        owner,
        onPause: (pause) => pause && tell(`Too many requests. Continuing in ${pause} s.`),
      },
    );
  } catch (error) {
    if (!changed.size) throw error; // otherwise the caller reports how many failed
  }
  renew(now);
  return changed;
}

// archive archives links, or takes them out if all of them are archived. Links that the list loses
// are no longer selected.
export async function archive(links) {
  const isBack = links.every((link) => link.archived);
  const what = links.length > 1 ? these(links.length) : keyOf(links[0]);
  await update(
    links,
    () => ({ archived: isBack ? null : true }),
    isBack ? `${what} no longer archived` : `${what} archived`,
  );
  if ([...selected.get().values()].some((link) => !belongs(link))) clear();
}
