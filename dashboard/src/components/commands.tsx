// What the command palette offers.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Archive, BookOpen, Hash, Layers, type LucideIcon, Plus } from 'lucide-react';
import { createActions, idPages, otherPages, projectPages } from '../navigation.ts';
import { projectsQuery } from '../projects.ts';
import { useAccess } from '../session.ts';

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
  byId(text: string): Command[];
};

export function useCommands(): Commands {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const access = useAccess();
  const projects = useQuery(projectsQuery).data?.data ?? [];
  const go = (to: string, params = {}, search = {}) =>
    void navigate({ to, params: { projectId: projectId ?? '', ...params }, search } as never);
  const page = ({ label, to, icon }: { label: string; to: string; icon: LucideIcon }): Command => ({
    id: to,
    label,
    hint: 'Page',
    icon,
    run: () => go(to),
  });
  const actions = createActions.filter(({ to }) => projectId || !to.includes('$projectId'));
  const commands: Command[] = [
    ...(projectId ? projectPages : []).map(page),
    ...otherPages.map(page),
    ...actions.map(({ label, to, dialog, needs }) => ({
      id: label,
      label,
      hint: 'Action',
      icon: Plus,
      run: () => go(to, {}, { dialog }),
      disabledReason: access.reason(needs),
    })),
    ...projects.map(({ id, name }) => ({
      id,
      label: name,
      hint: 'Project',
      icon: Layers,
      run: () => go('/projects/$projectId', { projectId: id }),
    })),
    {
      id: 'archived',
      label: 'Archived projects',
      hint: 'Page',
      icon: Archive,
      run: () => go('/', {}, { is_archived: 'true' }),
    },
    { id: '/docs', label: 'API reference', hint: 'Page', icon: BookOpen, run: () => window.location.assign('/docs') },
  ];
  const byId = (text: string): Command[] => {
    const found = idPages.find(({ prefix }) => text.startsWith(prefix) && /^[a-z]+_\w{8,64}$/.test(text));
    // Projects that are in the list are found there, by their names.
    if (!found || !(projectId || found.param === 'projectId') || projects.some(({ id }) => id === text)) return [];
    const { to, param, search, what } = found;
    const run = () => go(to, param ? { [param]: text } : {}, search ? { [search]: text } : {});
    return [{ id: `go to ${text}`, label: text, hint: `Open ${what}`, icon: Hash, run }];
  };
  return { commands, byId };
}
