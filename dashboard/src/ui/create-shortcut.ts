// What the key "c" does on the page that is open. app/shortcuts.tsx listens for it.

import { useEffect, useRef } from 'react';

let create: (() => void) | null = null;

/** What "c" does on this page. */
export function useCreateShortcut(action: () => unknown): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const run = () => latest.current();
    create = run;
    return () => {
      if (create === run) create = null;
    };
  }, []);
}

/** Runs it. False if the page creates nothing. */
export function runCreateShortcut(): boolean {
  create?.();
  return create !== null;
}
