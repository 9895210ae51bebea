// Stores a file from a stream, part by part: memory does not grow with it. Until it is complete nobody sees it; one that fails is
// deleted, and one whose process ended is deleted by a job when its lease has passed (docs/design/files.md).

import { createHash } from 'node:crypto';
import { MAX_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { safeContentType } from './content-type.ts';
import type { StoredFile } from './file.ts';
import { safeFileName } from './file-name.ts';
import type { FileOwner } from './owner.ts';
import { PART_BYTES } from './part-bytes.ts';
import { permitUserOf, UPLOAD_LEASE_MS, writePart } from './parts.ts';
import { refuseBeyondQuota } from './quota.ts';
import { deleteFileRow, type FileRow, finishUpload, insertUpload } from './store.ts';

export type NewFile = {
  /** Made safe here, as is the media type. */
  name: string;
  content_type?: string | undefined;
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** If it is known before: then nothing is read that does not fit. */
  size?: number | undefined;
  /** If it was promised before. */
  id?: string;
};

/** What is known of a file when all of its bytes are there. */
export type Written = { size: number; sha256: string };

/**
 * Throws 413 for more than a file may have, 409 if a quota is used up or the project stores no files, and what the body throws. Do
 * not hold a database permit: it takes one for each part.
 */
export const storeFile = (app: App, owner: FileOwner, file: NewFile): Promise<StoredFile> =>
  storeFileWith(app, owner, file, (app, finish) => finish(app));

/**
 * The same for what is done together with the file: `complete` gets a database permit, and the file exists when the transaction commits
 * in which `finish` runs. If it does not run, the file is deleted.
 */
export async function storeFileWith<T>(
  app: App,
  owner: FileOwner,
  file: NewFile,
  complete: (app: App, finish: (app: App) => Promise<StoredFile>, written: Written) => Promise<T>,
): Promise<T> {
  const seconds = owner.project.settings.file_retention_seconds;
  if (seconds === 0) throw refuse.filesNotStored();
  if ((file.size ?? 0) > MAX_FILE_BYTES) throw tooLarge();
  const upload = await beginUpload(app, owner, file);
  let is_finished = false;
  try {
    const written = await writeParts(app, upload, file.body);
    const finish = async (app: App) => {
      const expires_at = new Date(app.now() + seconds * 1000).toISOString();
      const stored = await finishUpload(
        app.database,
        upload,
        { id: file.id ?? upload.id, ...written, expires_at },
        app.now(),
      );
      if (!stored) throw refuse.notFound();
      is_finished = true;
      return stored;
    };
    return await app.permits.run(owner.project, () => complete(app, finish, written));
  } catch (error) {
    is_finished = false;
    throw error;
  } finally {
    // If this fails too, the job deletes it.
    if (!is_finished)
      await app.permits
        .run(permitUserOf(upload), () => deleteFileRow(app.database, upload.project_id, upload.id))
        .catch(() => {});
  }
}

async function beginUpload(app: App, owner: FileOwner, { name, content_type, size = 0 }: NewFile): Promise<FileRow> {
  const { project, owner_id, member_id } = owner;
  const id = newId('fil');
  return app.permits.run(project, () =>
    transact(app, async (app) => {
      await refuseBeyondLimit(app, 'files', project.id);
      const upload = await insertUpload(app.database, {
        id,
        bytes_id: id,
        project_id: project.id,
        owner_id,
        member_id,
        fairness_key: project.fairness_key,
        name: safeFileName(name),
        content_type: safeContentType(content_type),
        storage: app.config.files_s3 ? 's3' : 'database',
        part_bytes: PART_BYTES,
        reserved_bytes: size,
        expires_at: new Date(app.now() + UPLOAD_LEASE_MS).toISOString(),
      });
      await refuseBeyondQuota(app, upload);
      return upload;
    }),
  );
}

async function writeParts(app: App, upload: FileRow, body: NewFile['body']) {
  const hash = createHash('sha256');
  let [size, position] = [0, 0];
  for await (const bytes of partsOf(body, upload.part_bytes)) {
    size += bytes.length;
    if (size > MAX_FILE_BYTES) throw tooLarge();
    hash.update(bytes);
    await writePart(app, upload, { position, bytes, written: size });
    position += 1;
  }
  return { size, sha256: hash.digest('hex') };
}

/** All of the same length, but for the last. */
async function* partsOf(body: NewFile['body'], length: number): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let held = 0;
  for await (let bytes of body) {
    while (held + bytes.length >= length) {
      const taken = length - held;
      yield Buffer.concat([...pending, bytes.subarray(0, taken)]);
      bytes = bytes.subarray(taken);
      [pending, held] = [[], 0];
    }
    if (bytes.length > 0) pending.push(bytes);
    held += bytes.length;
  }
  if (held > 0) yield Buffer.concat(pending);
}

const tooLarge = () => refuse.bodyTooLarge({ details: { limit_bytes: MAX_FILE_BYTES } });
