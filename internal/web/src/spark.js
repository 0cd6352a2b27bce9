// Small charts of days.

const tallest = 20;

// spark returns a path with a bar for each day that has a count, the highest at full height. Each
// day is 3 wide.
export function spark(days) {
  const highest = Math.max(5, ...days); // a single click is not a peak
  return days
    .map((n, i) =>
      n ? `M${3 * i + 1} ${tallest}v-${Math.max(2, Math.round((tallest * n) / highest))}` : "",
    )
    .join("");
}
