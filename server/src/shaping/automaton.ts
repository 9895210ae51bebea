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
type Rule = { kind: Kind; path: ResponsePath; count: number };
/** A place in a rule: its next step is `path[step]`. */
type Position = { rule: Rule; step: number; id: number };

/** More are made again each time: documents may differ in every name. */
const MAX_STATES = 2_000;
const NOTHING: ReadonlySet<string> = new Set();

/** Returns the state of the root, which is never dropped, redacted or left out. `encode`: how the names of documents are spelled. */
export function compilePaths(rules: PathRules, encode: (name: string) => string = (name) => name): State {
  const all: Rule[] = [
    ...rules.select.map((path) => ({ kind: 'select' as const, path, count: 0 })),
    ...rules.drop.map((path) => ({ kind: 'drop' as const, path, count: 0 })),
    ...rules.redact.map((path) => ({ kind: 'redact' as const, path, count: 0 })),
    ...rules.max_items.map(({ path, count }) => ({ kind: 'max_items' as const, path, count })),
  ].map((rule) => ({
    ...rule,
    path: rule.path.map((step) => ('name' in step ? { ...step, name: encode(step.name) } : step)),
  }));
  const positions: Position[][] = [];
  let id = 0;
  for (const rule of all) {
    positions.push(Array.from({ length: rule.path.length + 1 }, (_, step) => ({ rule, step, id: id++ })));
  }
  const start = positions.map(([first]) => first as Position);
  const make = stateMaker(positions, all.indexOf.bind(all));
  const root = make(start, rules.select.length === 0);
  return { ...root, is_dropped: false, is_redacted: false };
}

function stateMaker(positions: Position[][], ruleIndex: (rule: Rule) => number) {
  const states = new Map<string, State>();
  const next = ({ rule, step }: Position, by = 1) => (positions[ruleIndex(rule)] as Position[])[step + by] as Position;

  /** `**` may stand for no level at all. */
  const close = (given: Iterable<Position>): Position[] => {
    const closed = new Map<number, Position>();
    for (let position of given) {
      closed.set(position.id, position);
      while (position.rule.path[position.step]?.kind === 'deep') {
        position = next(position);
        closed.set(position.id, position);
      }
    }
    return [...closed.values()].sort((one, other) => one.id - other.id);
  };

  const follow = (from: Position[], is_selected: boolean, name: string | null): State => {
    const to: Position[] = [];
    for (const position of from) {
      const step = position.rule.path[position.step];
      if (step?.kind === 'deep') to.push(position);
      else if (
        name === null ? step?.kind === 'item' : step?.kind === 'any' || (step?.kind === 'member' && step.name === name)
      )
        to.push(next(position));
    }
    return make(to, is_selected);
  };

  const make = (given: Position[], was_selected: boolean): State => {
    const closed = close(given);
    const key = `${was_selected}${closed.map(({ id }) => id).join()}`;
    const known = states.get(key);
    if (known) return known;
    const ended = closed.filter(({ rule, step }) => step === rule.path.length).map(({ rule }) => rule);
    const is_selected = was_selected || ended.some(({ kind }) => kind === 'select');
    const going = closed.filter(
      ({ rule, step }) => step < rule.path.length && !(is_selected && rule.kind === 'select'),
    );
    const state = stateOf(ended, going, is_selected, follow, states);
    if (states.size < MAX_STATES) states.set(key, state);
    return state;
  };
  return make;
}

type Follow = (from: Position[], is_selected: boolean, name: string | null) => State;

function stateOf(
  ended: Rule[],
  going: Position[],
  is_selected: boolean,
  follow: Follow,
  states: ReadonlyMap<string, State>,
): State {
  const stepsOf = (kind: Kind) =>
    going.filter(({ rule }) => rule.kind === kind).map(({ rule, step }) => rule.path[step]);
  const selecting = is_selected ? [] : stepsOf('select');
  const named = new Set(going.flatMap(({ rule, step }) => memberName(rule.path[step])));
  const members = new Map<string, State | null>([...named].map((name) => [name, null]));
  let lengths = 0;
  for (const name of named) lengths |= 1 << name.length;
  let other: State | undefined;
  let item: State | undefined;
  const state: State = {
    is_selected,
    selects_members: selecting.some((step) => step?.kind !== 'item'),
    selects_items: selecting.some((step) => step?.kind === 'item' || step?.kind === 'deep'),
    is_dropped: ended.some(({ kind }) => kind === 'drop'),
    is_redacted: ended.some(({ kind }) => kind === 'redact'),
    max_items: Math.min(...ended.filter(({ kind }) => kind === 'max_items').map(({ count }) => count)),
    is_plain: is_selected && going.length === 0,
    named: named.size === 0 ? NOTHING : named,
    // A shift takes the length modulo 32: few names of another length are looked up.
    mayName: (length) => (lengths & (1 << length)) !== 0,
    other: () => {
      other ??= follow(going, is_selected, NO_NAME);
      return other;
    },
    member(name) {
      const known = members.get(name);
      if (known === undefined) return state.other();
      if (known !== null) return known;
      const made = follow(going, is_selected, name);
      if (states.size < MAX_STATES) members.set(name, made);
      return made;
    },
    item: () => {
      item ??= follow(going, is_selected, null);
      return item;
    },
  };
  return state;
}

/** What no path names: a path has no empty name. */
const NO_NAME = '';

const memberName = (step: ResponsePath[number] | undefined) => (step?.kind === 'member' ? [step.name] : []);
