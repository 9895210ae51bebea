// A panel at the right edge with the details of one row. The list behind it stays where it is.

import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../button.tsx';
import { Name } from '../name.tsx';
import { backdropClass } from './dialog.tsx';

type DrawerProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
};

export function Drawer({ open, onClose, title, description, children }: DrawerProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          ref={popup}
          // Not the close button: its name would pop up.
          initialFocus={popup}
          className="fixed inset-y-0 right-0 z-40 flex w-full max-w-2xl flex-col border-line border-l bg-raised shadow-pop outline-none transition-[translate,opacity] duration-150 data-ending-style:translate-x-4 data-starting-style:translate-x-4 data-ending-style:opacity-0 data-starting-style:opacity-0"
        >
          <header className="flex items-start justify-between gap-4 border-line border-b px-5 py-4">
            <div className="min-w-0">
              <Base.Title className="break-words font-semibold text-base">
                <Name text={title} />
              </Base.Title>
              {description && (
                <Base.Description render={<div />} className="mt-0.5 text-muted">
                  {description}
                </Base.Description>
              )}
            </div>
            <Base.Close render={<IconButton label="Close" icon={<X />} className="-mt-1 -mr-2 size-7" />} />
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
          <section tabIndex={0} aria-label="Details" className="min-h-0 flex-1 overflow-y-auto px-5 py-5">
            {children}
          </section>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
