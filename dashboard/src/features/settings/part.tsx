// One part of the settings form.

import type { ReactNode } from 'react';
import { useAccess } from '../../api/session.ts';
import { cn } from '../../ui/class-names.ts';
import { cardClass } from '../../ui/section.tsx';

type PartProps = {
  /** To link to it. */
  id?: string;
  title: string;
  text: ReactNode;
  children?: ReactNode;
  /** What can only be read or copied. */
  facts?: ReactNode;
};

/** Title and explanation on the left, fields on the right. Who may not change a field can still copy what is beside it. */
export function Part({ id, title, text, children, facts }: PartProps) {
  const isAllowed = useAccess().can('write');
  return (
    <section
      id={id}
      className="grid scroll-mt-12 grid-cols-1 gap-4 border-line border-b py-8 first:pt-0 lg:grid-cols-[18rem_1fr] lg:gap-10"
    >
      <div>
        <h2 className="font-medium">{title}</h2>
        <div className="mt-1 max-w-xl text-muted text-xs">{text}</div>
      </div>
      <div className={cn(cardClass, 'grid min-w-0 max-w-3xl grid-cols-1 gap-5 p-4')}>
        {children && (
          <fieldset disabled={!isAllowed} className="grid min-w-0 grid-cols-1 gap-5">
            {children}
          </fieldset>
        )}
        {facts}
      </div>
    </section>
  );
}
