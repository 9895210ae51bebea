// Shapes one response by a compiled rule: paths, then detectors, then the budget, and says what is missing.
// docs/design/tool-calls.md explains why.

import {
  decodeString,
  endOfString,
  endOfValue,
  OBJECT,
  QUOTE,
  type Source,
  skipBlanks,
  sourceOf,
  textToBytes,
} from '../engines/json-text/scan.ts';
import type { State } from './automaton.ts';
import type { CompiledRule } from './compile.ts';
import { cutToBudget } from './cut-to-budget.ts';
import { type Cut, keyOfCut } from './cuts.ts';
import type { Redact } from './detectors.ts';
import { repairJson } from './repair-json.ts';
import { shapeJson } from './shape-json.ts';

export type Next = { argument: string; value: string | number | boolean };
/** What is not there, and how to go on. */
export type Truncation = { paths: { path: string; kept: number; total: number | null }[]; next: Next | null };

export type Shaped =
  /** `json` is UTF-8 as latin1. */
  | { kind: 'json'; json: string; is_cut: boolean; truncation: Truncation | null }
  | { kind: 'not_json' }
  | { kind: 'too_large' };

/** The largest are named first. */
const MAX_PATHS_SHOWN = 20;

/** `bytes` is UTF-8 as latin1; `is_beginning`: of a longer response. */
export function shapeBytes(bytes: string, rule: CompiledRule, is_beginning: boolean): Shaped {
  const repaired = is_beginning ? repairJson(bytes) : { json: bytes, cuts: [], cut_text: -1 };
  const shaped = repaired && shapeJson(repaired.json, rule, repaired.cut_text);
  if (repaired === null || shaped === null) return { kind: 'not_json' };
  const fitting = cutToBudget(shaped.json, rule.max_bytes, shaped.found);
  if (fitting === null) return { kind: 'too_large' };
  const cuts = mergeCuts(mergeCuts(repaired.cuts, shaped.cuts), fitting.cuts);
  const next = is_beginning || cuts.some(isPage) ? null : nextOf(bytes, rule);
  const is_cut = cuts.length > 0;
  const truncation = is_cut || next !== null ? { paths: shownPaths(cuts, rule.redact), next } : null;
  return { kind: 'json', json: fitting.json, is_cut, truncation };
}

/** A list that is in no other list may be that of the page: its other items are not on the next one. */
const isPage = ({ path, is_list }: Cut) => is_list && !path.includes('[]');

/** The later cuts were made in what the earlier ones left. */
function mergeCuts(earlier: readonly Cut[], later: readonly Cut[]): Cut[] {
  if (earlier.length === 0 || later.length === 0) return [...earlier, ...later];
  const merged = new Map(earlier.map((cut) => [keyOfCut(cut), cut]));
  for (const cut of later) {
    const before = merged.get(keyOfCut(cut));
    merged.set(keyOfCut(cut), { ...cut, total: before ? addTotals(before, cut) : cut.total });
  }
  return [...merged.values()];
}

const addTotals = (before: Cut, after: Cut) =>
  before.total === null || after.total === null ? null : after.total + before.total - before.kept;

/** A name in a path is as secret as in the response. */
function shownPaths(cuts: readonly Cut[], redact: Redact | null): Truncation['paths'] {
  const missing = ({ kept, total }: Cut) => (total === null ? Number.POSITIVE_INFINITY : total - kept);
  return cuts
    .toSorted((one, other) => (missing(one) === missing(other) ? 0 : missing(other) - missing(one)))
    .slice(0, MAX_PATHS_SHOWN)
    .map(({ path, kept, total }) => ({ path: redact ? redact(path) : path, kept, total }));
}

/** Null if the response has no cursor, or one that must not be seen. */
function nextOf(bytes: string, { root, next_page, redact, isSecretNumber }: CompiledRule): Next | null {
  if (next_page === null || isRedactedAt(root, next_page.names)) return null;
  const raw = findMember(bytes, next_page.names);
  const value: unknown = raw === null ? null : JSON.parse(Buffer.from(raw, 'latin1').toString());
  if (typeof value !== 'string' && typeof value !== 'number' && value !== true) return null;
  // A number that would arrive as another one is no use.
  if (typeof value === 'number' && (String(value) !== raw || isSecretNumber?.(raw, 0, raw.length))) return null;
  if (value === '' || (typeof value === 'string' && redact !== null && redact(value) !== value)) return null;
  return { argument: next_page.argument, value };
}

/** Also within a value that is redacted. */
function isRedactedAt(root: State, names: readonly string[]): boolean {
  let state = root;
  return names.some((name) => {
    state = state.member(textToBytes(name));
    return state.is_redacted;
  });
}

/** The text of the value. `bytes` must be JSON. */
function findMember(bytes: string, names: readonly string[]): string | null {
  const source = sourceOf(bytes);
  let at = skipBlanks(bytes, 0);
  for (const name of names) {
    const value = bytes.charCodeAt(at) === OBJECT ? memberOf(source, at, textToBytes(name)) : null;
    if (value === null) return null;
    at = value;
  }
  return bytes.slice(at, endOfValue(source, at, 0));
}

function memberOf(source: Source, object: number, name: string): number | null {
  const { text: bytes } = source;
  let at = skipBlanks(bytes, object + 1);
  while (bytes.charCodeAt(at) === QUOTE) {
    const end = endOfString(source, at + 1);
    const written = bytes.slice(at + 1, end - 1);
    const value = skipBlanks(bytes, skipBlanks(bytes, end) + 1);
    if (written === name || (written.includes('\\') && textToBytes(decodeString(bytes.slice(at, end))) === name))
      return value;
    at = skipBlanks(bytes, endOfValue(source, value, 0));
    at = skipBlanks(bytes, at + 1); // the comma, or the end
  }
  return null;
}
