// Gray shapes where data will be, of the size that the data will have: nothing moves when it arrives.

import { cn } from './class-names.ts';

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block h-4 animate-skeleton rounded bg-line', className)} />;
}

/** Announces to screen readers that something loads; draw skeletons as its children. */
export function Loading({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div role="status" aria-label={`Loading ${label}`}>
      {children}
    </div>
  );
}
