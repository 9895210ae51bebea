// Applies the paths of a response rule to JSON, in one pass over its text: what is kept is copied as it is written, so that numbers
// keep their digits; blanks between tokens are left out. The result is JSON whenever the input is.

import {
  bytesToText,
  COLON,
  COMMA,
  decodeString,
  encodeString,
  endOfScalar,
  endOfString,
  endOfValue,
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
  textToBytes,
} from '../engines/json-text/scan.ts';
import { REDACTED } from '../redaction/context.ts';
import type { State } from './automaton.ts';
import { type Cuttable, type FoundList, LONGEST_TEXT, longText } from './cut-to-budget.ts';
import { addCut, type Cut, type CutMap, ITEM, pathOf } from './cuts.ts';
import type { Detectors, Redact } from './detectors.ts';

const REDACTED_JSON = JSON.stringify(REDACTED);

type Walk = Detectors & {
  source: Source;
  text: string;
  /** What was written; then everything from `from` on. */
  out: string;
  from: number;
  /** Where the next sign is. */
  sign_at: number;
  /** Where the names of the members begin that lead here; ITEM for an item. */
  place: number[];
  /** Where the text begins whose end is missing; -1: there is none. */
  cut_text: number;
  cuts: CutMap;
  /** Where what can be cut is added, with its place in the result; null without a budget. */
  found: Cuttable[] | null;
};

/** `text` is UTF-8 as latin1, and so is the result; `cut_text`: where a text begins that was cut. Null: it is not JSON. */
export function shapeJson(
  text: string,
  { root, redact, isSecretNumber, sign, has_budget }: Detectors & { root: State; has_budget: boolean },
  cut_text = -1,
): { json: string; cuts: Cut[]; found: Cuttable[] } | null {
  const start = skipBlanks(text, 0);
  const found: Cuttable[] = [];
  const walk: Walk = {
    ...{ source: sourceOf(text), text, out: '', from: start, place: [], cut_text, cuts: new Map() },
    ...{ redact, isSecretNumber, sign, sign_at: -1 },
    found: has_budget ? found : null,
  };
  try {
    const end = shapeRoot(walk, start, root);
    if (skipBlanks(text, end) !== text.length) return null;
    return { json: walk.out + text.slice(walk.from, end), cuts: [...walk.cuts.values()], found };
  } catch (error) {
    if (error === NOT_JSON) return null;
    throw error;
  }
}

/** A root of another kind than the paths expect has nothing that is selected. */
function shapeRoot(walk: Walk, start: number, root: State): number {
  const unit = walk.text.charCodeAt(start);
  if (isKept(root, unit)) return shapeValue(walk, start, root);
  const end = endOfValue(walk.source, start, 0);
  replace(walk, start, end, unit === OBJECT ? '{}' : unit === LIST ? '[]' : 'null');
  return end;
}

function isKept(state: State, unit: number): boolean {
  if (state.is_dropped) return false;
  return state.is_selected || (unit === OBJECT ? state.selects_members : unit === LIST && state.selects_items);
}

function replace(walk: Walk, start: number, end: number, by: string): void {
  walk.out += walk.text.slice(walk.from, start) + by;
  walk.from = end;
}

/** Returns the end of the value, which is kept. */
function shapeValue(walk: Walk, start: number, state: State): number {
  const { text } = walk;
  const unit = text.charCodeAt(start);
  if (state.is_redacted) {
    const end = endOfValue(walk.source, start, walk.place.length);
    replace(walk, start, end, REDACTED_JSON);
    return end;
  }
  if (unit === OBJECT) return shapeObject(walk, start, state);
  if (unit === LIST) return shapeList(walk, start, state);
  const end = endOfScalar(walk.source, start);
  if (unit === QUOTE) {
    if (walk.redact !== null || walk.found !== null) shapeString(walk, start, end);
  } else if (walk.isSecretNumber?.(text, start, end)) replace(walk, start, end, REDACTED_JSON);
  return end;
}

/** Where this place of the text is in the result. Everything before it must have been written or be kept. */
const placeInResult = (walk: Walk, at: number) => walk.out.length + at - walk.from;

function shapeString(walk: Walk, start: number, end: number): void {
  const begins = placeInResult(walk, start);
  const isSecret = walk.redact !== null && (start === walk.cut_text || maySay(walk, start, end));
  const raw = isSecret ? redactString(walk, start, end) : null;
  if (walk.found === null || placeInResult(walk, end) - begins <= LONGEST_TEXT) return;
  const long = longText(raw ?? walk.text.slice(start, end), begins, placeInResult(walk, end), pathHere(walk));
  if (long) walk.found.push(long);
}

function pathHere({ text, place }: Walk): () => string {
  const here = [...place];
  return () => pathOf(text, here);
}

function shapeObject(walk: Walk, start: number, state: State): number {
  const { text } = walk;
  if (walk.place.length >= MAX_DEPTH) throw NOT_JSON;
  let at = skipBlanks(text, start + 1);
  if (text.charCodeAt(at) === OBJECT_END) return endEmpty(walk, start, at);
  /** Behind the last member that was kept. */
  let done = start + 1;
  let separator = '';
  const renamed: Map<string, number> | null = walk.redact && new Map();
  walk.place.push(ITEM);
  while (true) {
    if (text.charCodeAt(at) !== QUOTE) throw NOT_JSON;
    const name_end = endOfString(walk.source, at + 1);
    const colon = skipBlanks(text, name_end);
    if (text.charCodeAt(colon) !== COLON) throw NOT_JSON;
    const value = skipBlanks(text, colon + 1);
    const child = stateOfMember(state, walk.source, at, name_end);
    if (!isKept(child, text.charCodeAt(value))) at = endOfValue(walk.source, value, walk.place.length);
    else {
      if (at !== done + separator.length) replace(walk, done, at, separator);
      if (walk.redact && renamed && maySay(walk, at, name_end)) redactName(walk, at, name_end, walk.redact, renamed);
      if (value !== name_end + 1) replace(walk, name_end, value, ':');
      walk.place[walk.place.length - 1] = at;
      at = shapeValue(walk, value, child);
      done = at;
      separator = ',';
    }
    at = skipBlanks(text, at);
    if (text.charCodeAt(at) === OBJECT_END) break;
    if (text.charCodeAt(at) !== COMMA) throw NOT_JSON;
    at = skipBlanks(text, at + 1);
  }
  walk.place.pop();
  if (at !== done) replace(walk, done, at, '');
  return at + 1;
}

function endEmpty(walk: Walk, start: number, end: number): number {
  if (end !== start + 1) replace(walk, start + 1, end, '');
  return end + 1;
}

/** Most names are those of no path: then there is one state for all of them. */
function stateOfMember(state: State, { text, backslash }: Source, start: number, end: number): State {
  // The next backslash is behind the name, or else it may be in it.
  const has_escapes = backslash < end;
  if (state.named.size === 0) return state.other();
  if (has_escapes) {
    const raw = text.slice(start, end);
    return state.member(raw.includes('\\') ? textToBytes(decodeString(raw)) : raw.slice(1, -1));
  }
  return state.mayName(end - start - 2) ? state.member(text.slice(start + 1, end - 1)) : state.other();
}

/** What is found until its end is inside of it. */
function startList(walk: Walk, start: number): FoundList {
  const begins = placeInResult(walk, start);
  const list: FoundList = { kind: 'list', start: begins, end: 0, items: [], inside: [], path: pathHere(walk) };
  walk.found?.push(list);
  walk.found = list.inside;
  return list;
}

function shapeList(walk: Walk, start: number, state: State): number {
  const { text } = walk;
  if (walk.place.length >= MAX_DEPTH) throw NOT_JSON;
  let at = skipBlanks(text, start + 1);
  if (text.charCodeAt(at) === LIST_END) return endEmpty(walk, start, at);
  let done = start + 1;
  let total = 0;
  let kept = 0;
  let was_cut = false;
  const child = state.item();
  const { found } = walk;
  const list = found && startList(walk, start);
  walk.place.push(ITEM);
  while (true) {
    total += 1;
    const is_kept = isKept(child, text.charCodeAt(at));
    if (!is_kept || kept >= state.max_items) {
      if (is_kept) was_cut = true;
      at = endOfValue(walk.source, at, walk.place.length);
    } else {
      if (at !== done + (kept === 0 ? 0 : 1)) replace(walk, done, at, kept === 0 ? '' : ',');
      list?.items.push(placeInResult(walk, at));
      at = shapeValue(walk, at, child);
      done = at;
      kept += 1;
    }
    at = skipBlanks(text, at);
    if (text.charCodeAt(at) === LIST_END) break;
    if (text.charCodeAt(at) !== COMMA) throw NOT_JSON;
    at = skipBlanks(text, at + 1);
  }
  walk.place.pop();
  if (at !== done) replace(walk, done, at, '');
  walk.found = found;
  if (list) list.end = placeInResult(walk, at);
  if (was_cut) addCut(walk.cuts, { path: pathOf(text, walk.place), kept, total, is_list: true });
  return at + 1;
}

/** Most strings do not have the sign, and need not be decoded. The string must be the last one that was read. */
function maySay(walk: Walk, start: number, end: number): boolean {
  if (walk.sign === null || walk.source.backslash < end) return true;
  if (walk.sign_at < start) {
    walk.sign.lastIndex = start;
    walk.sign_at = walk.sign.exec(walk.text)?.index ?? walk.text.length;
  }
  return walk.sign_at < end;
}

/** Returns the JSON that replaces the string, or null. */
function redactString(walk: Walk, start: number, end: number): string | null {
  const value = stringAt(walk.text, start, end);
  const is_cut = start === walk.cut_text;
  const redacted = (walk.redact as Redact)(value, is_cut);
  if (is_cut)
    addCut(walk.cuts, { path: pathOf(walk.text, walk.place), kept: redacted.length, total: null, is_list: false });
  if (redacted === value) return null;
  const raw = encodeString(redacted);
  replace(walk, start, end, raw);
  return raw;
}

/** Names that become the same are numbered, so that no member is lost. */
function redactName(walk: Walk, start: number, end: number, redact: Redact, renamed: Map<string, number>): void {
  const name = stringAt(walk.text, start, end);
  const redacted = redact(name);
  if (redacted === name) return;
  const number = (renamed.get(redacted) ?? 0) + 1;
  renamed.set(redacted, number);
  replace(walk, start, end, encodeString(number === 1 ? redacted : `${redacted} (${number})`));
}

function stringAt(text: string, start: number, end: number): string {
  const raw = text.slice(start, end);
  return raw.includes('\\') ? decodeString(raw) : bytesToText(raw.slice(1, -1));
}
