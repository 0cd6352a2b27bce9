// What components share that is no component.
import { useLayoutEffect, useState } from "preact/hooks";

// useSeen reports whether somebody has scrolled to where an element stands, or almost: from then on
// it is true.
export function useSeen(ref) {
  const [isSeen, setSeen] = useState(false);
  useLayoutEffect(() => {
    if (isSeen) return;
    const observer = new IntersectionObserver(([entry]) =>
      entry.isIntersecting && setSeen(true), { rootMargin: "160px" });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return isSeen;
}
