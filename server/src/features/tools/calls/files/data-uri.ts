// A small file in the call itself: a data: URI (RFC 2397).

import { MAX_DATA_URI_BYTES } from '@toolgate/contract/custom-tools/file-arguments.ts';

export type DataFile = { content_type: string | undefined; bytes: Buffer };

const TOO_LARGE = `must be a data: URI of at most ${MAX_DATA_URI_BYTES} bytes decoded: upload a larger file`;
const INVALID = 'must be a valid data: URI, such as data:text/plain;base64,aGVsbG8=';
/** An encoded byte is three characters. */
const MAX_LENGTH = 3 * MAX_DATA_URI_BYTES + 1_024;

/** The text says what is wrong with it. */
export function readDataUri(uri: string): DataFile | string {
  if (uri.length > MAX_LENGTH) return TOO_LARGE;
  const comma = uri.indexOf(',');
  if (comma === -1) return INVALID;
  const head = uri.slice('data:'.length, comma);
  const base64 = /;\s*base64\s*$/i.exec(head);
  const content_type = (base64 ? head.slice(0, base64.index) : head).trim() || undefined;
  const bytes = base64 ? fromBase64(uri.slice(comma + 1)) : fromPercent(uri.slice(comma + 1));
  if (bytes === null) return INVALID;
  return bytes.length > MAX_DATA_URI_BYTES ? TOO_LARGE : { content_type, bytes };
}

function fromBase64(text: string): Buffer | null {
  const given = text.replace(/%3D/gi, '=').replace(/%2B/gi, '+').replace(/%2F/gi, '/');
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(given) ? Buffer.from(given, 'base64') : null;
}

function fromPercent(text: string): Buffer | null {
  if (/%(?![0-9a-f]{2})/i.test(text) || !text.isWellFormed()) return null;
  const parts = text.split(/%([0-9a-f]{2})/i);
  return Buffer.concat(parts.map((part, at) => (at % 2 === 1 ? Buffer.from(part, 'hex') : Buffer.from(part))));
}
