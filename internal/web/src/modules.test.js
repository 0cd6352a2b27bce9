import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const folder = new URL("./", import.meta.url);
const imported = /(?:\bfrom |\bimport |\bimport\()"\.\/([^"]+\.js)"/g;

const files = readdirSync(folder).filter((name) => /(?<!\.test)\.js$/.test(name));
const source = (name) => readFileSync(new URL(name, folder), "utf8");

// The server may be below a path, which urlOf knows.
test("no link names a path of the server without urlOf", () => {
  for (const name of files)
    assert.doesNotMatch(source(name), /href=(?:"\/|\$\{["`]\/|\$\{address\()/, name);
});

test("no module imports itself, directly or through others, at once or on demand", () => {
  const imports = new Map(
    files.map((name) => [name, [...source(name).matchAll(imported)].map(([, other]) => other)]),
  );
  const done = new Set(),
    path = [];
  const visit = (name) => {
    if (path.includes(name))
      assert.fail([...path.slice(path.indexOf(name)), name].join(" imports "));
    if (done.has(name)) return;
    path.push(name);
    imports.get(name).forEach(visit);
    path.pop();
    done.add(name);
  };
  files.forEach(visit);
  assert.ok(done.size > 50, `${done.size} modules`);
});
