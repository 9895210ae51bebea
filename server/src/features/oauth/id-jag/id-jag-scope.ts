// The scopes of an ID-JAG: what the assertion allows, the request asks for, and the provider's permissions grant.

import { grantedScopes, type Permission, scopes as scopeNames } from '@toolgate/contract/permissions.ts';
import { toolsetScope } from '@toolgate/contract/toolsets/rules.ts';

/** Each is null if it says nothing. Together they are `mcp` if neither does. */
export function allowedScopes(asserted: string | null, requested: string | null): string[] {
  const [first, second] = [asserted, requested].map((scope) => scope?.split(' ').filter((each) => each !== '') ?? null);
  if (first && second) return first.filter((scope) => second.includes(scope));
  return first ?? second ?? ['mcp'];
}

/** What is wrong if nothing can be granted, or null. */
export function scopeProblem(
  { permissions }: { permissions: readonly Permission[] },
  asserted: string | null,
  requested: string | null,
): string | null {
  const allowed = allowedScopes(asserted, requested);
  const known = scopeNames.filter((scope) => allowed.includes(scope));
  const has_toolset = allowed.some((scope) => scope.startsWith(toolsetScope('')));
  if (has_toolset || grantedScopes(known, permissions).length > 0) return null;
  return 'No scope is allowed by the assertion, requested by the client and granted by the provider.';
}
