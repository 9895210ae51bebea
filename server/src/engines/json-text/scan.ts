// Finds the ends of JSON tokens in a text, strictly (RFC 8259). Used on UTF-8 bytes as a latin1 string: every character is a byte, so
// positions are sizes, and all characters that matter are ASCII.

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const LIST = 0x5b;
export const LIST_END = 0x5d;
export const OBJECT = 0x7b;
export const OBJECT_END = 0x7d;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
/** As deep as a response may be to be passed on as JSON. */
export const MAX_DEPTH = 100;

/** Thrown where the text is not JSON. One value, because making an error costs more than finding it. */
export const NOT_JSON = Symbol('not JSON');

export function skipBlanks(text: string, start: number): number {
  let unit = text.charCodeAt(start);
  if (unit > 0x20) return start;
  let at = start;
  while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = text.charCodeAt(++at);
  return at;
}

/**
 * A text that is read from its start to its end. Where the next backslash and control character are is looked up once for all the
 * strings before them: then the end of a string is the next quote, which the engine finds much faster than a loop.
 */
export type Source = { text: string; from: number; backslash: number; control: number; only_newlines: boolean };

export function sourceOf(text: string): Source {
  return { text, from: 0, backslash: -1, control: -1, only_newlines: !OTHER_CONTROL.test(text) };
}

const CONTROL = /[^ -\uffff]/g;
const OTHER_CONTROL = /[^\n -\uffff]/;

/** `start` is behind the opening quote, the result behind the closing one. */
export function endOfString(source: Source, start: number): number {
  const end = findStringEnd(source, start);
  if (end === UNFINISHED) throw NOT_JSON;
  return end;
}

/** The text ends before the string does. */
export const UNFINISHED = -1;

export function findStringEnd(source: Source, start: number): number {
  const { text } = source;
  const end = text.indexOf('"', start);
  if (start < source.from || source.backslash < start) source.backslash = nextBackslash(text, start);
  if (start < source.from || source.control < start) source.control = nextControl(source, start);
  source.from = start;
  return end !== -1 && source.backslash > end && source.control > end ? end + 1 : findEscapedEnd(text, start);
}

function nextBackslash(text: string, start: number): number {
  const at = text.indexOf('\\', start);
  return at === -1 ? text.length : at;
}

function nextControl({ text, only_newlines }: Source, start: number): number {
  if (only_newlines) {
    const at = text.indexOf('\n', start);
    return at === -1 ? text.length : at;
  }
  CONTROL.lastIndex = start;
  return CONTROL.exec(text)?.index ?? text.length;
}

/** Reads no further than the string goes. */
export function findEscapedEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit < 0x20) throw NOT_JSON;
    if (unit === BACKSLASH) at = endOfEscape(text, at);
  }
  return UNFINISHED;
}

/** The last character of the escape that begins here; the end of the text if that comes first. */
function endOfEscape(text: string, start: number): number {
  const escaped = text[start + 1];
  if (escaped === undefined) return text.length;
  if (!'"\\/bfnrtu'.includes(escaped)) throw NOT_JSON;
  if (escaped !== 'u') return start + 1;
  for (let at = start + 2; at < start + 6; at++) {
    if (at >= text.length) return text.length;
    if (!isHex(text.charCodeAt(at))) throw NOT_JSON;
  }
  return start + 5;
}

export function endOfScalar(source: Source, at: number): number {
  const { text } = source;
  const unit = text.charCodeAt(at);
  if (unit === QUOTE) return endOfString(source, at + 1);
  if (unit === MINUS || isDigit(unit)) return endOfNumber(text, at);
  const word = unit === 0x74 ? 'true' : unit === 0x66 ? 'false' : 'null';
  if (!text.startsWith(word, at)) throw NOT_JSON;
  return at + word.length;
}

function endOfNumber(text: string, start: number): number {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = text.charCodeAt(first) === ZERO ? first + 1 : endOfDigits(text, first);
  if (text.charCodeAt(at) === DOT) at = endOfDigits(text, at + 1);
  if ((text.charCodeAt(at) | 0x20) !== 0x65) return at; // e
  const sign = text.charCodeAt(at + 1);
  return endOfDigits(text, sign === MINUS || sign === 0x2b ? at + 2 : at + 1);
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  if (at === start) throw NOT_JSON;
  return at;
}

/** The value that begins here, whatever it is. */
export function endOfValue(source: Source, start: number, depth: number): number {
  const { text } = source;
  const open = text.charCodeAt(start);
  if (open !== OBJECT && open !== LIST) return endOfScalar(source, start);
  if (depth >= MAX_DEPTH) throw NOT_JSON;
  let at = skipBlanks(text, start + 1);
  if (text.charCodeAt(at) === open + 2) return at + 1;
  while (true) {
    if (open === OBJECT) at = endOfName(source, at);
    at = skipBlanks(text, endOfValue(source, at, depth + 1));
    const unit = text.charCodeAt(at);
    if (unit === open + 2) return at + 1;
    if (unit !== COMMA) throw NOT_JSON;
    at = skipBlanks(text, at + 1);
  }
}

/** Where the value of the member begins. */
function endOfName(source: Source, start: number): number {
  const { text } = source;
  if (text.charCodeAt(start) !== QUOTE) throw NOT_JSON;
  const at = skipBlanks(text, endOfString(source, start + 1));
  if (text.charCodeAt(at) !== COLON) throw NOT_JSON;
  return skipBlanks(text, at + 1);
}

/** The text of a JSON string in bytes, with its quotes. */
export function decodeString(bytes: string): string {
  return JSON.parse(bytesToText(bytes)) as string;
}

/** A lone surrogate is written as an escape. */
export const encodeString = (text: string): string => textToBytes(JSON.stringify(text));

export const textToBytes = (text: string): string => (isAscii(text) ? text : Buffer.from(text).toString('latin1'));
export const bytesToText = (bytes: string): string =>
  isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();

const isAscii = (text: string) => !NOT_ASCII.test(text);
const NOT_ASCII = /[\u0080-\uffff]/;

const isDigit = (unit: number) => unit >= ZERO && unit <= 0x39;
const isHex = (unit: number) => isDigit(unit) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
