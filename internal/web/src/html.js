import { h } from "preact";
import htm from "htm";

// Markup in template strings. What is put into one becomes text or an attribute, never markup.
export const html = htm.bind(h);
