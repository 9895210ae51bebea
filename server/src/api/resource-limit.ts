// How many of a resource a project may have: what a key may create does not fill the disk.

import type { App } from '../app.ts';
import { refuse } from '../errors.ts';

const limits = {
  api_keys: { max: 10_000, words: 'API keys' },
  assertion_keys: { max: 1_000, words: 'assertion keys' },
  integrations: { max: 1_000, words: 'integrations' },
} as const;

/** Before one more is created. A few that come at the same moment may pass together. */
export async function refuseBeyondLimit(app: App, table: keyof typeof limits, project_id: string): Promise<void> {
  const { max, words } = limits[table];
  const { count } = await app.database
    .selectFrom(table)
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  if (Number(count) < max) return;
  throw refuse.limitReached({
    details: { limit: max, reason: `a project has at most ${max} ${words}: delete some that are not used` },
  });
}
