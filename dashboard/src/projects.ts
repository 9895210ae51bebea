// The projects of the organization, for the switcher, the palette and the list.

import { queryOptions } from '@tanstack/react-query';
import { toolgate } from './api.ts';

export const projectsQuery = queryOptions({
  queryKey: ['project-list'],
  queryFn: () => toolgate.projects.list({ limit: 100 }),
});

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'project'],
    queryFn: () => toolgate.projects.get(projectId),
  });
