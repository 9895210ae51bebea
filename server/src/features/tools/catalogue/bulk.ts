// POST /custom-tools/bulk: enables, disables or deletes many tools in one request and one transaction.

import { setImmediate as othersFirst } from 'node:timers/promises';
import type { BulkToolAction, BulkToolResult } from '@toolgate/contract/custom-tools/bulk-tool-action.ts';
import { type Caller, hasPermission, projectOf } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { confirmHintsLocked } from './confirm-hints.ts';
import { deleteLocked } from './delete.ts';
import { setEnabledLocked } from './set-enabled.ts';
import { lockTools, selectIds } from './store.ts';
import type { ToolRow } from './tool.ts';

/** What is read and written without a pause. */
const BATCH = 50;

type Outcome = BulkToolResult['results'][number]['status'];

export async function changeTools(
  app: App,
  caller: Caller,
  { ids, filter, action }: BulkToolAction,
): Promise<BulkToolResult> {
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
      for (const [id, status] of await acts[action](app, caller, rows)) statuses.set(id, status);
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

const confirmBatch: Act = async (app, caller, rows) => {
  const changed = new Set((await confirmHintsLocked(app, caller, rows)).map(({ id }) => id));
  return rows.map(({ id }) => [id, changed.has(id) ? 'confirmed' : 'unchanged']);
};

const acts: Record<BulkToolAction['action'], Act> = {
  enable: setEnabledBatch(true),
  disable: setEnabledBatch(false),
  confirm_hints: confirmBatch,
  delete: deleteBatch,
};
