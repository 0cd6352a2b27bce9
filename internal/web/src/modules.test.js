import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const folder = new URL("./", import.meta.url);
const imported = /(?:\bfrom |\bimport |\bimport\()"\.\/([^"]+\.js)"/g;

test("no module imports itself, directly or through others, at once or on demand", () => {
  const files = readdirSync(folder).filter((name) => /(?<!\.test)\.js$/.test(name));
  const imports = new Map(
    files.map((name) => [
      name,
      [...readFileSync(new URL(name, folder), "utf8").matchAll(imported)].map(([, other]) => other),
    ]),
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
