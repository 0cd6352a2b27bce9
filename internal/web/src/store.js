import { useEffect, useState } from "preact/hooks";

// A value shared by several components.
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

// useStore rerenders its component when the value changes.
export function useStore(s) {
  const [value, setValue] = useState(s.get());
  useEffect(() => {
    setValue(s.get()); // it may have changed since the first rendering
    return s.watch(setValue);
  }, [s]);
  return value;
}
