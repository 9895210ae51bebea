// The projects of the organization, for the switcher, the palette and the list.

import { queryOptions } from '@tanstack/react-query';
import { toolgate } from '../../api/client.ts';
import { readWhole } from '../../ui/lists/whole-list.ts';

/** All: the pages search them by name. */
const read = (is_archived: boolean) => readWhole((page) => toolgate.projects.list({ ...page, is_archived }));

/** Those that people work on. Its key is also the beginning of the other's: invalidating it reads both again. */
export const projectsQuery = queryOptions({ queryKey: ['project-list'], queryFn: () => read(false) });

/** The archived ones. */
export const archivedProjectsQuery = queryOptions({
  queryKey: [...projectsQuery.queryKey, 'archived'],
  queryFn: () => read(true),
});
