// Prints, as JSON, medians in milliseconds of what people wait for on the page of a busy link. Run
// by BenchmarkStatistics.
import { Server, launch, rememberSession, token } from "./harness.mjs";

const rounds = 7;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const server = await new Server().start({ data: true });
const browser = await launch();
const found = {};
const note = (name, ms) => (found[name] ??= []).push(ms);

// after resolves with the time from a click in the page until what it brings about is painted.
const after = (page, button, there) =>
  page.evaluate(
    async ([button, there]) => {
      const holds = new Function(`return ${there}`),
        start = performance.now();
      document.evaluate(button, document).iterateNext().click();
      while (!holds()) await new Promise(requestAnimationFrame);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - start;
    },
    [button, there],
  );

for (const range of ["30d", "all"]) {
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
      // Before each frame: when the rows are there, this frame has them, and they answer once it
      // is painted.
      const look = () =>
        document.querySelector(".chart svg") && document.querySelector(".bar")
          ? setTimeout(() => {
              window.interactive = performance.now();
            })
          : requestAnimationFrame(look);
      look();
    });
    // the browser itself is busy with a page of its own that it opens for a new context
    await page.waitForTimeout(1500);
    await page.goto(`/ui/links/busy?range=${range}`);
    note(
      `load-${range}`,
      await page.waitForFunction(() => window.interactive).then((handle) => handle.jsonValue()),
    );
    note(
      `tab-${range}`,
      await after(
        page,
        '//button[text()="Systems"]',
        `[...document.querySelectorAll(".bar")].some((bar) => bar.title === "Windows")`,
      ),
    );
    note(
      `filter-${range}`,
      await after(
        page,
        '//button[@title="Germany"]',
        `document.querySelector(".chip") && !document.querySelector('.stats[data-stale="true"]')`,
      ),
    );
    await context.close();
  }
}
await browser.close();
await server.close();
console.log(
  JSON.stringify(
    Object.fromEntries(
      Object.entries(found).map(([name, values]) => [name, Math.round(median(values) * 10) / 10]),
    ),
  ),
);
