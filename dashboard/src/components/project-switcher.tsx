// "Switch project": the current project with its environment, and the others.

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronsUpDown, Layers, Plus } from 'lucide-react';
import { projectsQuery } from '../projects.ts';
import { EnvironmentBadge } from './badge.tsx';
import { IconButton } from './button.tsx';
import { Menu, MenuItem, MenuSeparator } from './menu.tsx';

const SHOWN = 12;

export function ProjectSwitcher() {
  const { projectId } = useParams({ strict: false });
  const projects = useQuery(projectsQuery).data?.data ?? [];
  const current = projects.find(({ id }) => id === projectId);
  return (
    <>
      {projectId ? (
        <Link
          to="/projects/$projectId"
          params={{ projectId }}
          className="flex h-8 min-w-0 items-center gap-2 rounded-md px-2 font-medium hover:bg-hover"
        >
          <span className="truncate">{current?.name ?? 'Project'}</span>
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
        {projects.slice(0, SHOWN).map(({ id, name, environment }) => (
          <MenuItem key={id} render={<Link to="/projects/$projectId" params={{ projectId: id }} />}>
            <span className="flex items-center gap-2">
              <span className="truncate">{name}</span>
              <EnvironmentBadge environment={environment} />
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
