// Numbers in a row: the health of a project, the totals of a report.

import type { ReactNode } from 'react';
import { cn } from '../class-names.ts';
import { cardClass } from '../section.tsx';
import { Skeleton } from '../skeleton.tsx';

export function StatStrip({ children }: { children: ReactNode }) {
  return (
    <dl className={cn(cardClass, 'grid grid-cols-2 gap-px overflow-hidden bg-line md:grid-cols-4')}>{children}</dl>
  );
}

type StatProps = {
  name: string;
  value: string | undefined;
  /** The same number of the period before, for the change. */
  before?: number | undefined;
  now?: number | undefined;
  /** 0 to 1: a bar below. */
  share?: number;
};

export function Stat({ name, value, before, now, share }: StatProps) {
  return (
    <div className="bg-surface p-4">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="mt-1 flex h-7 items-center gap-2">
        {value === undefined ? (
          <Skeleton className="w-16" />
        ) : (
          <span className="truncate font-semibold text-lg tabular-nums tracking-tight">{value}</span>
        )}
        {before !== undefined && now !== undefined && before > 0 && <Change before={before} now={now} />}
      </dd>
      {share !== undefined && (
        <dd aria-hidden className="mt-2 h-1 overflow-hidden rounded-full bg-line">
          <span
            className={cn(
              'block h-full rounded-full',
              share > 0.9 ? 'bg-danger' : share > 0.7 ? 'bg-warning' : 'bg-accent',
            )}
            style={{ width: `${Math.min(100, share * 100)}%` }}
          />
        </dd>
      )}
    </div>
  );
}

function Change({ before, now }: { before: number; now: number }) {
  const percent = Math.round((now / before - 1) * 100);
  return (
    <span className="text-faint text-xs" title={`${before.toLocaleString('en')} in the period before`}>
      {percent >= 0 ? '+' : '−'}
      {Math.abs(percent)}%
    </span>
  );
}
