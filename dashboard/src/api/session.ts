// Who is signed in, and what they may do.

import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Permission as ApiPermission } from '@toolgate/contract/permissions.ts';
import { toolgate } from './client.ts';
import { projectQuery } from './project.ts';

/** `manage_keys`: `admin`, or `write` in a development project; then only keys without permissions that the person lacks. */
export type Permission = ApiPermission | 'manage_keys';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => toolgate.account.get(),
  staleTime: 60_000,
});

/** The person who is signed in. Only on pages behind the sign-in, whose route has loaded it. */
export function useAccount() {
  return useQuery({ ...accountQuery, enabled: false }).data;
}

/**
 * Where clients reach the server, for everything that is shown or copied. A person may have opened this page under another name
 * of the server, such as localhost, which the issuer of tokens and a callback URL do not have.
 */
export function usePublicUrl(): string {
  return useAccount()?.public_url ?? location.origin;
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
  // Not from the router: messages are outside of it, and have buttons too.
  const [, projectId = ''] = /^\/projects\/([^/]+)/.exec(location.pathname) ?? [];
  const project = useQuery({ ...projectQuery(projectId), enabled: false }).data;
  const can = (permission: Permission): boolean => {
    if (account === undefined) return true;
    if (permission !== 'manage_keys') return account.permissions.includes(permission);
    return can('admin') || (can('write') && project?.environment === 'development');
  };
  const reason = (permission: Permission): string | undefined => {
    if (can(permission)) return undefined;
    if (permission === 'manage_keys' && can('write'))
      return 'Your role can manage API keys only in development projects. Ask an owner or admin to do it here.';
    const needed = permission === 'manage_keys' ? 'admin' : permission;
    return `Your role, ${account?.role}, does not have the permission “${needed}”. An owner or admin can change your role.`;
  };
  return { can, reason };
}
