// What production projects reserve for admins: who a member is, and where the token of a member goes.

import { useQuery } from '@tanstack/react-query';
import { useProjectId } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import type { Permission } from '../../api/session.ts';

export function useIsProduction(): boolean {
  const projectId = useProjectId();
  const project = useQuery({ ...projectQuery(projectId), enabled: projectId !== '' }).data;
  return project?.environment === 'production';
}

/** The permission that decides about members: this one, and in production `admin`. */
export function useDecidingPermission(permission: Permission): Permission {
  return useIsProduction() ? 'admin' : permission;
}
