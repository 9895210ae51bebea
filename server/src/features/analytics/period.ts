// Which period a question about analytics is for.

import { invalidField } from '../../errors.ts';
import { DAY_MS, type Interval, intervalMs } from './intervals.ts';

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
  const ms = intervalMs[interval];
  const period = { interval, from: Math.floor(from / ms) * ms, to: Math.ceil(to / ms) * ms };
  const buckets = (period.to - period.from) / ms;
  if (buckets > MAX_BUCKETS) {
    throw invalidField('interval', `this period has ${buckets} of them; at most ${MAX_BUCKETS} are possible`);
  }
  return period;
}

/** The period of the same length before. */
export const periodBefore = ({ interval, from, to }: Period): Period => ({
  interval,
  from: from - (to - from),
  to: from,
});
