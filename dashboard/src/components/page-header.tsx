// The head of a page: its h1, which is also the beginning of the title of the document, a sentence, and the primary action.

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useProjectId } from '../api.ts';
import { projectQuery } from '../projects.ts';
import { withoutDirection } from '../words.ts';

type PageHeaderProps = {
  title: string;
  description?: ReactNode;
  /** The primary action, on the right. */
  actions?: ReactNode;
  /** A link to the list that this resource is in. */
  above?: ReactNode;
};

export function PageHeader({ title, description, actions, above }: PageHeaderProps) {
  const projectId = useProjectId();
  const project = useQuery({ ...projectQuery(projectId), enabled: projectId !== '' }).data;
  useTitle(title, project?.name);
  return (
    <header className="mb-6">
      {above && <div className="mb-1.5 text-muted text-xs">{above}</div>}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        {/* Beside a small action on narrow screens, above a wide one. */}
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="break-words font-semibold text-xl tracking-tight">{title}</h1>
          {description && <div className="mt-1 max-w-2xl text-muted">{description}</div>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </header>
  );
}

/** "API keys · My project · toolgate" */
export function useTitle(title: string, context?: string): void {
  useEffect(() => {
    document.title = withoutDirection([title, context, 'toolgate'].filter(Boolean).join(' · '));
  }, [title, context]);
}

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
