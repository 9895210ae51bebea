// Decodes the body of a customer's response: by the charset of its content type, else as UTF-8. JSON is checked without being
// parsed, and parsed only where its value is needed.

import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { isJsonText } from '../../../../engines/json-text/is-json-text.ts';
import { checkLimits, JsonProblem } from '../../../../engines/json-text/parse-strict.ts';

const MAX_DEPTH = 100;
/** Larger values are not parsed: that could block the event loop for more than 100 ms. */
const PARSE_LIMITS = { max_depth: MAX_DEPTH, max_members: 50_000, max_values: 300_000 };

/** Returns null if the bytes are not valid text. With `is_truncated` an incomplete character at the end is omitted. */
export function responseText(content_type: string | null, body: Buffer, is_truncated: boolean): string | null {
  const charset = charsetOf(content_type ?? '');
  if (charset !== null) return decodeAs(charset, body, is_truncated);
  if (isAscii(body)) return body.toString('latin1');
  if (is_truncated) return decodeAs('utf-8', body, is_truncated);
  if (!isUtf8(body)) return null;
  const text = body.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

export function isJson(content_type: string): boolean {
  return content_type === 'application/json' || JSON_TYPE.test(content_type);
}

/** By how it begins, whatever its content type says. */
export const mayBeJson = (body: Buffer) => /^(?:\xef\xbb\xbf)?[ \t\r\n]*[[{]/.test(body.toString('latin1', 0, 1_024));

/** For text that is UTF-8 now, whatever it was. */
export const withoutCharset = (content_type: string | null) =>
  content_type === null ? null : content_type.replace(/;\s*charset=("[^"]*"|[^;]*)/gi, '');

/** Whether the text may be passed on as JSON; JSON that is nested deeper is passed on as text. */
export function isJsonResponse(text: string): boolean {
  return isJsonText(text, MAX_DEPTH);
}

/** Returns the value of a JSON text; undefined if it is not JSON, or too deep or too large to parse. */
export function parseResponse(text: string): unknown {
  try {
    checkLimits(text, PARSE_LIMITS);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof JsonProblem || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const JSON_TYPE = /^\s*(?:(?:application|text)\/json|[\w.-]+\/[\w.+-]*\+json)\s*(?:;|$)/i;

/** Returns null for UTF-8, and if there is no charset. */
function charsetOf(content_type: string): string | null {
  if (!content_type.includes(';')) return null;
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(content_type)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset) ? null : charset;
}

function decodeAs(charset: string, body: Buffer, is_truncated: boolean): string | null {
  const decoder = decoderOf(charset);
  try {
    return decoder.decode(body, { stream: is_truncated });
  } catch {
    return null;
  }
}

/** An unknown charset is most likely a misspelt UTF-8. */
function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return new TextDecoder('utf-8', { fatal: true });
  }
}
