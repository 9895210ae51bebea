// A text that is read when nobody has typed for a moment.

import { useDeferredValue, useEffect, useState } from 'react';

const SETTLED_AFTER_MS = 500;

/** The text when it has not changed for a moment. */
export function useLater(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return useDeferredValue(settled).trim();
}
