// Parts of files as objects of an S3-compatible store, which the operator names. They are sealed before they get here.

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { PART_BYTES } from './part-bytes.ts';
import type { FileRow } from './store.ts';

const TIMEOUT_MS = 30_000;
/** A sealed part, or the error of the store. */
const MAX_RESPONSE_BYTES = 2 * PART_BYTES;

type Subject = Pick<FileRow, 'bytes_id' | 'fairness_key'>;

export async function putObject(app: App, file: Subject, position: number, body: Buffer): Promise<void> {
  const { status } = await request(app, file, position, { method: 'PUT', body });
  if (status >= 300) throw unavailable(status);
}

export async function getObject(app: App, file: Subject, position: number): Promise<Buffer> {
  const { status, body } = await request(app, file, position, { method: 'GET' });
  if (status !== 200) throw unavailable(status);
  return body;
}

/** Also if there is none. */
export async function deleteObject(app: App, file: Subject, position: number): Promise<void> {
  const { status } = await request(app, file, position, { method: 'DELETE' });
  if (status >= 300 && status !== 404) throw unavailable(status);
}

type Asked = { method: 'GET' | 'DELETE' } | { method: 'PUT'; body: Buffer };

async function request(app: App, { bytes_id, fairness_key }: Subject, position: number, asked: Asked) {
  const store = app.config.files_s3;
  if (!store) throw unavailable('no store is configured');
  const { buildObjectRequest } = await import('../../activity/log-streams/s3-request.ts');
  const key = `toolgate-files/${bytes_id}/${position}`;
  const message = await buildObjectRequest(store, { ...asked, key, now: app.now() });
  try {
    return await app.send({
      ...message,
      timeout_ms: TIMEOUT_MS,
      headers_timeout_ms: TIMEOUT_MS,
      max_response_bytes: MAX_RESPONSE_BYTES,
      isolation_key: fairness_key,
      isolation_part: 'files',
    });
  } catch (error) {
    throw unavailable(error instanceof Error ? error.message : error);
  }
}

const unavailable = (cause: unknown) =>
  refuse.serviceUnavailable({ cause: `the store of files: ${cause}`, headers: { 'retry-after': '5' } });
