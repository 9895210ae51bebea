// Whether the screen is narrower than `sm`. For what is in another place there: hidden by a class it would be in the page twice,
// and a text that is searched for would be found twice.

import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(width < 40rem)');

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(changed: () => void): () => void {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}
