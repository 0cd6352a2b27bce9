// Prints, as JSON, medians in milliseconds of what people wait for. Run by BenchmarkDashboard.
import { Server, launch, rememberSession, token } from "./harness.mjs";

const rounds = 9;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const server = await new Server().start({ data: true });
const browser = await launch();
const found = {};
const note = (name, ms) => (found[name] ??= []).push(ms);

// painted resolves with the time from an act in the page until the first frame in which what it
// brings about is there.
const painted = (page, act, there) =>
  page.evaluate(
    async ([act, there]) => {
      const holds = new Function(`return ${there}`);
      const start = performance.now();
      new Function(act)();
      await new Promise((resolve) => {
        const look = () =>
          holds() && (observer.disconnect(), removeEventListener("focusin", look), resolve());
        const observer = new MutationObserver(look);
        observer.observe(document, {
          subtree: true,
          childList: true,
          attributes: true,
          characterData: true,
        });
        addEventListener("focusin", look);
        look();
      });
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - start;
    },
    [act, there],
  );

for (let i = 0; i < rounds; i++) {
  // a new context has a cold cache
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1280, height: 860 },
    bypassCSP: true,
  });
  await context.request.post("/ui/session", { data: { token } });
  const page = await context.newPage();
  await rememberSession(page);
  await page.addInitScript(() => {
    // Before each frame: when the rows are there, this frame has them, and they answer once it is
    // painted.
    const look = () =>
      document.querySelector(".rows .row")
        ? setTimeout(() => {
            window.interactive = performance.now();
          })
        : requestAnimationFrame(look);
    look();
  });
  // the browser itself is busy with a page of its own that it opens for a new context
  await page.waitForTimeout(1500);
  await page.goto("/ui/");
  note(
    "load",
    await page.waitForFunction(() => window.interactive).then((handle) => handle.jsonValue()),
  );
  const set = (field, value, event) => `const s = document.querySelector("${field}");
    s.value = "${value}"; s.dispatchEvent(new Event("${event}", { bubbles: true }))`;
  const key = (name) =>
    `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "${name}", bubbles: true }))`;
  note("key-j", await painted(page, key("j"), `document.activeElement.closest(".row")`));
  const search = (text) => set("#search", text, "input");
  const rows = `document.querySelectorAll(".rows .row").length`;
  note("search", await painted(page, search("code09999"), `${rows} === 10`));
  note(
    "search-none",
    await painted(page, search("nowhere at all"), `document.querySelector(".state")`),
  );
  note(
    "search-rare",
    await painted(
      page,
      search("code000007"),
      `document.querySelector(".rows .row-link")?.textContent.endsWith("code000007")`,
    ),
  );
  note("search-cleared", await painted(page, search(""), `${rows} > 15`));
  note(
    "scroll",
    await painted(
      page,
      `scrollTo(0, 2400)`,
      `[...document.querySelectorAll(".rows .row")].some((r) => r.dataset.index === "50")`,
    ),
  );
  await page.evaluate(async () => {
    window.gone = document.querySelector(".rows .row");
    window.gone.querySelector(".row-link").focus();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  });
  note(
    "delete",
    await painted(
      page,
      key("Delete"),
      `!window.gone.isConnected && document.querySelector(".toast")`,
    ),
  );
  note("undo", await painted(page, key("z"), `!document.querySelector(".toast button")`));
  await page.getByRole("button", { name: /^Sort:/ }).click();
  await page.getByRole("option", { name: "Most clicks", exact: true }).waitFor();
  note(
    "order",
    await painted(
      page,
      `[...document.querySelectorAll(".menu-item")]
        .find((item) => item.textContent.trim() === "Most clicks").click()`,
      `document.querySelector(".rows")?.getAttribute("aria-busy") === "false"
      && location.search.includes("clicks")`,
    ),
  );
  await page.goto("/ui/links/code000001");
  await page.locator(".chart svg").waitFor();
  await context.close();
}
// Far down the list: 20,000 rows that were loaded.
const context = await browser.newContext({
  baseURL: server.url,
  viewport: { width: 1280, height: 860 },
  bypassCSP: true,
});
await context.request.post("/ui/session", { data: { token } });
const page = await context.newPage();
await rememberSession(page);
await page.goto("/ui/");
await page.locator(".rows .row").first().waitFor();
await page.evaluate(async () => {
  while (document.querySelector(".rows").offsetHeight < 20_000 * 56) {
    scrollTo(0, document.body.scrollHeight);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});
for (let i = 0; i < rounds; i++) {
  note(
    "scroll-20000",
    await painted(
      page,
      `scrollTo(0, ${1000 * (2 * i + 1) * 24})`,
      `[...document.querySelectorAll(".rows .row")]
      .some((r) => Math.abs(r.getBoundingClientRect().top) < 100)`,
    ),
  );
}
// The longest frame while these rows go by, and the most rows in the document.
const [frame, inDocument] = await page.evaluate(async () => {
  const nextFrame = () => new Promise(requestAnimationFrame);
  let last = await nextFrame(),
    frame = 0,
    inDocument = 0;
  for (let y = 0; y < 400_000; y += 1_000) {
    scrollTo(0, y);
    const now = await nextFrame();
    frame = Math.max(frame, now - last);
    last = now;
    inDocument = Math.max(inDocument, document.querySelectorAll(".rows .row").length);
  }
  return [frame, inDocument];
});
note("longest-frame", frame);
note("rows-in-document", inDocument);
await browser.close();
await server.close();
console.log(
  JSON.stringify(
    Object.fromEntries(
      Object.entries(found).map(([name, values]) => [name, Math.round(median(values) * 10) / 10]),
    ),
  ),
);
