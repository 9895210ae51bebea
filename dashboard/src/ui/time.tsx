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
/** The clock of the server may be this far ahead: what it did just now is not in the future. */
export const CLOCK_DIFFERENCE_MS = 5_000;

export function relativeTime(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return words.format(Math.round(seconds / size), unit);
  return seconds * 1000 <= CLOCK_DIFFERENCE_MS ? 'just now' : 'in less than a minute';
}

/** `2026-11-16 02:16:03 UTC` */
export function exactTime(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** In the time zone of the browser: `02:16:03` and `Nov 16, 2026`. */
export function localTime(iso: string): { time: string; date: string } {
  const at = new Date(iso);
  return {
    time: at.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }),
    date: at.toLocaleDateString('en', { dateStyle: 'medium' }),
  };
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

/** To the second, and never older than what is rendered: a row that has just come is not in the future. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / 1000) * 1000);
}

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, REFRESH_MS);
  return () => clearInterval(timer);
}
