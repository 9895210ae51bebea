// Sends the bytes of a file, or a range of them, so that a browser stores them and runs nothing of what is in them.

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import type { StoredFile } from './file.ts';
import { type ByteRange, readFile } from './read-file.ts';

const HEADERS = {
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};

/** `check` throws once the file may not be read any more; it runs before each part. */
export function sendFile(
  app: App,
  reply: FastifyReply,
  file: StoredFile,
  check: () => Promise<void> = async () => {},
): FastifyReply {
  const { range: asked, 'if-range': if_range } = reply.request.headers;
  // There is no validator that `If-Range` could name.
  const range = if_range === undefined ? parseRange(asked, file.size) : null;
  reply.headers({
    ...HEADERS,
    'content-type': file.content_type,
    'content-disposition': dispositionOf(file.name),
    'content-length': String(range ? range.last - range.first + 1 : file.size),
  });
  if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${file.size}`);
  const parts = async function* () {
    for await (const part of readFile(app, file, range ?? undefined)) {
      await check();
      yield part;
    }
  };
  return reply.send(Readable.from(parts(), { objectMode: false }));
}

/** RFC 9110 14.1.2. Null: the whole file. Throws 416 for a range outside of it. */
export function parseRange(header: string | undefined, size: number): ByteRange | null {
  const [, from = '', to = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') return within({ first: Math.max(0, size - Number(to)), last: size - 1 }, size);
  // A range that ends before it starts is none.
  if (to !== '' && Number(to) < Number(from)) return null;
  return within({ first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }, size);
}

function within(range: ByteRange, size: number): ByteRange {
  if (range.first < size) return range;
  throw refuse.rangeNotSatisfiable({ headers: { 'content-range': `bytes */${size}` } });
}

/** RFC 6266: the name in ASCII, and as it is. */
export function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
