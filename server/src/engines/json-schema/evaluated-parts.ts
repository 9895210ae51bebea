// The part of `unevaluatedProperties` and `unevaluatedItems` that runs during a validation: what no other keyword evaluated.

import { type Pattern, regExp } from './patterns.ts';
import type { Condition, Source } from './unevaluated.ts';
import { spend, spendSized } from './work-meter.ts';

type ReadySource = Omit<Source, 'names' | 'patterns'> & { names: ReadonlySet<string>; patterns: Pattern[] };

/** Once for each compiled schema. */
export function readySources(sources: Source[]): ReadySource[] {
  return sources.map(({ names = [], patterns = [], ...rest }) => ({
    ...rest,
    names: new Set(names),
    patterns: patterns.map(regExp),
  }));
}

/** `guards` says which of the plan's guards are valid for the value. */
export function doesCount({ conditions }: ReadySource, value: object, guards: boolean[]): boolean {
  spend(2 + 2 * conditions.length);
  return conditions.every((condition: Condition) =>
    'has' in condition ? Object.hasOwn(value, condition.has) : guards[condition.guard] === condition.is_valid,
  );
}

export function unevaluatedNames(value: object, sources: ReadySource[], guards: boolean[]): string[] {
  const counting = sources.filter((source) => doesCount(source, value, guards));
  if (counting.some(({ all }) => all)) return [];
  spendSized(0, value);
  return Object.keys(value).filter((name) => {
    spend(2 + 2 * counting.length);
    return !counting.some(({ names, patterns }) => names.has(name) || patterns.some((pattern) => pattern.test(name)));
  });
}

/** Where the items begin that only `contains` may have evaluated. */
export function firstUnevaluated(items: unknown[], sources: ReadySource[], guards: boolean[]): number {
  const counting = sources.filter((source) => doesCount(source, items, guards));
  if (counting.some(({ all }) => all)) return items.length;
  return Math.max(0, ...counting.map(({ first = 0 }) => first));
}
