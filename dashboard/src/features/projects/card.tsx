// One project in the list: its numbers of a day, and what can be done to it.

import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Project } from '@toolgate/sdk';
import { Archive, ArchiveRestore, Settings } from 'lucide-react';
import { projectApi, queryClient, toolgate } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import { type Permission, useAccess } from '../../api/session.ts';
import { Badge, EnvironmentBadge } from '../../ui/badge.tsx';
import { cn } from '../../ui/class-names.ts';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';
import { Name } from '../../ui/name.tsx';
import { NoAccessText } from '../../ui/no-access.tsx';
import { cardClass } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showError, showToast } from '../../ui/toasts.ts';
import { showHidden } from '../../ui/words.ts';
import { projectsQuery } from './queries.ts';

export function ProjectCard({ project }: { project: Project }) {
  const { id, name, environment } = project;
  return (
    <li
      className={cn(
        cardClass,
        'relative flex h-39 min-w-0 flex-col p-4 transition-colors focus-within:border-line-strong hover:border-line-strong',
      )}
    >
      <div className="flex min-w-0 items-start gap-2">
        <div className="min-w-0 flex-1">
          <Link
            to="/projects/$projectId"
            params={{ projectId: id }}
            title={showHidden(name)}
            className="block truncate rounded text-left font-medium before:absolute before:inset-0 before:rounded-lg"
          >
            <Name text={name} />
          </Link>
          <code className="block truncate text-faint text-xs">{id}</code>
        </div>
        <div className="relative -mt-1 -mr-2">
          <ProjectActions project={project} />
        </div>
      </div>
      <Numbers id={id} />
      <div className="mt-auto flex gap-1.5">
        <EnvironmentBadge environment={environment} />
        <Badge>{project.plan}</Badge>
      </div>
    </li>
  );
}

function Numbers({ id }: { id: string }) {
  const isAdmin = useAccess().can('admin');
  const analytics = useQuery({
    queryKey: ['projects', id, 'analytics', 'day'],
    queryFn: () => projectApi(id).analytics.get(),
  });
  const keys = useQuery({
    queryKey: ['projects', id, 'api-keys', 'count'],
    queryFn: () => projectApi(id).apiKeys.list({ limit: 100 }),
    enabled: isAdmin,
  });
  const totals = analytics.data?.totals;
  const keyCount = keys.data && `${keys.data.data.length}${keys.data.hasMore ? '+' : ''}`;
  return (
    <dl className="mt-3.5 flex gap-6">
      <Count name="Calls, 24 h" value={totals?.calls} isFailed={analytics.isError} />
      <Count name="Errors" value={totals?.errors} isFailed={analytics.isError} isBad />
      <Count name="Keys" value={keyCount} isFailed={keys.isError} needs="admin" />
    </dl>
  );
}

type CountProps = {
  name: string;
  value: number | string | undefined;
  isFailed: boolean;
  isBad?: boolean;
  needs?: Permission;
};

function Count({ name, value, isFailed, isBad, needs }: CountProps) {
  const isAllowed = useAccess().can(needs ?? 'read');
  const shown = value === undefined && isFailed ? '–' : value?.toLocaleString('en');
  return (
    <div>
      <dt className="text-faint text-xs">{name}</dt>
      <dd className={cn('h-5 font-medium tabular-nums', isBad && value ? 'text-danger' : '')}>
        {needs && !isAllowed ? <NoAccessText needs={needs} /> : (shown ?? <Skeleton className="mt-1 w-8" />)}
      </dd>
    </div>
  );
}

function ProjectActions({ project: { id, name, is_archived } }: { project: Project }) {
  const change = useMutation({
    mutationFn: (isArchived: boolean) => toolgate.projects.update(id, { is_archived: isArchived }),
    onSuccess: async (changed) => {
      showToast({
        title: changed.is_archived ? `“${name}” is archived` : `“${name}” is restored`,
        ...(changed.is_archived && { description: 'Its keys and tools keep working.' }),
        undo: () => change.mutate(!changed.is_archived),
      });
      queryClient.setQueryData(projectQuery(id).queryKey, changed);
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
    },
    onError: showError,
  });
  return (
    <ActionsMenu>
      <MenuItem icon={<Settings />} render={<Link to="/projects/$projectId/settings" params={{ projectId: id }} />}>
        Settings
      </MenuItem>
      <MenuItem
        icon={is_archived ? <ArchiveRestore /> : <Archive />}
        needs="write"
        onClick={() => change.mutate(!is_archived)}
      >
        {is_archived ? 'Restore' : 'Archive'}
      </MenuItem>
    </ActionsMenu>
  );
}
