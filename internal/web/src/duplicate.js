// A copy of a link: the card is filled in with all that another link can have of it.
import { keyOf, shortOf } from "./format.js";
import { batch, draft, refusal } from "./newlink.js";
import { form } from "./parts.js";
import { load } from "./record.js";
import { go } from "./router.js";
import { offer, say, tell } from "./ui.js";

// inWords says which link a draft is a copy of, and what was not copied.
export const inWords = ({ of: key, left }) =>
  `A copy of ${shortOf(key)}${
    left.length ? `. Not copied: ${left.join(", ")}.` : ", with an address of its own."
  }`;

// duplicate leads to the card. What was in there can be had back.
export async function duplicate(original) {
  if (batch.get()?.busy) return tell("Wait until the list is shortened.");
  try {
    const [{ copyOf }, link] = await Promise.all([form(), load(keyOf(original))]);
    const { options, left } = copyOf(link);
    const before = draft.get(),
      lines = batch.get();
    batch.set(null);
    refusal.set("");
    const copied = { of: keyOf(link), url: link.original_url, left };
    draft.set({ url: link.original_url, options, isOpen: true, copied });
    if (lines || before.url || before.options) {
      offer("Replaced what was in the card", () => {
        draft.set(before);
        batch.set(lines);
      });
    }
    say(inWords(copied));
    if (!document.querySelector(".create-card")) go("/ui/"); // which has one's own links
    focusCode();
  } catch (error) {
    tell(`Not duplicated: ${error.message}`);
  }
}

// focusCode waits for the card's form to be drawn.
function focusCode(frames = 60) {
  requestAnimationFrame(() => {
    const field = document.getElementById("new-short_code");
    if (!field) return frames > 0 && focusCode(frames - 1);
    scrollTo(0, 0);
    field.focus();
  });
}
