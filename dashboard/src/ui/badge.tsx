// A word with a color. The color repeats what the word says, it never says it alone.

import { cva, type VariantProps } from 'class-variance-authority';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

const badge = cva('inline-flex h-5 items-center gap-1 whitespace-nowrap rounded px-1.5 font-medium text-xs', {
  variants: {
    tone: {
      neutral: 'bg-sunken text-muted ring-1 ring-line ring-inset',
      accent: 'bg-accent-soft text-accent',
      success: 'bg-success-soft text-success',
      warning: 'bg-warning-soft text-warning',
      danger: 'bg-danger-soft text-danger',
    },
  },
  defaultVariants: { tone: 'neutral' },
});

export type Tone = NonNullable<VariantProps<typeof badge>['tone']>;

export function Badge({ tone, className, children }: { tone?: Tone; className?: string; children: ReactNode }) {
  return <span className={cn(badge({ tone }), className)}>{children}</span>;
}

/** The status of a resource: a dot and its word. Words without a row are neutral. */
export function StatusBadge({ status }: { status: string }) {
  const tone = tones[status] ?? 'neutral';
  return (
    <Badge tone={tone}>
      <span className="size-1.5 rounded-full bg-current" />
      {status}
    </Badge>
  );
}

const tones: Record<string, Tone> = {
  active: 'success',
  enabled: 'success',
  succeeded: 'success',
  delivered: 'success',
  connected: 'success',
  pending: 'accent',
  waiting: 'accent',
  approved: 'success',
  used: 'success',
  declined: 'danger',
  retrying: 'warning',
  expired: 'warning',
  inactive: 'neutral',
  disabled: 'neutral',
  failing: 'warning',
  revoked: 'danger',
  failed: 'danger',
};

export function EnvironmentBadge({ environment }: { environment: string }) {
  return <Badge tone={environment === 'production' ? 'accent' : 'neutral'}>{environment}</Badge>;
}
