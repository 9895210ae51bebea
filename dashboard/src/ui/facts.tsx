// Names and values of one resource, in columns.

import type { ReactNode } from 'react';
import { cn } from './class-names.ts';
import { withMarks } from './name.tsx';
import { cardClass } from './section.tsx';

type Props = {
  facts: [name: string, value: ReactNode][];
  /** Two columns, for ids that need room. */
  wide?: boolean;
};

export function Facts({ facts, wide }: Props) {
  return (
    <dl className={cn(cardClass, 'grid gap-x-6 gap-y-2 p-4 sm:grid-cols-2 sm:gap-y-4', !wide && 'md:grid-cols-4')}>
      {facts.map(([name, value]) => (
        <div key={name} className="flex min-w-0 items-center justify-between gap-4 sm:block">
          <dt className="shrink-0 text-muted text-xs">{name}</dt>
          <dd className="truncate sm:mt-0.5">{withMarks(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
