// Refuses to create more of a resource than a project may have (contract/src/ids.ts).

import { maximums } from '@toolgate/contract/maximums.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors/errors.ts';

/** Call it before a creation. Concurrent creations may exceed the limit by a few. */
export async function refuseBeyondLimit(app: App, table: keyof typeof maximums, project_id: string): Promise<void> {
  const max = maximums[table];
  const { count } = await app.database
    .selectFrom(table)
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= max)
    throw refuse.limitReached({ details: { limit: max, reason: `too_many_${table}` as const } });
}
