// The roles of people in their organization. A role is a set of permissions, so that accounts and keys share one authorization.

import { type Permission, permissions } from './permissions.ts';

export const roles = ['owner', 'admin', 'developer', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** An owner differs from an admin in what it may do to owners and to the organization, not in its permissions. */
const permissionsOfRoles: Record<Role, readonly Permission[]> = {
  owner: permissions,
  admin: permissions,
  developer: ['read', 'write', 'webhook'],
  viewer: ['read'],
};

export const permissionsOf = (role: Role): readonly Permission[] => permissionsOfRoles[role];
