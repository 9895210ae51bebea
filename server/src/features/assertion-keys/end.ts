// The end of an assertion key. Sessions made with it end too, on every replica, and its kid is free again.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { recordChange } from '../events/record.ts';
import { type AssertionKey, showAssertionKey } from './assertion-key.ts';
import { lockAssertionKey, markDeactivated, removeAssertionKey } from './store.ts';

export async function deactivateAssertionKey(app: App, caller: Caller, id: string): Promise<AssertionKey> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const row = await lockAssertionKey(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    const before = showAssertionKey(row);
    if (before.status === 'deactivated') return before;
    const now = new Date(app.now()).toISOString();
    const data = showAssertionKey(await markDeactivated(app.database, project.id, id, now));
    await recordChange(app, caller, { type: 'assertion_key.deactivated', target_id: id, data, before });
    app.changes.add(project.id);
    return data;
  });
}

export async function deleteAssertionKey(app: App, caller: Caller, id: string): Promise<void> {
  const project = projectOf(caller);
  await transact(app, async (app) => {
    const row = await removeAssertionKey(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    await recordChange(app, caller, { type: 'assertion_key.deleted', target_id: id, data: showAssertionKey(row) });
    app.changes.add(project.id);
  });
}
