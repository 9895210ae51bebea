// Reads analytics. Where the interval is too fine, such as minutes by member with many calls, it is the finest that the API offers.

import { type AnalyticsReport, type Toolgate, ToolgateError } from '@toolgate/sdk';

/** Among the calls that did not only ask a person; null without such calls. */
export function successShare({
  calls,
  errors,
  waiting,
}: Pick<AnalyticsReport['totals'], 'calls' | 'errors' | 'waiting'>) {
  return calls === waiting ? null : 1 - errors / (calls - waiting);
}

type Question = NonNullable<Parameters<Toolgate['analytics']['get']>[0]>;

export async function readReport({ analytics }: Toolgate, question: Question): Promise<AnalyticsReport> {
  try {
    return await analytics.get(question);
  } catch (error) {
    const finest = error instanceof ToolgateError ? error.details.finest_interval : undefined;
    if (typeof finest !== 'string' || finest === question.interval) throw error;
    return analytics.get({ ...question, interval: finest as AnalyticsReport['interval'] });
  }
}
