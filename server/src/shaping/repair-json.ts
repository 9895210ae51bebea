// The beginning of a JSON text that was cut off somewhere, ended so that it is JSON again: without the item of a list that is not
// complete, or else without the last member; a text ends where it was cut.

import {
  COLON,
  COMMA,
  endOfScalar,
  findStringEnd,
  LIST,
  LIST_END,
  MAX_DEPTH,
  NOT_JSON,
  OBJECT,
  OBJECT_END,
  QUOTE,
  type Source,
  skipBlanks,
  sourceOf,
  UNFINISHED,
} from '../engines/json-text/scan.ts';
import { type Cut, ITEM, pathOf } from './cuts.ts';

/** An object or list that has no end. */
type Open = { is_list: boolean; name: number; done: number; count: number };

/** `cut_text`: where the text begins that ends where it was cut; -1: there is none. */
type Repaired = { json: string; cuts: Cut[]; cut_text: number };

/** `text` is UTF-8 as latin1, cut anywhere. Null: it is not the beginning of JSON. */
export function repairJson(text: string): Repaired | null {
  const open: Open[] = [];
  try {
    const end = scan(sourceOf(text), open);
    // Only blanks were missing, unless this is a text that begins with a number or a word.
    if (end !== null)
      return skipBlanks(text, end) === text.length && hasEnd(text)
        ? { json: text.slice(0, end), cuts: [], cut_text: -1 }
        : null;
  } catch (error) {
    if (error === NOT_JSON) return null;
    throw error;
  }
  // The outermost list that has a whole item: what is inside of an item that is not whole says little.
  const list = open.findIndex(({ is_list, count }) => is_list && count > 0);
  if (list !== -1) return endAt(text, open, list);
  return endText(text, open) ?? (open.length > 0 ? endAt(text, open, open.length - 1) : null);
}

const hasEnd = (text: string) => [OBJECT, LIST, QUOTE].includes(text.charCodeAt(skipBlanks(text, 0)));

function endAt(text: string, open: readonly Open[], index: number): Repaired {
  const { done, count } = open[index] as Open;
  const json = text.slice(0, done) + closers(open.slice(0, index + 1));
  const path = pathOf(
    text,
    open.slice(1, index + 1).map(({ name }) => name),
  );
  return { json, cuts: [{ path, kept: count, total: null, is_list: true }], cut_text: -1 };
}

const closers = (open: readonly Open[]) =>
  open
    .map(({ is_list }) => (is_list ? ']' : '}'))
    .reverse()
    .join('');

/** Null if the text does not end within the text of a value. */
function endText(text: string, open: readonly Open[]): Repaired | null {
  const within = textAtEnd(text, open.at(-1));
  if (within === null) return null;
  const whole = text.slice(within.start, endOfWhole(text, within.start + 1));
  const names = [...open.slice(1).map(({ name }) => name), ...(open.length > 0 ? [within.name] : [])];
  const path = pathOf(text, names);
  const json = `${text.slice(0, within.start)}${whole}"${closers(open)}`;
  return { json, cuts: [{ path, kept: whole.length - 1, total: null, is_list: false }], cut_text: within.start };
}

/** The beginning of an escape, of a pair of them for one character, or of a character in UTF-8. */
const ESCAPES =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u(?![dD][89abAB])[0-9a-fA-F]{4}|[^u])|[^\\]+/y;
const PARTIAL_CHARACTER = /(?:[\xc0-\xff][\x80-\xbf]{0,2})$/;

/** Where the last whole character of a text ends that was cut. */
function endOfWhole(text: string, start: number): number {
  let end = start;
  ESCAPES.lastIndex = start;
  while (end < text.length && ESCAPES.test(text)) end = ESCAPES.lastIndex;
  const last = text.slice(Math.max(start, end - 4), end);
  const partial = PARTIAL_CHARACTER.exec(last)?.[0] ?? '';
  return isWholeCharacter(partial) ? end : end - partial.length;
}

const isWholeCharacter = (bytes: string) => bytes === '' || !Buffer.from(bytes, 'latin1').toString().includes('\ufffd');

/** The value that begins behind the last complete one, if it is a text. */
function textAtEnd(text: string, inner: Open | undefined): { start: number; name: number } | null {
  let at = skipBlanks(text, inner?.done ?? 0);
  if (inner && inner.count > 0) {
    if (text.charCodeAt(at) !== COMMA) return null;
    at = skipBlanks(text, at + 1);
  }
  let name = ITEM;
  if (inner && !inner.is_list) {
    const end = text.charCodeAt(at) === QUOTE ? stringEnd(sourceOf(text), at) : null;
    if (end === null) return null;
    name = at;
    at = skipBlanks(text, end);
    if (text.charCodeAt(at) !== COLON) return null;
    at = skipBlanks(text, at + 1);
  }
  return text.charCodeAt(at) === QUOTE ? { start: at, name } : null;
}

/** The end of the value; null if the text ends before it, then `open` has what is left open. */
function scan(source: Source, open: Open[]): number | null {
  const { text } = source;
  let at = skipBlanks(text, 0);
  let name = ITEM;
  while (true) {
    const unit = text.charCodeAt(at);
    if (unit === OBJECT || unit === LIST) {
      if (open.length >= MAX_DEPTH) throw NOT_JSON;
      open.push({ is_list: unit === LIST, name, done: at + 1, count: 0 });
      at = skipBlanks(text, at + 1);
    } else {
      const end = scalarEnd(source, at);
      if (end === null) return null;
      at = end;
      if (!endValue(open, at)) return at;
      at = skipBlanks(text, at);
    }
    const next = nextValue(source, at, open);
    if (next === null) return null;
    if (typeof next === 'number') return next;
    ({ at, name } = next);
  }
}

/** False if that was the whole. */
function endValue(open: readonly Open[], at: number): boolean {
  const inner = open.at(-1);
  if (!inner) return false;
  inner.done = at;
  inner.count += 1;
  return true;
}

/** A number, word or text that goes up to the end may go on there. */
function scalarEnd(source: Source, at: number): number | null {
  const { text } = source;
  if (at >= text.length) return null;
  if (text.charCodeAt(at) === QUOTE) return stringEnd(source, at);
  const rest = /[^\s,\]}]*/y;
  rest.lastIndex = at;
  rest.exec(text);
  if (rest.lastIndex === text.length) return null;
  return endOfScalar(source, at);
}

function stringEnd(source: Source, at: number): number | null {
  const end = findStringEnd(source, at + 1);
  return end === UNFINISHED ? null : end;
}

/** Closes what ends here. A number: the end of the whole. Null: the text ends. */
function nextValue(source: Source, start: number, open: Open[]): { at: number; name: number } | number | null {
  const { text } = source;
  let at = start;
  while (true) {
    const inner = open.at(-1) as Open;
    const unit = text.charCodeAt(at);
    if (at >= text.length) return null;
    if (unit === (inner.is_list ? LIST_END : OBJECT_END)) {
      open.pop();
      at += 1;
      if (!endValue(open, at)) return at;
      at = skipBlanks(text, at);
      continue;
    }
    if (inner.count > 0) {
      if (unit !== COMMA) throw NOT_JSON;
      at = skipBlanks(text, at + 1);
      if (at >= text.length) return null;
    }
    return inner.is_list ? { at, name: ITEM } : memberValue(source, at);
  }
}

function memberValue(source: Source, start: number): { at: number; name: number } | null {
  const { text } = source;
  if (text.charCodeAt(start) !== QUOTE) throw NOT_JSON;
  const end = stringEnd(source, start);
  if (end === null) return null;
  const colon = skipBlanks(text, end);
  if (colon >= text.length) return null;
  if (text.charCodeAt(colon) !== COLON) throw NOT_JSON;
  return { at: skipBlanks(text, colon + 1), name: start };
}
