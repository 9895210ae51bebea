// The frame of every operation that changes one existing row: one transaction, the row locked first, 404 if it is absent or of
// another project, and the caches of the project invalidated on every replica when the transaction commits.

import { type Caller, projectOf } from '../access/caller.ts';
import type { App } from '../app.ts';
import type { Database } from '../database/tables.ts';
import { transact } from '../database/transact.ts';
import { refuse } from '../errors/errors.ts';

type LockRow<Row> = (database: Database, project_id: string, id: string) => Promise<Row | undefined>;

export async function withLockedRow<Row, Result>(
  app: App,
  caller: Caller,
  id: string,
  lockRow: LockRow<Row>,
  change: (app: App, row: Row) => Promise<Result>,
): Promise<Result> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const row = await lockRow(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    app.changes.add(project.id);
    return change(app, row);
  });
}
