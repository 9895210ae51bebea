// "Switch project": the current project with its environment, and the others.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Layers, Plus } from 'lucide-react';
import { useOpenProjectId } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import { EnvironmentBadge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Name } from '../../ui/name.tsx';
import { projectsQuery } from './queries.ts';
import { lastOpenedFirst } from './recent.ts';

const SHOWN = 12;

export function ProjectSwitcher() {
  const projectId = useOpenProjectId();
  const projects = useQuery(projectsQuery).data?.data ?? [];
  const opened = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== undefined }).data;
  const current = projectId === undefined ? undefined : (opened ?? projects.find(({ id }) => id === projectId));
  const listed = lastOpenedFirst(projects).slice(0, SHOWN);
  return (
    <>
      {projectId ? (
        <Link
          to="/projects/$projectId"
          params={{ projectId }}
          className="flex h-8 min-w-0 items-center gap-2 rounded-md px-2 font-medium hover:bg-hover"
        >
          <Name text={current?.name ?? 'Project'} className="truncate" />
          {current && (
            <span className="hidden sm:inline-flex">
              <EnvironmentBadge environment={current.environment} />
            </span>
          )}
        </Link>
      ) : (
        <span className="px-2 font-medium">All projects</span>
      )}
      <Menu
        align="start"
        trigger={<IconButton label="Switch project" icon={<ChevronsUpDown />} className="-ml-1 w-6 text-faint" />}
      >
        {listed.map(({ id, name, environment }) => (
          <MenuItem key={id} render={<Link to="/projects/$projectId" params={{ projectId: id }} />}>
            <span className="flex w-64 max-w-full items-center gap-2">
              <Name text={name} className="min-w-0 flex-1 truncate text-left" />
              <EnvironmentBadge environment={environment} />
              <Check className={id === projectId ? '' : 'invisible'} aria-hidden />
            </span>
          </MenuItem>
        ))}
        {projects.length > 0 && <MenuSeparator />}
        <MenuItem icon={<Layers />} render={<Link to="/" />}>
          All projects
        </MenuItem>
        <MenuItem icon={<Plus />} needs="write" render={<Link to="/" search={{ dialog: 'create' }} />}>
          Create project
        </MenuItem>
      </Menu>
    </>
  );
}
