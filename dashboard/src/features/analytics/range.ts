// The time that the analytics show: a range that ends now, or two moments that a person zoomed to; and how times are written.

import type { AnalyticsReport } from '@toolgate/sdk';
import type { Search } from '../../ui/search.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const lengths: Record<Interval, number> = { minute: 60_000, hour: HOUR_MS, day: DAY_MS };

type Interval = AnalyticsReport['interval'];

export const ranges = [
  { value: '1h', label: 'Last hour', ms: HOUR_MS },
  { value: '24h', label: 'Last 24 hours', ms: DAY_MS },
  { value: '7d', label: 'Last 7 days', ms: 7 * DAY_MS },
  { value: '30d', label: 'Last 30 days', ms: 30 * DAY_MS },
  { value: '90d', label: 'Last 90 days', ms: 90 * DAY_MS },
];
export const DEFAULT_RANGE = '24h';

/** For the API. A range ends now, which is when it is asked. */
export function readPeriod({ range = DEFAULT_RANGE, from, to }: Search) {
  const preset = ranges.find(({ value }) => value === range) ?? { ms: DAY_MS };
  const end = to ? Date.parse(to) : Date.now();
  const start = from ? Date.parse(from) : end - preset.ms;
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString(), interval: intervalFor(end - start) };
}

/** 60 to 200 bars: so many are told apart on a screen. */
function intervalFor(ms: number): Interval {
  if (ms <= 3 * HOUR_MS) return 'minute';
  return ms <= 8 * DAY_MS ? 'hour' : 'day';
}

type Period = Pick<AnalyticsReport, 'from' | 'to' | 'interval'>;

/** The start of every interval; the API leaves out those without calls. */
export function startsOf({ from, to, interval }: Period): string[] {
  const starts: string[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += lengths[interval]) starts.push(new Date(at).toISOString());
  return starts;
}

export const endOf = (start: string, interval: Interval) =>
  new Date(Date.parse(start) + lengths[interval]).toISOString();

/** The period of the same length before. */
export function periodBefore({ from, to, interval }: Period): Period {
  const ms = Date.parse(to) - Date.parse(from);
  return { from: new Date(Date.parse(from) - ms).toISOString(), to: from, interval };
}

export type Zone = 'UTC' | undefined;

/** That of the browser, unless UTC was chosen. */
export const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Days are those of UTC, so they are named in UTC. */
export function formatStart(interval: Interval, zone: Zone): (iso: string) => string {
  const isDay = interval === 'day';
  const format = new Intl.DateTimeFormat('en', {
    month: 'short',
    day: 'numeric',
    ...(!isDay && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    timeZone: isDay ? 'UTC' : zone,
  });
  return (iso) => format.format(new Date(iso));
}
