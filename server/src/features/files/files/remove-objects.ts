// A job: deletes what is left in the S3-compatible store of files that were deleted. What fails is tried again, after a growing pause.

import type { App } from '../../../app.ts';
import { deleteObject } from './s3-objects.ts';
import { type DeletedFile, deleteDeletedFile, postponeDeletedFile, selectDeletedFiles } from './store.ts';

const BATCH_SIZE = 20;
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;

/** Returns whether there may be more. */
export async function removeDeletedObjects(app: App): Promise<boolean> {
  const files = await selectDeletedFiles(app.database, BATCH_SIZE, app.now());
  for (const file of files) await removeObjects(app, file);
  return files.length === BATCH_SIZE;
}

async function removeObjects(app: App, file: DeletedFile): Promise<void> {
  const { file_id: bytes_id, fairness_key, parts, failures } = file;
  try {
    for (let position = 0; position < parts; position += 1)
      await deleteObject(app, { bytes_id, fairness_key }, position);
    await deleteDeletedFile(app.database, bytes_id);
  } catch (error) {
    const pause_ms = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
    await postponeDeletedFile(app.database, bytes_id, new Date(app.now() + pause_ms).toISOString());
    app.log.warn(
      { err: error, file_id: bytes_id, failures: failures + 1 },
      'the objects of a deleted file could not be deleted',
    );
  }
}
