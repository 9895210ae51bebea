// Whether a text is JSON, without making its value: the time depends on the length of the text alone, while JSON.parse takes
// up to ten times as long for many objects of different shapes, and builds whatever depth it is given.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const ARRAY = 0x5b;
const OBJECT = 0x7b;
/** From '[' to ']', and from '{' to '}'. */
const TO_END = 2;
const NONE = -1;
/** Anything but a quote, a backslash or a control character: the engine's own loop is faster than ours, but slower to begin. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const SHORT_STRING = 64;

/** False too where it is nested deeper than `max_depth`. */
export function isJsonText(text: string, max_depth: number): boolean {
  const open: number[] = [];
  let at = skipBlanks(text, 0);
  while (true) {
    const start = text.charCodeAt(at);
    if (start === OBJECT || start === ARRAY) {
      if (open.length === max_depth) return false;
      open.push(start);
      at = skipBlanks(text, at + 1);
      if (text.charCodeAt(at) !== start + TO_END) {
        if (start === OBJECT) at = endOfName(text, at);
        if (at === NONE) return false;
        continue;
      }
    } else {
      at = endOfScalar(text, at);
      if (at === NONE) return false;
      at = skipBlanks(text, at);
    }
    at = endOfClosed(text, at, open);
    if (open.length === 0) return at === text.length;
    if (text.charCodeAt(at) !== COMMA) return false;
    at = skipBlanks(text, at + 1);
    if (open[open.length - 1] === OBJECT) at = endOfName(text, at);
    if (at === NONE) return false;
  }
}

/** Behind all arrays and objects that end here, one right after the other. */
function endOfClosed(text: string, start: number, open: number[]): number {
  let at = start;
  while (open.length > 0 && text.charCodeAt(at) === (open[open.length - 1] as number) + TO_END) {
    open.pop();
    at = skipBlanks(text, at + 1);
  }
  return at;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  for (let unit = text.charCodeAt(at); unit === 0x20 || (unit >= 0x09 && unit <= 0x0d); unit = text.charCodeAt(++at))
    if (unit === 0x0b || unit === 0x0c) break; // vertical tab and form feed are no blanks in JSON
  return at;
}

/** Where the value of a member begins. */
function endOfName(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return NONE;
  const end = endOfString(text, start + 1);
  if (end === NONE) return NONE;
  const at = skipBlanks(text, end);
  return text.charCodeAt(at) === COLON ? skipBlanks(text, at + 1) : NONE;
}

function endOfScalar(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit === QUOTE) return endOfString(text, at + 1);
  if (unit === MINUS || isDigit(unit)) return endOfNumber(text, at);
  const word = unit === 0x74 ? 'true' : unit === 0x66 ? 'false' : 'null';
  return text.startsWith(word, at) ? at + word.length : NONE;
}

function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (at === start + SHORT_STRING) {
      PLAIN.lastIndex = at;
      PLAIN.test(text);
      at = PLAIN.lastIndex;
    }
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit < 0x20) return NONE;
    if (unit !== BACKSLASH) continue;
    at++;
    const escaped = text[at];
    if (escaped === undefined || !'"\\/bfnrtu'.includes(escaped)) return NONE;
    if (escaped !== 'u') continue;
    for (const end = at + 4; at < end; at++) if (!isHex(text.charCodeAt(at + 1))) return NONE;
  }
  return NONE;
}

function endOfNumber(text: string, start: number): number {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = text.charCodeAt(first) === ZERO ? first + 1 : endOfDigits(text, first);
  if (at !== NONE && text.charCodeAt(at) === DOT) at = endOfDigits(text, at + 1);
  if (at === NONE || (text.charCodeAt(at) | 0x20) !== 0x65) return at; // e
  const sign = text.charCodeAt(at + 1);
  return endOfDigits(text, sign === MINUS || sign === 0x2b ? at + 2 : at + 1);
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at === start ? NONE : at;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= 0x39;
}

function isHex(unit: number): boolean {
  return isDigit(unit) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x66);
}
