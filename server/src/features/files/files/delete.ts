// Deletes a file. It cannot be read from then on; what is in an S3-compatible store is deleted by a job.

import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import type { StoredFile } from './file.ts';
import { getFile } from './find.ts';
import { deleteFileRow } from './store.ts';

export async function deleteFile(app: App, { project_id, id }: StoredFile): Promise<void> {
  await deleteFileRow(app.database, project_id, id);
}

export async function deleteFileOf(app: App, caller: Caller, id: string): Promise<void> {
  await deleteFile(app, await getFile(app, caller, id));
}
