// The head of a page: its h1, which is also the beginning of the title of the document, a sentence, and the primary action.

import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { BookOpen } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useProjectId } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { linkClass } from './button.tsx';
import { cn } from './class-names.ts';
import { guideOf } from './guides.ts';
import { Name, withMarks } from './name.tsx';
import { showHidden } from './words.ts';

type PageHeaderProps = {
  title: string;
  /** In the line of the title, such as the name of what the page is about. */
  beside?: ReactNode;
  description?: ReactNode;
  /** The primary action, on the right. */
  actions?: ReactNode;
  /** A link to the list that this resource is in. */
  above?: ReactNode;
};

export function PageHeader({ title, beside, description, actions, above }: PageHeaderProps) {
  const projectId = useProjectId();
  const project = useQuery({ ...projectQuery(projectId), enabled: projectId !== '' }).data;
  useTitle(title, project?.name);
  return (
    <header className="mb-6">
      {above && <div className="mb-1.5 text-muted text-xs">{above}</div>}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        {/* Beside a small action on narrow screens, above a wide one. */}
        <div className="min-w-0 flex-1 basis-60">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h1 className="min-w-0 break-words font-semibold text-xl tracking-tight">
              <Name text={title} />
            </h1>
            {beside && <div className="min-w-0 truncate text-lg text-muted">{withMarks(beside)}</div>}
          </div>
          {description && <div className="mt-1 max-w-2xl text-muted">{withMarks(description)}</div>}
          <GuideLink />
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </header>
  );
}

function GuideLink() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <a href={guideOf(path)} className={cn(linkClass, 'mt-1 inline-flex items-center gap-1 text-xs')}>
      <BookOpen aria-hidden className="size-3.5" /> Guide
    </a>
  );
}

/** "API keys · My project · toolgate" */
export function useTitle(title: string, context?: string): void {
  useEffect(() => {
    document.title = showHidden([title, context, 'toolgate'].filter(Boolean).join(' · '));
  }, [title, context]);
}
