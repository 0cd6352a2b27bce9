// Where a popover goes.
const gap = 4; // pixels between the popover and its anchor
const edge = 8; // pixels between the popover and the window
const least = 200; // pixels of height that are worth a list

// placed returns the place of a popover of a size beside the rectangle of its anchor: below, or
// above if there is more room; left edges in line, or right edges. If neither side has room worth
// speaking of, it covers the anchor.
export function placed(anchor, { width, height }, view) {
  const below = view.height - anchor.bottom - gap - edge,
    above = anchor.top - gap - edge,
    room = Math.max(below, above);
  const fits = anchor.left + width <= view.width - edge;
  const left = fits ? anchor.left : Math.min(anchor.right, view.width - edge) - width;
  const across = { left: Math.max(edge, left), maxWidth: view.width - 2 * edge };
  if (room < Math.min(height, least))
    return { ...across, top: edge, maxHeight: view.height - 2 * edge };
  if (height <= below || below >= above)
    return { ...across, top: anchor.bottom + gap, maxHeight: below };
  return { ...across, top: anchor.top - gap - Math.min(height, above), maxHeight: above };
}
