// POST /custom-tools/bulk: enables, disables or deletes many tools in one request and one transaction.

import { setImmediate as othersFirst } from 'node:timers/promises';
import { z } from 'zod';
import { type Caller, hasPermission, projectOf } from '../../access/caller.ts';
import { lacksPermission } from '../../access/lacks-permission.ts';
import { text } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { deleteLocked } from './delete.ts';
import { setEnabledLocked } from './set-enabled.ts';
import { lockTools, selectIds } from './store.ts';
import type { ToolRow } from './tool.ts';

const MAX_IDS = 10_000;
/** What is read and written without a pause. */
const BATCH = 50;

const filter = z
  .strictObject({
    is_enabled: z.boolean().optional().meta({ description: 'Only those that are enabled, or are not' }),
    search: text(1, 128).optional().meta({ description: 'Text in the name, title or description' }),
  })
  .refine((given) => Object.keys(given).length > 0, 'must have is_enabled or search')
  .meta({ description: 'All tools that the list of tools shows with these' });

export const bulkAction = z
  .strictObject({
    ids: z.array(z.string().max(64)).min(1).max(MAX_IDS).optional().meta({ description: 'Ids of tools, each once' }),
    filter: filter.optional(),
    action: z
      .enum(['enable', 'disable', 'delete'])
      .meta({ description: 'What to do with each of the tools; `delete` needs the permission `admin`' }),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['ids'],
    message: 'must be given, or filter in its place',
  })
  .meta({ id: 'BulkToolAction' });

const outcomes = ['enabled', 'disabled', 'deleted', 'unchanged', 'not_found'] as const;

export const bulkResult = z
  .strictObject({
    object: z.literal('bulk_result'),
    changed: z.int().meta({ description: 'How many tools were enabled, disabled or deleted' }),
    results: z
      .array(
        z.strictObject({
          id: z.string(),
          status: z.enum(outcomes).meta({ description: 'What happened to this tool' }),
        }),
      )
      .meta({ description: 'One for each id, in the order of `ids`; `not_found` fails no other' }),
  })
  .meta({ id: 'BulkToolResult' });

type Outcome = (typeof outcomes)[number];

export async function changeTools(
  app: App,
  caller: Caller,
  { ids, filter, action }: z.infer<typeof bulkAction>,
): Promise<z.infer<typeof bulkResult>> {
  if (action === 'delete' && !hasPermission(caller, 'admin'))
    throw lacksPermission(caller, 'admin', { field: 'action', value: action });
  return transact(app, async (app) => {
    const project_id = projectOf(caller).id;
    const asked = [...new Set(ids ?? (await selectIds(app.database, project_id, filter ?? {})))];
    const statuses = new Map<string, Outcome>();
    // In one order, so that two of these do not wait for each other in a circle.
    const sorted = asked.toSorted();
    for (let at = 0; at < sorted.length; at += BATCH) {
      const rows = await lockTools(app.database, project_id, 'id', sorted.slice(at, at + BATCH));
      const act = action === 'delete' ? deleteBatch : setEnabledBatch(action === 'enable');
      for (const [id, status] of await act(app, caller, rows)) statuses.set(id, status);
      await othersFirst();
    }
    const results = asked.map((id) => ({ id, status: statuses.get(id) ?? ('not_found' as const) }));
    const changed = results.filter(({ status }) => status !== 'unchanged' && status !== 'not_found').length;
    return { object: 'bulk_result', changed, results };
  });
}

type Act = (app: App, caller: Caller, rows: ToolRow[]) => Promise<[id: string, Outcome][]>;

const deleteBatch: Act = async (app, caller, rows) => {
  if (rows.length > 0) await deleteLocked(app, caller, rows);
  return rows.map(({ id }) => [id, 'deleted']);
};

const setEnabledBatch =
  (is_enabled: boolean): Act =>
  async (app, caller, rows) => {
    const changed = new Set((await setEnabledLocked(app, caller, rows, is_enabled)).map(({ id }) => id));
    return rows.map(({ id }) => [id, changed.has(id) ? (is_enabled ? 'enabled' : 'disabled') : 'unchanged']);
  };
