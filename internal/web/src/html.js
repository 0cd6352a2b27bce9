import { h } from "preact";
import htm from "htm";

// Markup in template strings. Interpolated values become text or attributes, never markup.
export const html = htm.bind(h);
