// What a response of the customer's API is for its caller, by its content type first: JSON or text, a picture or a sound that models
// can be shown, or a file. The bytes decide only where the type does not, and then only whether they are text.

import { isAscii, isUtf8 } from 'node:buffer';
import { mediaType } from '@toolgate/contract/files/media.ts';
import { isJson } from './response-text.ts';

const TEXT_TYPE =
  /^(?:text\/.+|.+\+(?:xml|yaml)|application\/(?:xml|javascript|ecmascript|x-javascript|x-www-form-urlencoded|(?:x-)?yaml|toml|sql|graphql|(?:x-)?ndjson|jsonl|json-seq))$/;
const FILE_TYPE =
  /^(?:(?:image|audio|video|font|model|multipart)\/.+|.+\+(?:zip|gzip)|application\/(?:pdf|zip|gzip|x-.*(?:zip|compressed|tar|rar|bzip2?)|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-).*|msword|rtf|postscript|epub.*|java-archive|wasm|pkcs.*))$/;

type Headers = { 'content-type'?: string; 'content-disposition'?: string };

/** `unknown`: the bytes decide. */
export function kindByHeaders(headers: Headers): 'json' | 'text' | 'file' | 'unknown' {
  if (isJson(headers['content-type'] ?? '')) return 'json';
  const type = mediaType(headers['content-type']);
  if (TEXT_TYPE.test(type)) return 'text';
  if (FILE_TYPE.test(type) || /^\s*attachment\b/i.test(headers['content-disposition'] ?? '')) return 'file';
  return 'unknown';
}

/** For a body that is whole. */
export function isFile(headers: Headers, body: Buffer): boolean {
  const kind = kindByHeaders(headers);
  if (kind === 'json' || body.length === 0) return false;
  if (kind === 'file') return true;
  // In another charset than UTF-8 the type says that it is text.
  if (kind === 'text' && /charset/i.test(headers['content-type'] ?? '')) return false;
  return !isAscii(body) && !isUtf8(body);
}
