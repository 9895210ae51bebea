// The project of the page.

import { queryOptions } from '@tanstack/react-query';
import { toolgate } from './client.ts';

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'project'],
    queryFn: () => toolgate.projects.get(projectId),
  });
