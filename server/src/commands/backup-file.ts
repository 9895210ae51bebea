// The file of a backup: one line of JSON, the header, and then the data, compressed with gzip, whose checksum finds a truncated or
// changed file. The data are an archive of pg_dump or our own dump (logical-dump.ts). Mode 600: the header may hold the master key.

import { createReadStream, existsSync } from 'node:fs';
import { link, open, rename, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { randomBase62 } from '../base62.ts';

const FORMAT = 'toolgate-backup';
const MAX_HEADER_BYTES = 4_000_000;

const headerShape = z.object({
  format: z.literal(FORMAT),
  format_version: z.literal(1),
  toolgate_version: z.string(),
  created_at: z.string(),
  data: z.enum(['pg_dump', 'logical']),
  /** The major version of pg_dump: pg_restore must not be older. */
  pg_dump_version: z.int().nullable(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** For a logical dump: what follows, and the partitions to create for it. */
  tables: z.array(z.object({ name: z.string(), rows: z.int() })),
  day_partitions: z.array(z.object({ parent: z.string(), day: z.string() })),
  /** Without these keys the stored secrets cannot be opened. */
  used_master_key_ids: z.array(z.string()),
  /** Null with --without-keys. In the format of TOOLGATE_MASTER_KEYS. */
  master_keys: z.string().nullable(),
  /** Null with --without-keys, and when it is a setting. */
  root_key: z.string().nullable(),
});

export type BackupHeader = Omit<z.infer<typeof headerShape>, 'format' | 'format_version'>;
export type BackupFile = { header: BackupHeader; body(): Readable };

/** Written beside `path` and renamed when complete, so that `path` is never half a backup. Returns its size in bytes. */
export async function writeBackupFile(
  path: string,
  header: BackupHeader,
  body: Readable,
  options: { may_overwrite: boolean },
): Promise<number> {
  const draft = `${resolve(path)}.${randomBase62(8)}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.chmod(0o600);
    await file.write(`${JSON.stringify({ format: FORMAT, format_version: 1, ...header })}\n`);
    // Not createWriteStream: the handle could not be closed while the stream refers to it.
    await pipeline(body, createGzip(), (compressed: AsyncIterable<Buffer>) => file.writeFile(compressed));
    await file.sync();
    const { size } = await file.stat();
    // Unlike rename, link fails when the file exists.
    if (options.may_overwrite) await rename(draft, path);
    else await link(draft, path).catch(() => refuseExisting(path));
    return size;
  } finally {
    await file.close();
    await unlink(draft).catch(() => {}); // it was renamed
  }
}

export function refuseExisting(path: string): never {
  throw new Error(
    existsSync(path) ? `${path} exists: choose another name, or add --force` : `${path} cannot be written`,
  );
}

/** Reads the header. Throws when this is no backup, or one of a newer version. */
export async function openBackupFile(path: string): Promise<BackupFile> {
  const line = await readFirstLine(path);
  const { header } = parseHeader(path, line);
  const start = Buffer.byteLength(line) + 1;
  return { header, body: () => decompressed(path, start) };
}

/** Reads all of it, so that a damaged file is found before anything is changed. */
export async function checkBackupFile(path: string, { body }: BackupFile): Promise<void> {
  try {
    await pipeline(body(), new Writable({ write: (_chunk, _encoding, done) => done() }));
  } catch (cause) {
    throw new Error(`${path} is damaged: ${(cause as Error).message}`, { cause });
  }
}

function decompressed(path: string, start: number): Readable {
  const file = createReadStream(path, { start });
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  return file.pipe(gunzip);
}

async function readFirstLine(path: string): Promise<string> {
  let text = '';
  const file = createReadStream(path, { encoding: 'utf8', end: MAX_HEADER_BYTES });
  for await (const part of file as AsyncIterable<string>) {
    text += part;
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
  }
  throw new Error(`${path} is not a backup created by toolgate`);
}

function parseHeader(path: string, line: string): { header: BackupHeader } {
  let value: { format?: unknown; format_version?: unknown };
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error(`${path} is not a backup created by toolgate`);
  }
  if (value?.format !== FORMAT) throw new Error(`${path} is not a backup created by toolgate`);
  if (value.format_version !== 1)
    throw new Error(`${path} was created by a newer version of toolgate: use that version`);
  const { success, data } = headerShape.safeParse(value);
  if (!success) throw new Error(`${path} is damaged: its header is not complete`);
  return { header: data };
}
