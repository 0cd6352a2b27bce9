import assert from "node:assert/strict";
import { test } from "node:test";
import { firstURL } from "./urls.js";

test("the first URL of a text is found, without the sentence around it", () => {
  for (const [text, url] of [
    ["https://example.com/a", "https://example.com/a"],
    ["Look at this: https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
    ["A title\nHTTP://Example.com/a\nhttps://example.org/", "HTTP://Example.com/a"],
    ["Read https://example.com/a. It is good", "https://example.com/a"],
    ["Have you seen “https://example.com/a”?", "https://example.com/a"],
    ["<https://example.com/a>", "https://example.com/a"],
    ["[here](https://example.com/a), or there", "https://example.com/a"],
    ["(as in https://example.com/Go_(game))", "https://example.com/Go_(game)"],
    ["https://example.com/Go_(game)", "https://example.com/Go_(game)"],
    ["https://[::1]", "https://[::1]"],
    ["https://example.com/grüße", "https://example.com/grüße"],
    ["https://... or rather https://example.com/a", "https://example.com/a"],
    ["ftp://example.com/ mailto:a@example.com example.com", ""],
    ["xhttps://example.com/", ""],
    ["", ""],
  ]) {
    assert.equal(firstURL(text), url, text);
  }
});
