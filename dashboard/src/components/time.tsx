// A time as people say it ("3 minutes ago"), with the exact UTC time on hover.

import { useSyncExternalStore } from 'react';

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const REFRESH_MS = 30_000;

export function relativeTime(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return words.format(Math.round(seconds / size), unit);
  return seconds <= 0 ? 'just now' : 'in less than a minute';
}

/** `2026-11-16 02:16:03 UTC` */
export function exactTime(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

export function Time({ value, empty = 'Never' }: { value: string | null | undefined; empty?: string }) {
  const now = useNow();
  if (!value) return <span className="text-faint">{empty}</span>;
  return (
    <time dateTime={value} title={exactTime(value)} className="whitespace-nowrap">
      {relativeTime(value, now)}
    </time>
  );
}

let current = Date.now();

/** One timer for all times on the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(changed: () => void): () => void {
  const timer = setInterval(() => {
    current = Date.now();
    changed();
  }, REFRESH_MS);
  return () => clearInterval(timer);
}
