// Names and values of one resource, in columns.

import type { ReactNode } from 'react';
import { cn } from './class-names.ts';
import { cardClass } from './page-header.tsx';

type Props = {
  facts: [name: string, value: ReactNode][];
  /** Two columns, for ids that need room. */
  wide?: boolean;
};

export function Facts({ facts, wide }: Props) {
  return (
    <dl className={cn(cardClass, 'grid grid-cols-2 gap-x-6 gap-y-4 p-4', !wide && 'md:grid-cols-4')}>
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="mt-0.5 truncate">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
