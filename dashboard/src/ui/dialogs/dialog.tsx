// Dialogs. Focus moves in, stays in, and returns to what opened it. Closing by Escape, the close button or outside.

import { Dialog as Base } from '@base-ui/react/dialog';
import { useBlocker } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button, IconButton } from '../button.tsx';
import { cn } from '../class-names.ts';
import { Name, withMarks } from '../name.tsx';

export const backdropClass =
  'fixed inset-0 z-40 bg-overlay transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0';
export const popupClass =
  'fixed top-[max(1rem,10vh)] left-1/2 z-40 flex max-h-[min(85vh,calc(100dvh-2rem))] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-xl border border-line bg-raised shadow-pop transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-starting-style:scale-98 data-ending-style:opacity-0 data-starting-style:opacity-0';

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  size?: 'md' | 'lg' | 'xl';
  /** Only its own buttons close it: for what is lost when it closes. */
  persistent?: boolean;
  children: ReactNode;
};

const widths = { md: 'max-w-lg', lg: 'max-w-2xl', xl: 'max-w-4xl' };

export function Dialog({ open, onOpenChange, title, description, size = 'md', persistent, children }: DialogProps) {
  const content = useRef<HTMLDivElement>(null);
  useStay(open, persistent === true);
  // While it fades out, what the title names may be gone already.
  const shownTitle = useRef(title);
  if (open) shownTitle.current = title;
  // The first field, not the close button before it; without one the text, which may have to be scrolled.
  const firstField = () =>
    content.current?.querySelector<HTMLElement>('input:not([readonly]), select, textarea') ??
    content.current?.querySelector<HTMLElement>('input, button') ??
    content.current ??
    true;
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={persistent}
      onOpenChange={(next, { reason }) => {
        if (persistent && reason === 'escape-key') return;
        onOpenChange(next);
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          initialFocus={firstField}
          data-persistent={persistent || undefined}
          className={cn(popupClass, widths[size])}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4">
            <div className="min-w-0">
              <Base.Title className="break-words font-semibold text-base">
                <Name text={shownTitle.current} />
              </Base.Title>
              {description && (
                <Base.Description className="mt-0.5 text-muted">{withMarks(description)}</Base.Description>
              )}
            </div>
            {!persistent && (
              <Base.Close render={<IconButton label="Close" icon={<X />} className="-mt-1 -mr-2 size-7" />} />
            )}
          </header>
          <div ref={content} tabIndex={-1} className="min-h-0 overflow-y-auto px-5 pt-4 pb-5 outline-none">
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * What is lost with a persistent dialog keeps its page open. Only the URL of the page may change: the form that made the
 * secret removes its own name. Every other dialog stays when the session ends: what was typed can be sent after a sign-in
 * in another tab.
 */
function useStay(open: boolean, persistent: boolean): void {
  useBlocker({
    disabled: !open,
    enableBeforeUnload: persistent,
    shouldBlockFn: ({ current, next, action }) =>
      persistent ? action !== 'REPLACE' || current.pathname !== next.pathname : next.pathname === '/sign-in',
  });
}

/** The buttons of a form in a dialog: Cancel, and the submit button with its name. */
export function DialogActions({
  submit,
  busy,
  onCancel,
  danger,
  disabledReason,
}: {
  submit: string;
  busy?: boolean;
  onCancel: () => void;
  danger?: boolean;
  /** Why it cannot be submitted as it is. */
  disabledReason?: string | undefined;
}) {
  return (
    <footer className="flex flex-wrap justify-end gap-2 pt-1">
      <Button onClick={onCancel}>Cancel</Button>
      <Button
        type="submit"
        look={danger ? 'danger' : 'solid'}
        busy={busy}
        disabledReason={disabledReason}
        className="min-w-20"
      >
        {submit}
      </Button>
    </footer>
  );
}
