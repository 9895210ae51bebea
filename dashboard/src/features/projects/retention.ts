// How long this server keeps data: the operator sets it, and it changes with a restart only.

import { useProjectId, useProjectQuery } from '../../api/client.ts';

export function useRetention() {
  const projectId = useProjectId();
  return useProjectQuery(['retention'], (toolgate) => toolgate.projects.retention.get(projectId), {
    staleTime: Infinity,
  });
}

export const inDays = (days: number) => (days === 1 ? '1 day' : `${days.toLocaleString('en')} days`);
