// The parts of a file: each is sealed for its file and place, so that none can be moved, and is in the database or in an object of
// an S3-compatible store.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { freeMemory } from '../../../outbound/free-memory.ts';
import { refuseBeyondQuota } from './quota.ts';
import { getObject, putObject } from './s3-objects.ts';
import { type FileRow, insertPart, selectPart, updateUpload } from './store.ts';

/** Longer than a connection may be silent. An upload that writes nothing for this long is given up. */
export const UPLOAD_LEASE_MS = 180_000;

/** Who takes the database permits for the parts. */
export const permitUserOf = ({ project_id, fairness_key }: FileRow) => ({ id: project_id, fairness_key });

const contextOf = ({ bytes_id }: FileRow, position: number) => ({
  table: 'file_parts',
  column: 'data',
  row_id: `${bytes_id} ${position}`,
});

/** `written`: the bytes of the file with this part. Throws if the quota is used up, or the upload was given up. `bytes` is empty afterwards. */
export async function writePart(
  app: App,
  upload: FileRow,
  { position, bytes, written }: { position: number; bytes: Uint8Array; written: number },
): Promise<void> {
  const { project_id, id: file_id } = upload;
  const data = await app.permits.run(permitUserOf(upload), async () => {
    const data = await app.secrets.sealBytes(app.database, project_id, contextOf(upload, position), bytes);
    await transact(app, async (app) => {
      const expires_at = new Date(app.now() + UPLOAD_LEASE_MS).toISOString();
      // Written first: what is not in the database is found by the number of parts when it has to be deleted.
      if (!(await updateUpload(app.database, upload, { parts: position + 1, written, expires_at }, app.now())))
        throw refuse.notFound();
      if (written > upload.reserved_bytes) await refuseBeyondQuota(app, upload);
      if (upload.storage === 'database') await insertPart(app.database, { project_id, file_id, position, data });
    });
    return data;
  });
  if (upload.storage === 's3') await putObject(app, upload, position, data);
  freeMemory(data);
  freeMemory(bytes);
}

/** Throws if the file has expired or was deleted meanwhile. */
export async function readPart(app: App, file: FileRow, position: number): Promise<Buffer> {
  const user = permitUserOf(file);
  const inStore = file.storage === 's3' ? await getObject(app, file, position) : null;
  return app.permits.run(user, async () => {
    const data = inStore ?? (await selectPart(app.database, file, position, app.now()));
    if (!data) throw refuse.notFound();
    const bytes = await app.secrets.openBytes(app.database, file.project_id, contextOf(file, position), data);
    freeMemory(data);
    return bytes;
  });
}
