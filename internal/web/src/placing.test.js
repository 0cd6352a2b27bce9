import assert from "node:assert/strict";
import test from "node:test";
import { placed } from "./placing.js";

const view = { width: 1000, height: 600 };
const size = { width: 200, height: 300 };
const at = (left, top, width = 100, height = 40) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

test("a popover is below its anchor, with the left edges in line", () => {
  assert.deepEqual(placed(at(100, 100), size, view), {
    left: 100,
    top: 144,
    maxWidth: 984,
    maxHeight: 448,
  });
});

test("at the right edge of the window the right edges are in line", () => {
  assert.equal(placed(at(880, 100), size, view).left, 780);
  assert.equal(placed(at(950, 100), size, view).left, 792, "inside the window");
});

test("at the bottom it is above its anchor", () => {
  assert.deepEqual(placed(at(100, 500), size, view), {
    left: 100,
    top: 196,
    maxWidth: 984,
    maxHeight: 488,
  });
});

test("what is too high scrolls on the side that has more room", () => {
  const high = { width: 200, height: 900 };
  const below = placed(at(100, 100), high, view);
  assert.deepEqual([below.top, below.maxHeight], [144, 448]);
  const above = placed(at(100, 400), high, view);
  assert.deepEqual([above.top, above.maxHeight], [8, 388]);
});

test("in a low window it covers its anchor", () => {
  const { top, maxHeight } = placed(at(10, 80), size, { width: 320, height: 215 });
  assert.deepEqual([top, maxHeight], [8, 199]);
});

test("it never leaves the window", () => {
  for (let width = 200; width <= 1000; width += 100) {
    for (let height = 100; height <= 800; height += 100) {
      for (let left = 0; left < width; left += 50) {
        for (let top = 0; top < height; top += 50) {
          const it = placed(at(left, top), size, { width, height });
          const bottom = it.top + Math.min(size.height, it.maxHeight),
            right = it.left + Math.min(size.width, it.maxWidth);
          assert.ok(it.left >= 8 && it.top >= 8 && right <= width - 8 && bottom <= height - 8);
        }
      }
    }
  }
});
