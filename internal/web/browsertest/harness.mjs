// What the browser tests share: a server of their own, a browser, and pages that watch themselves.
//
// Each *.test.mjs runs twice, in Chromium and in Firefox, against Playwright's one API: write a
// test once, for both. What a browser's driver lacks stands in firefox.mjs. The rules:
//   - it.open(path, options) gives a page. Touch, dark, reduced motion and forced colours are
//     options of it ({ ...phone }, { ...tablet }, { colorScheme: "dark" }); emulateMedia is not
//     there in Firefox.
//   - locator.tap(), touch(page, points) and doubleClick(page, point) work in both.
//   - inFirefox is for what can't be tried there, with the reason beside it.
//   - Wait for a condition with until or waitFor. What takes time gets it from page.clock.
// One file in one browser: `npm ci`, then TERSE_BROWSER=firefox FIREFOX=/usr/bin/firefox-esr
// TERSE_BINARY=… TERSE_DATA=… node all.mjs stats.test.mjs; or, for all,
// go test -run TestDashboard//firefox.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before } from "node:test";
import axe from "axe-core/axe.min.js";
import { chromium } from "playwright-core";
import * as firefox from "./firefox.mjs";
import { correction, generate } from "../src/vendor/lean-qr.mjs";

export const token = "token-for-the-tests";
export const baseURL = "https://sho.rt";
// what a browser says that it is
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
  "Chrome/126.0.0.0 Safari/537.36";
const patience = 60_000; // for what has to happen; nothing is tested for being quick

// Server is the real binary on a free port, with a copy of the data that was made for the tests, or
// none.
export class Server {
  constructor(env) {
    this.env = env;
  }

  async start({ data } = {}) {
    this.dir ??= await mkdtemp(join(tmpdir(), "terse-browser-"));
    if (data) await cp(process.env.TERSE_DATA, this.dir, { recursive: true });
    this.port ??= await freePort();
    this.url = `http://127.0.0.1:${this.port}`;
    this.process = spawn(process.env.TERSE_BINARY, ["serve"], {
      env: {
        ...process.env,
        SERVER_PORT: this.port,
        LISTEN_HOST: "127.0.0.1",
        DATA_DIR: this.dir,
        BASE_URL: baseURL,
        AUTH_TOKENS: `${token},second-token-for-the-tests`,
        API_RATE_LIMIT_PER_MINUTE: "0",
        REDIRECT_RATE_LIMIT_PER_MINUTE: "0",
        LOG_LEVEL: "error",
        ...this.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let told = "";
    this.process.stdout.on("data", (text) => {
      told += text;
    });
    this.process.stderr.on("data", (text) => {
      told += text;
    });
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.ended = ended;
    await until(async () => {
      if (this.process.exitCode !== null) throw new Error(`the server ended:\n${told}`);
      return (await fetch(this.url + "/ready").catch(() => ({}))).ok;
    }, "the server to be ready");
    return this;
  }

  async stop() {
    this.process.kill("SIGTERM");
    await this.ended;
  }

  async close() {
    await this.stop();
    await rm(this.dir, { recursive: true, force: true });
  }

  // api asks the server as a program does, with the token of the settings or another.
  async api(method, path, body, as = token) {
    const response = await fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${as}` },
      body: body && JSON.stringify(body),
    });
    return {
      status: response.status,
      body: response.status === 204 ? null : await response.json(),
    };
  }

  // upload sends a text to the server as a program does.
  async upload(path, text) {
    const response = await fetch(this.url + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: text,
    });
    assert.equal(response.status, 200);
    return response.text();
  }

  // click follows a short link as a visitor with a browser does.
  async click(code, headers = {}) {
    const response = await fetch(`${this.url}/${code}`, {
      redirect: "manual",
      headers: { "User-Agent": chrome, ...headers },
    });
    assert.equal(response.status, 302);
  }
}

// freePort returns a port that no outgoing connection takes before the server listens on it, as
// package freeport does.
function freePort() {
  const port = 10_000 + Math.floor(Math.random() * 22_768);
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once("error", (error) => (error.code === "EADDRINUSE" ? resolve(freePort()) : reject(error)))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });
}

export async function until(condition, what) {
  const end = Date.now() + patience;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const inFirefox = process.env.TERSE_BROWSER === "firefox";
export const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  deviceScaleFactor: 2,
  ...(!inFirefox && { isMobile: true }),
};
export const tablet = { viewport: { width: 820, height: 1180 }, hasTouch: true };

// sizes are those in which what people do is tried.
export const sizes = { desktop: {}, tablet, phone };

// schemes are the colours in which a page is read again. They do not depend on the browser, and
// Firefox is started again for each.
export const schemes = inFirefox ? ["light"] : ["light", "dark"];

// Chromium shows what moves, Firefox what those see who want nothing to move.
const motion = inFirefox ? { reducedMotion: "reduce" } : {};

export async function launch(kind = {}) {
  if (inFirefox) return firefox.launch(kind);
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
}

// launched are this process's browsers, by the kind of page. Chromium needs only one.
const launched = new Map();

async function browserFor({
  hasTouch = false,
  colorScheme = "light",
  reducedMotion,
  forcedColors,
}) {
  const kind = inFirefox ? { hasTouch, colorScheme, reducedMotion, forcedColors } : {},
    key = JSON.stringify(kind);
  if (!launched.has(key)) {
    const browser = launch(kind);
    launched.set(key, browser);
    // one that crashed fails its test, not those that follow
    (await browser).on("disconnected", () => launched.delete(key));
  }
  return launched.get(key);
}

export const closeBrowsers = () =>
  Promise.all([...launched.values()].map(async (browser) => (await browser).close()));

// touch puts a finger on the first point, moves it over the others and lifts it.
export async function touch(page, points) {
  if (inFirefox) return firefox.touch(page, points);
  const session = await page.context().newCDPSession(page);
  const send = (type, point, timestamp) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: point ? [point] : [],
      timestamp,
    });
  // slow enough that nothing is flung: Chromium takes a tap then for its end
  const lifted = Date.now() / 1000,
    began = lifted - 1;
  for (const [i, point] of points.entries())
    await send(i ? "touchMove" : "touchStart", point, began + i / 20);
  await send("touchEnd", null, lifted);
  await session.detach();
}

export async function doubleClick(page, point) {
  await (inFirefox ? firefox.doubleClick(page, point) : page.mouse.dblclick(point.x, point.y));
}

// stopClock has only the test move the clock of what is opened from now on.
export async function stopClock(page) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

// saveData has nothing loaded before it is needed.
export const saveData = (page) =>
  page.addInitScript(() =>
    Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
  );

// rememberSession has a page know that its browser is signed in, as if somebody had done so there.
// basePath is that of BASE_URL.
export const rememberSession = (page, basePath = "") =>
  page.addInitScript((key) => {
    if (location.protocol.startsWith("http")) localStorage[key] ??= "in";
  }, `terse-session${basePath}`);

// sent waits until the test has heard of every request that the page has sent so far.
export async function sent(page) {
  await Promise.all([
    page.waitForRequest(/\/health/),
    page.evaluate(() => fetch("/health").then(() => {})),
  ]);
}

// suite starts a server for the tests of one group. open returns a page that is signed
// in and, when the test ends, must not have seen an error, a request to another host or a violation
// of the policy.
export function suite({ data = true, env } = {}) {
  const it = { server: new Server(env) };
  const basePath = new URL(env?.BASE_URL || baseURL).pathname.replace(/\/$/, "");
  let pages = [];
  before(() => it.server.start({ data }));
  after(() => it.server.close());
  afterEach(async () => {
    const opened = pages;
    pages = [];
    for (const { page, seen } of opened) {
      // an answer that a route still waits for is nobody's fault
      await page.unrouteAll?.({ behavior: "ignoreErrors" });
      await page.context().close();
      assert.deepEqual(seen, []);
    }
  });
  // expect are the errors on the console that belong to the test. as is the token to sign in with.
  it.open = async (path, { signedIn = true, as = token, expect = [], prepare, ...rest } = {}) => {
    const options = { ...motion, ...rest };
    const browser = await browserFor(options);
    const context = await browser.newContext({
      baseURL: it.server.url,
      viewport: { width: 1280, height: 860 },
      locale: "en-GB",
      timezoneId: "Europe/Berlin",
      permissions: inFirefox ? [] : ["clipboard-read", "clipboard-write"],
      ...options,
    });
    context.setDefaultTimeout(patience);
    if (signedIn) {
      const answer = await context.request.post("/ui/session", { data: { token: as } });
      assert.equal(answer.status(), 204);
    }
    const page = await context.newPage();
    if (inFirefox) firefox.enable(page);
    if (signedIn) await rememberSession(page, basePath);
    pages.push({ page, seen: watch(page, it.server.url, expect) });
    await prepare?.(page);
    if (path) await page.goto(path);
    return page;
  };
  return it;
}

// watch returns the list that it fills with what must not happen.
export function watch(page, url, expect) {
  const seen = [];
  const note = (text) => expect.some((pattern) => pattern.test(text)) || seen.push(text);
  page.on(
    "console",
    (message) =>
      ["error", "warning"].includes(message.type()) &&
      note(`console: ${message.text()} ${message.location().url}`),
  );
  page.on("pageerror", (error) => note(`uncaught: ${error.stack}`));
  page.on("dialog", (dialog) => {
    note(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on(
    "request",
    (request) =>
      /^(data|blob):/.test(request.url()) ||
      new URL(request.url()).origin === url ||
      note(`request to another host: ${request.url()}`),
  );
  page.addInitScript(() =>
    addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  return seen;
}

// still waits for the end of what moves: a colour that fades in is no colour of the page.
const still = (page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((it) => Number.isFinite(it.effect.getComputedTiming().endTime))
        .map((it) => it.finished),
    ),
  );

// clean asks axe for everything it knows about accessibility.
export async function clean(page, what) {
  await still(page);
  // half a megabyte, which stays while the document does
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => {
    // Colours of the system are not ours, and Chromium does not say all that it draws with.
    const isForced = matchMedia("(forced-colors: active)").matches;
    return window.axe.run(document, {
      resultTypes: ["violations"],
      rules: { "color-contrast": { enabled: !isForced } },
    });
  });
  assert.deepEqual(
    violations.map(
      (v) =>
        `${what}: ${v.id}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary}`).join("; ")}`,
    ),
    [],
  );
}

// cleanInAll asks axe in light, in dark and where the system gives the colours. Firefox would have
// to be started again for each.
export async function cleanInAll(page, what) {
  await clean(page, what);
  if (inFirefox) return;
  for (const media of [{ colorScheme: "dark" }, { colorScheme: "light", forcedColors: "active" }]) {
    await page.emulateMedia(media);
    await clean(page, `${what}, ${Object.values(media).join(" ")}`);
  }
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
}

// shot makes a picture for the documents, when those are asked for.
export async function shot(page, name, options) {
  if (!process.env.SCREENSHOTS || inFirefox) return;
  await mkdir(process.env.SCREENSHOTS, { recursive: true });
  if (options?.fullPage) await scrollThrough(page);
  await page.screenshot({
    path: join(process.env.SCREENSHOTS, `${name}.png`),
    animations: "disabled",
    caret: "initial",
    ...options,
  });
}

// scrollThrough has the parts of a page load that wait until they are scrolled to.
async function scrollThrough(page) {
  const [height, step] = await page.evaluate(() => [document.body.scrollHeight, innerHeight]);
  for (let y = 0; y < height; y += step) {
    await page.evaluate((y) => scrollTo(0, y), y);
    await page.waitForFunction(
      () =>
        ![...document.querySelectorAll('[class*="bone"]')].some(
          (bone) => bone.getBoundingClientRect().top < innerHeight,
        ),
    );
  }
  await page.evaluate(() => scrollTo(0, 0));
}

// panel finds a part of a page by its heading. By its role, Playwright would compute the names of
// all that is on a page of clicks.
export const panel = (page, name) =>
  page.locator("section", { has: page.locator(`h2:text-is("${name}")`) });

export const copied = (page) => page.evaluate(() => navigator.clipboard.readText());
// menuItem is an item of an open menu, which is a sheet on a phone.
export const menuItem = (page, text) => page.locator(".menu-item").getByText(text, { exact: true });

// choose opens the actions of a link's row, and chooses one.
export async function choose(page, code, action) {
  await page.getByRole("button", { name: `Actions for ${code}`, exact: true }).click();
  await menuItem(page, action).click();
}

// pick chooses from what a button opens that says what is chosen, and has a name: on a page, or in
// a part of one.
export async function pick(scope, name, text) {
  const exact = name.replaceAll(/[^\w ]/g, "\\$&");
  await scope.getByRole("button", { name: new RegExp(`^${exact}: `) }).click();
  await menuItem(scope, text).click();
}

// act chooses what to do from the menu of a button.
export async function act(scope, name, text) {
  await scope.getByRole("button", { name, exact: true }).click();
  await menuItem(scope, text).click();
}

// compare chooses what a range is compared with.
export async function compare(page, text) {
  await page.getByRole("button", { name: /^Compare/ }).click();
  await page
    .getByRole("dialog", { name: "Choose what to compare with" })
    .getByRole("button", { name: text })
    .click();
}

// openFilters opens the sheet that has the list's filters on a phone, and closeFilters closes it.
export async function openFilters(page, size) {
  if (size === phone) await page.getByRole("button", { name: /^Filters/ }).tap();
}
export async function closeFilters(page, size) {
  if (size !== phone) return;
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await sheet.getByRole("button", { name: /^Show \d/ }).tap();
  await sheet.waitFor({ state: "detached" });
}

export const codes = (page) => page.locator(".rows .row-link").allTextContents();
export const totalOf = async (page) =>
  Number((await page.locator(".total.clicks b").textContent()).replaceAll(/\D/g, ""));

// drawnIs fails unless a picture that the dashboard drew is the QR code of a URL.
export function drawnIs(svg, url) {
  const code = generate(url, {
    minCorrectionLevel: correction.M,
    maxCorrectionLevel: correction.M,
  });
  const [, rows] = svg.match(/ d="(M[^"]*v1h[^"]*)"/),
    dark = new Set();
  for (const [, x, y, n] of rows.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let i = 0; i < Number(n); i++) dark.add(`${Number(x) + i - 4} ${y - 4}`);
  }
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      assert.equal(dark.has(`${x} ${y}`), code.get(x, y), `row ${y}, column ${x}`);
    }
  }
}
