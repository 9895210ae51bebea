// The bytes of a customer's answer as text: by the charset that its content type names, else as UTF-8. Text that says it is
// JSON is checked without being parsed, and parsed only where its value is needed.

import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { isJsonText } from '../../json/is-json-text.ts';
import { checkLimits, JsonProblem } from '../../json/parse-strict.ts';

const MAX_DEPTH = 100;
/** Beyond these the value is not parsed: it could take more than 100 ms, during which nobody else is served. */
const PARSE_LIMITS = { max_depth: MAX_DEPTH, max_members: 50_000, max_values: 300_000 };

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

/** Whether it may be passed on as JSON: what is nested deeper than this is passed on as text. */
export function isJsonAnswer(text: string): boolean {
  return isJsonText(text, MAX_DEPTH);
}

/** The value of a JSON text; undefined where it is no JSON, or too deep or too large to be parsed. */
export function parseAnswer(text: string): unknown {
  try {
    checkLimits(text, PARSE_LIMITS);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof JsonProblem || error instanceof SyntaxError) return undefined;
    throw error;
  }
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
