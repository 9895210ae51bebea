// What the command palette offers.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Archive, BookOpen, Hash, Layers, LogOut, type LucideIcon, Plus } from 'lucide-react';
import { useOpenProjectId } from '../api/client.ts';
import { useAccess } from '../api/session.ts';
import { projectsQuery } from '../features/projects/queries.ts';
import { useSignOut } from '../features/sign-in/sign-out.ts';
import { chooseTheme } from '../ui/theme.ts';
import { themes } from '../ui/theme-menu.tsx';
import { useNamedResources } from './named-resources.ts';
import { createActions, idPages, otherPages, projectPages } from './navigation.ts';

export type Command = {
  id: string;
  label: string;
  hint: string;
  icon: LucideIcon;
  run(): void;
  /** Why the person cannot do it. */
  disabledReason?: string | undefined;
};

type Commands = {
  commands: Command[];
  /** The page of an id. Whether there is such a resource, the page finds out. */
  byId: Command[];
  /** Tools, toolsets, keys, members and webhooks that have the text in their names. */
  byName: Command[];
};

export function useCommands(typed: string): Commands {
  const navigate = useNavigate();
  const projectId = useOpenProjectId();
  const access = useAccess();
  const signOut = useSignOut();
  const projects = useQuery(projectsQuery).data?.data ?? [];
  const page = ({ label, icon, to }: { label: string; icon: LucideIcon; to: string }, open: () => void): Command => ({
    id: to,
    label,
    hint: 'Page',
    icon,
    run: open,
  });
  const commands: Command[] = [
    ...(projectId
      ? projectPages.map((each) => page(each, () => void navigate({ to: each.to, params: { projectId }, search: {} })))
      : []),
    ...otherPages.map((each) => page(each, () => void navigate({ to: each.to, search: {} }))),
    ...createActions
      .filter(({ to }) => projectId || !to.includes('$projectId'))
      .map(({ label, to, dialog, needs }) => ({
        id: label,
        label,
        hint: 'Action',
        icon: Plus,
        run: () => void navigate({ to, params: { projectId: projectId ?? '' }, search: { dialog } }),
        disabledReason: access.reason(needs),
      })),
    ...projects.map(({ id, name }) => ({
      id,
      label: name,
      hint: 'Project',
      icon: Layers,
      run: () => void navigate({ to: '/projects/$projectId', params: { projectId: id }, search: {} }),
    })),
    {
      id: 'archived',
      label: 'Archived projects',
      hint: 'Page',
      icon: Archive,
      run: () => void navigate({ to: '/', search: { is_archived: 'true' } }),
    },
    document('/docs', 'Documentation'),
    document('/docs/api', 'API reference'),
    ...themes.map(({ value, label, icon }) => ({
      id: `theme ${value}`,
      label: `Theme: ${label}`,
      hint: 'Action',
      icon,
      run: () => chooseTheme(value),
    })),
    { id: 'sign out', label: 'Sign out', hint: 'Action', icon: LogOut, run: signOut },
  ];
  const text = typed.trim();
  const findById = (): Command[] => {
    const found = /^[a-z]+_\w{8,64}$/.test(text) && idPages.find(({ prefix }) => text.startsWith(`${prefix}_`));
    // Projects that are in the list are found there, by their names.
    if (!found || !(projectId || found.prefix === 'prj') || projects.some(({ id }) => id === text)) return [];
    const run = () => void found.open(navigate, projectId ?? '', text);
    return [{ id: `go to ${text}`, label: text, hint: `Open ${found.what}`, icon: Hash, run }];
  };
  const byName = useNamedResources(typed).flatMap(({ id, label, what, icon }): Command[] => {
    const found = idPages.find(({ prefix }) => id.startsWith(`${prefix}_`));
    return found && projectId
      ? [{ id, label, hint: what, icon, run: () => void found.open(navigate, projectId, id) }]
      : [];
  });
  return { commands, byId: findById(), byName };
}

/** Outside of the dashboard, on the same server. */
const document = (path: string, label: string): Command => ({
  id: path,
  label,
  hint: 'Page',
  icon: BookOpen,
  run: () => window.location.assign(path),
});
