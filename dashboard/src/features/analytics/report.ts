// Reads analytics. Where the interval is too fine, such as minutes by member with many calls, it is the finest that the API offers.

import { type AnalyticsReport, type Toolgate, ToolgateError } from '@toolgate/sdk';

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
