// The frame of every operation that reads one row: 404 if it is absent or of another project.

import { type Caller, projectOf } from '../access/caller.ts';
import type { App } from '../app.ts';
import type { Database } from '../database/tables.ts';
import { refuse } from '../errors/errors.ts';

type SelectRow<Row> = (database: Database, project_id: string, id: string) => Promise<Row | undefined>;

export async function getRow<Row>(app: App, caller: Caller, id: string, selectRow: SelectRow<Row>): Promise<Row> {
  const row = await selectRow(app.database, projectOf(caller).id, id);
  if (!row) throw refuse.notFound();
  return row;
}
