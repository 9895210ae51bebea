// How much of an amount is used: a bar that turns yellow and red toward its end.

import { cn } from './class-names.ts';

type MeterProps = { label: string; used: number; limit: number; className?: string };

export function Meter({ label, used, limit, className }: MeterProps) {
  const share = Math.min(1, used / Math.max(1, limit));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <meter> has the colors of the browser
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      className={cn('h-2 overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className={cn('h-full rounded-full', share > 0.9 ? 'bg-danger' : share > 0.7 ? 'bg-warning' : 'bg-accent')}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
