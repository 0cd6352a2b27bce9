// Hooks that components share.
import { useLayoutEffect, useState } from "preact/hooks";

// useSeen reports whether somebody has scrolled to an element, or almost. It stays true.
export function useSeen(ref) {
  const [isSeen, setSeen] = useState(false);
  useLayoutEffect(() => {
    if (isSeen) return;
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting && setSeen(true), {
      rootMargin: "160px",
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return isSeen;
}
