// A file of entries: NDJSON, compressed as it is read, so that only the compressed bytes and one page are in memory. A file of the
// audit log ends with the head of its chain, signed.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { AuditHead } from '@toolgate/contract/log-streams/audit-head.ts';
import type { App } from '../../../app.ts';
import type { AuditCursor } from '../../../database/tables.ts';
import { readHead } from '../audit/entries-in-order.ts';
import { StreamFailure } from './failure.ts';
import { type Batch, readBatch } from './read-batch.ts';
import { signHead } from './sign-head.ts';
import type { SendingStream } from './store.ts';

/** Of NDJSON, before compression. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
const PAGE_ROWS = 1_000;

export type File = Omit<Batch, 'entries'> & { first_id: string; last_id: string; body: Buffer };

/** Null if there is nothing to send; then `cursor` is where the stream is. */
export async function readFile(app: App, stream: SendingStream): Promise<File | Omit<Batch, 'entries'>> {
  const writer = createFileWriter();
  try {
    return await writePages(app, stream, writer);
  } finally {
    writer.close();
  }
}

async function writePages(app: App, stream: SendingStream, writer: FileWriter): Promise<File | Omit<Batch, 'entries'>> {
  const ids: { first: string | undefined; last: string | undefined } = { first: undefined, last: undefined };
  let at: Omit<Batch, 'entries'> = { cursor: stream.cursor, is_new_cursor: false, is_complete: false };
  while (!at.is_complete) {
    const at_least = writer.lines() === 0 ? 1 : 0;
    const limits = { count: PAGE_ROWS, bytes: MAX_FILE_BYTES - writer.bytes(), at_least } as const;
    const { entries, ...page } = await readBatch(app, { ...stream, cursor: at.cursor }, limits);
    for (const { text } of entries) await writer.add(text);
    ids.first ??= entries[0]?.id;
    ids.last = entries.at(-1)?.id ?? ids.last;
    at = page;
    if (entries.length === 0) break;
  }
  if (ids.first === undefined || ids.last === undefined) return at;
  const named = { first_id: ids.first, last_id: ids.last };
  if (stream.source === 'audit_log') await writer.add(await headLine(app, stream, writer, named));
  return { ...at, ...named, body: await writer.end() };
}

async function headLine(
  app: App,
  { id, project_id, organization_id, cursor }: SendingStream,
  writer: FileWriter,
  ids: { first_id: string; last_id: string },
): Promise<string> {
  const end = await readHead(app, organization_id);
  if (!end) throw new StreamFailure('chain', "The audit log's chain was changed in the database.");
  const head: AuditHead = {
    object: 'audit_head',
    log_stream_id: id,
    project_id,
    organization_id,
    after_seq: (cursor as AuditCursor).seq,
    ...end,
    entries: writer.lines(),
    ...ids,
    sha256: writer.digest(),
    created_at: new Date(app.now()).toISOString(),
  };
  const signing = await app.secrets.findOrCreateAuditSigningKey(app.database);
  return JSON.stringify({ ...head, signature: signHead(signing, head) });
}

type FileWriter = ReturnType<typeof createFileWriter>;

function createFileWriter() {
  const gzip = createGzip();
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let [bytes, lines] = [0, 0];
  gzip.on('data', (part: Buffer) => parts.push(part));
  return {
    async add(text: string): Promise<void> {
      const line = Buffer.from(`${text}\n`);
      hash.update(line);
      bytes += line.length;
      lines += 1;
      if (!gzip.write(line)) await once(gzip, 'drain');
    },
    bytes: () => bytes,
    lines: () => lines,
    /** Over the lines so far. */
    digest: () => hash.copy().digest('hex'),
    async end(): Promise<Buffer> {
      gzip.end();
      await once(gzip, 'end');
      return Buffer.concat(parts);
    },
    close: () => gzip.destroy(),
  };
}
