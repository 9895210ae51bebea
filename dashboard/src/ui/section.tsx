// The parts of a page: a titled box, a card, and sections below each other.

import type { ReactNode } from 'react';

/** A titled box on a page. */
export function Section({
  title,
  aside,
  children,
  className,
  id,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
  /** For links to it. */
  id?: string;
}) {
  return (
    <section id={id} className={className}>
      <div className="mb-2.5 flex min-h-7 items-center justify-between gap-3">
        <h2 className="font-medium">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export const cardClass = 'rounded-lg border border-line bg-surface';

/** Sections below each other. What is below a list appears with it: nobody knows before how long the list is. */
export const stackClass = 'grid grid-cols-1 gap-8 [&>:has([aria-busy=true])~*]:invisible';
