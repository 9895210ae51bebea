// The choice between the light theme, the dark one and that of the system. public/theme.js applies it before the first paint.

import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark' | 'system';

const KEY = 'toolgate-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen = readChoice();

system.addEventListener('change', apply);

function readChoice(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system'; // storage is blocked
  }
}

function apply(): void {
  const isDark = chosen === 'dark' || (chosen === 'system' && system.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

export function chooseTheme(next: Theme): void {
  chosen = next;
  apply();
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage is blocked: the choice lasts until the page is loaded again.
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => chosen);
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
