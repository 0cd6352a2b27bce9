// Firefox, driven by Playwright through WebDriver BiDi: the browser that people have, not a build
// of its own. Playwright's support of BiDi is young. What it lacks for our tests is added here, by
// reaching into the version that package.json pins; each part can go when Playwright or Debian's
// Firefox has it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firefox } from "playwright-core";

const inside = (object) => object._connection.toImpl(object);

// launch starts a browser for pages of one kind: BiDi emulates neither fingers nor preferences of
// the reader, so they are settings of the whole browser.
export async function launch({ hasTouch, colorScheme, reducedMotion, forcedColors }) {
  // Firefox refuses a home of somebody else's
  const home = await mkdtemp(join(tmpdir(), "terse-firefox-"));
  const pointer = hasTouch ? 1 : 2 | 4; // coarse, or fine and able to hover
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath: process.env.FIREFOX,
    env: { ...process.env, HOME: home },
    timeout: 120_000, // it starts slowly on a machine that is busy
    firefoxUserPrefs: {
      "ui.primaryPointerCapabilities": pointer,
      "ui.allPointerCapabilities": pointer,
      "ui.useOverlayScrollbars": hasTouch ? 1 : 0,
      "ui.systemUsesDarkTheme": colorScheme === "dark" ? 1 : 0,
      "ui.prefersReducedMotion": reducedMotion === "reduce" ? 1 : 0,
      "ui.useAccessibilityTheme": forcedColors === "active" ? 1 : 0,
      "browser.display.document_color_use": forcedColors === "active" ? 2 : 0,
      // With it Firefox ESR crashes when axe or Playwright reads element.ariaLabelledByElements.
      "accessibility.ARIAElementReflection.enabled": false,
      "dom.events.testing.asyncClipboard": true, // reads the clipboard without asking
      // One process for all pages: with one for each, opening a page takes a third more.
      "fission.autostart": false,
      "dom.ipc.processCount": 1,
      "dom.ipc.processPrelaunch.enabled": false,
    },
  });
  browser.on("disconnected", () => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const session = inside(browser)._browserSession,
    send = session.send.bind(session);
  session.send = (method, params) => {
    // Playwright sends it for every page, and Firefox ESR does not know it yet.
    if (method === "emulation.setMediaFeaturesOverride") return Promise.resolve({});
    // Playwright wants windows, which take half as much again as tabs. Of several pages that are
    // open, tabs would hide all but one.
    const alone = browser.contexts().every((context) => context.pages().length === 0);
    return send(
      method,
      alone && method === "browsingContext.create" ? { ...params, type: "tab" } : params,
    );
  };
  return browser;
}

// enable gives a page what Playwright's own support does not have yet.
export function enable(page) {
  const { delegate } = inside(page),
    session = delegate._session,
    emit = session.emit.bind(session);
  delegate.rawTouchscreen.tap = (progress, x, y) => touch(page, [{ x, y }]);
  // Playwright knows a download by an ID, which Firefox ESR does not send.
  session.emit = (name, event) =>
    emit(name, /^browsingContext.download/.test(name) ? { ...event, download: event.url } : event);
}

// touch puts a finger on the first point, moves it over the others and lifts it.
export const touch = (page, [first, ...others]) =>
  perform(page, "touch", [move(first), down, ...others.map(move), up]);

// doubleClick is one sequence of actions: Firefox counts no clicks across two.
export const doubleClick = (page, point) =>
  perform(page, "mouse", [move(point), down, up, down, up]);

const down = { type: "pointerDown", button: 0 };
const up = { type: "pointerUp", button: 0 };
const move = ({ x, y }) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y) });

async function perform(page, pointerType, actions) {
  const session = inside(page).delegate._session;
  await session.send("input.performActions", {
    context: session.sessionId,
    actions: [{ type: "pointer", id: pointerType, parameters: { pointerType }, actions }],
  });
}
