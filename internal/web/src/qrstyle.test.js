import assert from "node:assert/strict";
import test from "node:test";
import { maxLogo, plain, read } from "./qrstyle.js";

test("a style survives being stored", () => {
  const style = {
    color: "#1f4fd8",
    background: "#fff3d6",
    margin: 2,
    level: "Q",
    medium: true,
    size: 2048,
    logo: "data:image/png;base64,iVBORw0KGgo=",
  };
  assert.deepEqual(read(JSON.stringify(style)), style);
});

test("what is not valid is as it is by default, and the rest stays", () => {
  for (const text of [null, "", "no JSON", "null", "[]", '"text"'])
    assert.deepEqual(read(text), plain, String(text));
  const wrong = { color: "red", background: "#ffffff", margin: 21, level: "X", size: 3, logo: "x" };
  assert.deepEqual(read(JSON.stringify({ ...wrong, medium: true })), { ...plain, medium: true });
});

test("a logo that is too large is forgotten", () => {
  const logo = "data:image/png;base64,".padEnd(maxLogo + 1, "A");
  assert.equal(read(JSON.stringify({ logo })).logo, "");
  assert.equal(read(JSON.stringify({ logo: logo.slice(0, maxLogo) })).logo.length, maxLogo);
});
