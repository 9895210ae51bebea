// The bytes of a customer's answer as text: by the charset that its content type names, else as UTF-8.

import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Null where the bytes are no such text. `is_cut`: the end is missing, and with it perhaps half a character, which is left out. */
export function answerText(content_type: string | null, body: Buffer, is_cut: boolean): string | null {
  const charset = charsetOf(content_type ?? '');
  if (charset !== null) return decodeAs(charset, body, is_cut);
  if (isAscii(body)) return body.toString('latin1');
  if (is_cut) return decodeAs('utf-8', body, is_cut);
  if (!isUtf8(body)) return null;
  const text = body.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

export function isJson(content_type: string): boolean {
  return content_type === 'application/json' || JSON_TYPE.test(content_type);
}

const JSON_TYPE = /^\s*(?:(?:application|text)\/json|[\w.-]+\/[\w.+-]*\+json)\s*(?:;|$)/i;

/** Null for UTF-8, and where none is named. */
function charsetOf(content_type: string): string | null {
  if (!content_type.includes(';')) return null;
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(content_type)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset) ? null : charset;
}

function decodeAs(charset: string, body: Buffer, is_cut: boolean): string | null {
  const decoder = decoderOf(charset);
  try {
    return decoder.decode(body, { stream: is_cut });
  } catch {
    return null;
  }
}

/** A charset that nobody knows is most likely UTF-8. */
function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return new TextDecoder('utf-8', { fatal: true });
  }
}
