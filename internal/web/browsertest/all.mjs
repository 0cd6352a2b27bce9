// The tests of the files that are named as arguments, in one process: a browser takes seconds to
// start, and all of them share it.
import { after } from "node:test";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { closeBrowsers } from "./harness.mjs";

after(closeBrowsers);
for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)));
