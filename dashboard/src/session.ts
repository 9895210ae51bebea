// Who is signed in, and what they may do.

import { queryOptions, useQuery } from '@tanstack/react-query';
import { toolgate } from './api.ts';

export type Permission = 'read' | 'write' | 'admin' | 'webhook';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => toolgate.account.get(),
  staleTime: 60_000,
});

/** The person who is signed in. Only on pages behind the sign-in, whose route has loaded it. */
export function useAccount() {
  return useQuery({ ...accountQuery, enabled: false }).data;
}

/** Once, in the frame of all pages: somebody else may change the role while a page is open. */
export function useFreshAccount(): void {
  useQuery({ ...accountQuery, refetchInterval: 60_000 });
}

export type Access = {
  can(permission: Permission): boolean;
  /** Why the person may not, for the disabled control; undefined if they may. */
  reason(permission: Permission): string | undefined;
};

export function useAccess(): Access {
  const account = useAccount();
  const can = (permission: Permission) => account === undefined || account.permissions.includes(permission);
  return {
    can,
    reason: (permission) =>
      can(permission)
        ? undefined
        : `Your role, ${account?.role}, does not have the permission “${permission}”. An owner or admin can change your role.`,
  };
}
