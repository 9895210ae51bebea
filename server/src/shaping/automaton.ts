// The paths of a response rule, compiled into states: a state says what happens to a value, and which states its members and items
// have. States are made when they are first needed and then shared, so that a step costs one lookup however many paths there are.

import type { ResponsePath } from '@toolgate/contract/custom-tools/response-paths.ts';

export type PathRules = {
  /** Empty: everything is selected. */
  select: readonly ResponsePath[];
  drop: readonly ResponsePath[];
  redact: readonly ResponsePath[];
  /** `path` names the list; no steps: the root. */
  max_items: readonly { path: ResponsePath; count: number }[];
};

export type State = {
  /** The whole value is selected. */
  is_selected: boolean;
  /** Not selected itself, but something inside of it may be: of an object, or of a list. */
  selects_members: boolean;
  selects_items: boolean;
  is_dropped: boolean;
  is_redacted: boolean;
  /** How many items a list keeps. */
  max_items: number;
  /** No path says anything about what is inside. */
  is_plain: boolean;
  /** Names that paths give here: only for them another state may follow than for any other name. */
  named: ReadonlySet<string>;
  /** Whether one of them may have so many characters. */
  mayName(length: number): boolean;
  member(name: string): State;
  /** The state of a member that no path names here. */
  other(): State;
  item(): State;
};

type Kind = 'select' | 'drop' | 'redact' | 'max_items';
/** A place in a path, by its number: those of a path follow each other. No step: the path ends here. */
type Position = { kind: Kind; count: number; step: ResponsePath[number] | undefined };

/** More are made again each time: documents may differ in every name. Making one must therefore take a few microseconds only. */
const MAX_STATES = 2_000;
const NOTHING: ReadonlySet<string> = new Set();

/** Returns the state of the root, which is never dropped, redacted or left out. `encode`: how the names of documents are spelled. */
export function compilePaths(rules: PathRules, encode: (name: string) => string = (name) => name): State {
  const positions: Position[] = [];
  const start: number[] = [];
  const add = (kind: Kind, path: ResponsePath, count = 0) => {
    start.push(positions.length);
    for (const step of path)
      positions.push({ kind, count, step: 'name' in step ? { ...step, name: encode(step.name) } : step });
    positions.push({ kind, count, step: undefined });
  };
  for (const path of rules.select) add('select', path);
  for (const path of rules.drop) add('drop', path);
  for (const path of rules.redact) add('redact', path);
  for (const { path, count } of rules.max_items) add('max_items', path, count);
  const make = stateMaker(positions);
  return { ...make(start, rules.select.length === 0), is_dropped: false, is_redacted: false };
}

/** Makes the state of a value at these positions. */
type Make = (given: readonly number[], was_selected: boolean) => State;

function stateMaker(positions: readonly Position[]): Make {
  const states = new Map<string, State>();
  const is_full = () => states.size >= MAX_STATES;
  const is_in = new Uint8Array(positions.length);

  /** In their order, each once. */
  const close = (given: readonly number[]): number[] => {
    let [first, last] = [positions.length, -1];
    for (const id of given) {
      first = Math.min(first, id);
      let at = id;
      is_in[at] = 1;
      // `**` may stand for no level at all.
      while (positions[at]?.step?.kind === 'deep') {
        at += 1;
        is_in[at] = 1;
      }
      last = Math.max(last, at);
    }
    const closed: number[] = [];
    for (let id = first; id <= last; id += 1) {
      if (is_in[id] === 1) closed.push(id);
      is_in[id] = 0;
    }
    return closed;
  };

  const make: Make = (given, was_selected) => {
    const closed = close(given);
    const key = String.fromCharCode(Number(was_selected), ...closed);
    const known = states.get(key);
    if (known) return known;
    const state = stateOf(positions, closed, was_selected, make, is_full);
    if (!is_full()) states.set(key, state);
    return state;
  };
  return make;
}

/** Where one level further down leads to; `name` is null for an item. */
function follow(positions: readonly Position[], from: readonly number[], name: string | null): number[] {
  const to: number[] = [];
  for (const id of from) {
    const step = positions[id]?.step;
    if (step?.kind === 'deep') to.push(id);
    else if (
      name === null ? step?.kind === 'item' : step?.kind === 'any' || (step?.kind === 'member' && step.name === name)
    )
      to.push(id + 1);
  }
  return to;
}

/** What the paths that end here do. */
function effectOf(positions: readonly Position[], closed: readonly number[], was_selected: boolean) {
  const effect = {
    ...{ is_selected: was_selected, is_dropped: false, is_redacted: false },
    max_items: Number.POSITIVE_INFINITY,
  };
  for (const id of closed) {
    const { kind, count, step } = positions[id] as Position;
    if (step !== undefined) continue;
    if (kind === 'select') effect.is_selected = true;
    else if (kind === 'drop') effect.is_dropped = true;
    else if (kind === 'redact') effect.is_redacted = true;
    else effect.max_items = Math.min(effect.max_items, count);
  }
  return effect;
}

/** What the paths that go on from here lead to. */
function outlookOf(positions: readonly Position[], closed: readonly number[], is_selected: boolean) {
  const going: number[] = [];
  const named = new Set<string>();
  const selects = { selects_members: false, selects_items: false };
  for (const id of closed) {
    const { kind, step } = positions[id] as Position;
    if (step === undefined || (is_selected && kind === 'select')) continue;
    going.push(id);
    if (step.kind === 'member') named.add(step.name);
    if (kind !== 'select') continue;
    if (step.kind !== 'item') selects.selects_members = true;
    if (step.kind === 'item' || step.kind === 'deep') selects.selects_items = true;
  }
  return { going, named: named.size === 0 ? NOTHING : named, selects };
}

function stateOf(
  positions: readonly Position[],
  closed: readonly number[],
  was_selected: boolean,
  make: Make,
  is_full: () => boolean,
): State {
  const effect = effectOf(positions, closed, was_selected);
  const { is_selected } = effect;
  const { going, named, selects } = outlookOf(positions, closed, is_selected);
  const members = new Map<string, State>();
  let lengths = 0;
  for (const name of named) lengths |= 1 << name.length;
  let other: State | undefined;
  let item: State | undefined;
  const state: State = {
    ...effect,
    ...selects,
    is_plain: is_selected && going.length === 0,
    named,
    // A shift takes the length modulo 32: few names of another length are looked up.
    mayName: (length) => (lengths & (1 << length)) !== 0,
    other: () => {
      const next = other ?? make(follow(positions, going, NO_NAME), is_selected);
      if (!is_full()) other = next;
      return next;
    },
    member(name) {
      if (!named.has(name)) return state.other();
      const known = members.get(name);
      if (known) return known;
      const made = make(follow(positions, going, name), is_selected);
      if (!is_full()) members.set(name, made);
      return made;
    },
    item: () => {
      const next = item ?? make(follow(positions, going, null), is_selected);
      if (!is_full()) item = next;
      return next;
    },
  };
  return state;
}

/** What no path names: a path has no empty name. */
const NO_NAME = '';
