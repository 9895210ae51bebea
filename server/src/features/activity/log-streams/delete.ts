// Deletes a log stream. Its job is deleted when it is next due: it finds no stream.

import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { recordChange } from './events.ts';
import { showLogStream } from './log-stream.ts';
import { deleteLogStreamRow, lockLogStream } from './store.ts';

export async function deleteLogStream(app: App, caller: Caller, id: string): Promise<void> {
  refuseNarrowed(caller);
  const project = projectOf(caller);
  await transact(app, async (app) => {
    const row = await lockLogStream(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    await deleteLogStreamRow(app.database, project.id, id);
    await recordChange(app, caller, {
      type: 'log_stream.deleted',
      target_id: id,
      data: showLogStream(row, 0, app.now()),
    });
  });
}
