// Buttons and links that look like buttons. `needs` names the permission that the action needs: a person without it sees the
// button, disabled, with the reason.

import { Link, type LinkProps } from '@tanstack/react-router';
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { type Permission, useAccess } from '../api/session.ts';
import { cn } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

const button = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors duration-100 select-none aria-disabled:opacity-50 disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      look: {
        solid: 'bg-solid text-on-solid hover:not-disabled:not-aria-disabled:bg-solid-hover',
        outline:
          'border border-line-strong bg-surface text-ink hover:not-disabled:not-aria-disabled:bg-hover aria-expanded:bg-hover',
        ghost:
          'text-muted hover:not-disabled:not-aria-disabled:bg-hover hover:not-disabled:not-aria-disabled:text-ink aria-expanded:bg-hover aria-expanded:text-ink',
        danger: 'bg-danger text-on-danger hover:not-disabled:not-aria-disabled:opacity-90',
      },
      size: { md: 'h-8 px-3', sm: 'h-7 px-2.5 text-xs', icon: 'size-8', lg: 'h-9 px-4' },
    },
    defaultVariants: { look: 'outline', size: 'md' },
  },
);

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof button> & {
    /** The permission that the action needs. */
    needs?: Permission | undefined;
    /** Why the button is disabled, for another reason than a permission. */
    disabledReason?: string | undefined;
    /** Shows that the action is in progress, without changing the size of the button. */
    busy?: boolean | undefined;
  };

export function Button({ look, size, className, needs, disabledReason, busy, children, ...props }: ButtonProps) {
  const access = useAccess();
  const reason = disabledReason ?? (needs && access.reason(needs));
  const classes = cn(button({ look, size }), className);
  // Not `disabled`: the button stays in the tab order, so that its reason can be read.
  if (reason) {
    return (
      <Tooltip text={reason}>
        <button {...props} type="button" aria-disabled className={classes} onClick={(event) => event.preventDefault()}>
          {children}
        </button>
      </Tooltip>
    );
  }
  return (
    <button
      type="button"
      {...props}
      disabled={busy || props.disabled}
      aria-busy={busy || undefined}
      className={classes}
    >
      {children}
    </button>
  );
}

/** An icon without text: its name is shown on hover and read to screen readers. */
export function IconButton({
  label,
  icon,
  ...props
}: Omit<ButtonProps, 'children'> & { label: string; icon: ReactNode }) {
  return (
    <Tooltip text={label}>
      <Button look="ghost" size="icon" {...props} aria-label={label}>
        {icon}
      </Button>
    </Tooltip>
  );
}

export function ButtonLink({
  look,
  size,
  className,
  ...props
}: LinkProps & VariantProps<typeof button> & { className?: string; children?: ReactNode }) {
  return <Link {...props} className={cn(button({ look, size }), className)} />;
}

export const linkClass = 'text-accent underline-offset-2 hover:underline';
/** A link inside of a sentence: its color alone would not tell it from the text. */
export const inlineLinkClass = 'text-accent underline underline-offset-2';
