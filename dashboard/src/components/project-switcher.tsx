// "Switch project": the current project with its environment, and the others.

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronsUpDown, Layers, Plus } from 'lucide-react';
import { projectsQuery } from '../projects.ts';
import { EnvironmentBadge } from './badge.tsx';
import { Button } from './button.tsx';
import { Menu, MenuItem, MenuSeparator } from './menu.tsx';

const SHOWN = 12;

export function ProjectSwitcher() {
  const { projectId } = useParams({ strict: false });
  const projects = useQuery(projectsQuery).data?.data ?? [];
  const current = projects.find(({ id }) => id === projectId);
  return (
    <Menu
      align="start"
      trigger={
        <Button look="ghost" aria-label="Switch project" className="min-w-0 shrink px-2 text-ink">
          <span className="truncate">{projectId ? (current?.name ?? 'Project') : 'All projects'}</span>
          {current && (
            <span className="hidden sm:inline-flex">
              <EnvironmentBadge environment={current.environment} />
            </span>
          )}
          <ChevronsUpDown className="text-faint" />
        </Button>
      }
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
  );
}
