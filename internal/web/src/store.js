import { useEffect, useState } from "preact/hooks";

// A value that several components look at.
export function store(value) {
  const watchers = new Set();
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      for (const watcher of [...watchers]) watcher(value);
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

// useStore renders its component again when the value changes.
export function useStore(s) {
  const [value, setValue] = useState(s.get());
  useEffect(() => {
    setValue(s.get()); // it may have changed between the first rendering and now
    return s.watch(setValue);
  }, [s]);
  return value;
}
