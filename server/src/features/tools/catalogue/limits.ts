// How many tools a project may have, and how large their definitions may be together (docs/design/storage.md).

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { selectTotals } from './store.ts';

const MAX_TOOLS = 10_000;
const MAX_BYTES = 8 * 2 ** 20;

/** Call in the transaction that created a tool or made one larger. Concurrent transactions may exceed the limit by a few tools. */
export async function refuseBeyondLimits(app: App, project_id: string): Promise<void> {
  const { count, bytes } = await selectTotals(app.database, project_id);
  if (count > MAX_TOOLS)
    throw refuse.limitReached({
      details: {
        limit: MAX_TOOLS,
        reason: 'too_many_tools',
        remedy: `Delete tools that you no longer use: a project can have at most ${MAX_TOOLS}.`,
      },
    });
  if (bytes > MAX_BYTES)
    throw refuse.limitReached({
      details: {
        limit_bytes: MAX_BYTES,
        needed_bytes: bytes,
        reason: 'tool_definitions_too_large',
        remedy: 'Delete tools or shorten their schemas: all definitions of a project can have at most 8 MiB in total.',
      },
    });
}
