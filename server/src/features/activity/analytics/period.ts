// Which period a question about analytics is for.

import { type Interval, intervals } from '@toolgate/contract/analytics/rules.ts';
import { type ApiError, invalidField } from '../../../errors/errors.ts';
import { DAY_MS, intervalMs } from './intervals.ts';

const MAX_BUCKETS = 2000;

export type Period = { interval: Interval; from: number; to: number };

/** The last 24 hours by hour, unless told otherwise. `from` and `to` are widened to whole intervals. */
export function readPeriod(
  given: { interval?: Interval | undefined; from?: string | undefined; to?: string | undefined },
  now: number,
): Period {
  const { interval = 'hour' } = given;
  const to = given.to === undefined ? now : Date.parse(given.to);
  const from = given.from === undefined ? to - DAY_MS : Date.parse(given.from);
  if (from >= to) throw invalidField('from', 'must be before `to`');
  const period = wholeIntervals(interval, from, to);
  if (bucketsOf(period) <= MAX_BUCKETS) return period;
  const finest = intervals.find((each) => bucketsOf(wholeIntervals(each, from, to)) <= MAX_BUCKETS);
  throw tooFine(`this period has ${bucketsOf(period)} of them; at most ${MAX_BUCKETS} are possible`, finest);
}

function wholeIntervals(interval: Interval, from: number, to: number): Period {
  const ms = intervalMs[interval];
  return { interval, from: Math.floor(from / ms) * ms, to: Math.ceil(to / ms) * ms };
}

const bucketsOf = ({ interval, from, to }: Period) => (to - from) / intervalMs[interval];

/** 422: the interval is too fine for this question. `finest` is the finest that is not; undefined if none is. */
export function tooFine(message: string, finest: Interval | undefined): ApiError {
  if (finest === undefined) return invalidField('interval', message, { remedy: 'Query a shorter period.' });
  return invalidField('interval', message, {
    finest_interval: finest,
    remedy: `Set interval to ${finest}, or query a shorter period.`,
  });
}

/** The period of the same length before. */
export const periodBefore = ({ interval, from, to }: Period): Period => ({
  interval,
  from: from - (to - from),
  to: from,
});
