// Chips that show only the operations of a document with some methods or tags, to choose from fewer of them.

import { useState } from 'react';
import { cn } from '../../../ui/class-names.ts';
import { Name } from '../../../ui/name.tsx';
import type { Operation } from './choice.ts';

/** For an operation without tags. */
const NO_TAG = '';

const tagsOf = ({ tags }: Operation) => (tags.length > 0 ? tags : [NO_TAG]);
const methodOf = ({ method }: Operation) => (method === null ? [] : [method]);

export type Facet = {
  options: [value: string, count: number][];
  chosen: ReadonlySet<string>;
  toggle(value: string): void;
};

/** The operations that have one of the chosen methods and one of the chosen tags. */
export function useOperationFilters(operations: Operation[]) {
  const methods = useFacet(operations, methodOf);
  const tags = useFacet(operations, tagsOf);
  const isMatch = ({ chosen }: Facet, values: string[]) =>
    chosen.size === 0 || values.some((value) => chosen.has(value));
  const matches = (operation: Operation) => isMatch(methods, methodOf(operation)) && isMatch(tags, tagsOf(operation));
  return { methods, tags, matches };
}

function useFacet(operations: Operation[], valuesOf: (operation: Operation) => string[]): Facet {
  const [given, setGiven] = useState<ReadonlySet<string>>(new Set());
  const counts = new Map<string, number>();
  for (const value of operations.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return {
    options: [...counts].toSorted(([one], [other]) => Number(one === NO_TAG) - Number(other === NO_TAG)),
    // Another document may not have them.
    chosen: new Set([...given].filter((value) => counts.has(value))),
    toggle(value) {
      const next = new Set(given);
      if (!next.delete(value)) next.add(value);
      setGiven(next);
    },
  };
}

export function OperationFilters({ methods, tags }: { methods: Facet; tags: Facet }) {
  return (
    <>
      <Chips label="Methods" facet={methods} />
      <Chips label="Tags" facet={tags} />
    </>
  );
}

/** With one value there is nothing to filter. */
function Chips({ label, facet: { options, chosen, toggle } }: { label: string; facet: Facet }) {
  if (options.length < 2) return null;
  return (
    <fieldset className="flex max-h-22 min-w-0 flex-wrap gap-1.5 overflow-y-auto border-line border-b px-3 py-2">
      <legend className="sr-only">{label}</legend>
      {options.map(([value, count]) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen.has(value)}
          onClick={() => toggle(value)}
          className={cn(
            'inline-flex h-6 max-w-full items-center gap-1.5 rounded-md border px-2 text-xs transition-colors',
            chosen.has(value) ? 'border-accent bg-accent-soft text-accent' : 'border-line hover:border-line-strong',
          )}
        >
          <span className="truncate">{value === NO_TAG ? 'no tag' : <Name text={value} />}</span>{' '}
          <span className={cn(!chosen.has(value) && 'text-muted')}>{count}</span>
        </button>
      ))}
    </fieldset>
  );
}
