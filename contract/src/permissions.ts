// The permissions of a credential. `admin` implies all others; no other implies anything (contract 3).

export const permissions = ['read', 'write', 'admin', 'webhook'] as const;

export type Permission = (typeof permissions)[number];

/** What an OAuth client may ask for: to call tools, and the permissions. */
export const scopes = ['mcp', ...permissions] as const;

export type Scope = (typeof scopes)[number];

/** The permissions among the requested scopes that a provider's own permissions allow. */
export function grantedPermissions(requested: readonly Scope[], grantable: readonly Permission[]): Permission[] {
  return permissions.filter((permission) => requested.includes(permission) && allows(grantable, permission));
}

/** The same with `mcp`, which every provider grants. */
export function grantedScopes(requested: readonly Scope[], grantable: readonly Permission[]): Scope[] {
  const tools: Scope[] = requested.includes('mcp') ? ['mcp'] : [];
  return [...tools, ...grantedPermissions(requested, grantable)];
}

export function allows(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || held.includes('admin');
}
