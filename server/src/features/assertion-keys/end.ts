// The end of an assertion key. Sessions made with it end too, on every replica, and its kid is free again.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { type AssertionKey, showAssertionKey } from './assertion-key.ts';
import { markDeactivated, removeAssertionKey } from './store.ts';

export async function deactivateAssertionKey(app: App, caller: Caller, id: string): Promise<AssertionKey> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const row = await markDeactivated(app.database, project.id, id, new Date(app.now()).toISOString());
    if (!row) throw refuse.notFound();
    app.changes.add(project.id);
    return showAssertionKey(row);
  });
}

export async function deleteAssertionKey(app: App, caller: Caller, id: string): Promise<void> {
  const project = projectOf(caller);
  await transact(app, async (app) => {
    if (!(await removeAssertionKey(app.database, project.id, id))) throw refuse.notFound();
    app.changes.add(project.id);
  });
}
