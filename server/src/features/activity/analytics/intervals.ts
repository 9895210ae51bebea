// The lengths of intervals, and how long rollups are kept: at least as long as the longest question and the period before it.

import { type Interval, intervals } from '@toolgate/contract/analytics/rules.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const intervalMs: Record<Interval, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

const daysKept: Record<Interval, number> = { minute: 7, hour: 180, day: 730 };

/** Rollups that started before this time are deleted. */
export const keptSince = (interval: Interval, now: number): number => now - daysKept[interval] * DAY_MS;

/** The finest interval whose rollups since `from` are kept; days, if none are. */
export const finestKept = (from: number, now: number): Interval =>
  intervals.find((interval) => from >= keptSince(interval, now)) ?? 'day';
