// The scopes of toolsets in a request for authorization or for a token: `mcp` is every baseline toolset, and `tools:<slug>` is one that
// can be granted. In a project without such toolsets `mcp` is every tool (contract 15).

import { type Permission, permissions, type Scope, scopes as scopeNames } from '@toolgate/contract/permissions.ts';
import { toolsetScope } from '@toolgate/contract/toolsets/rules.ts';
import { type GrantLayer, heldScopes, type ScopeToolset } from '../../../access/grant-layer.ts';

/**
 * Null: every tool. Unknown scopes are ignored (RFC 6749 3.3), and so are toolsets that cannot be granted. Those that are named come
 * first: a page has room for some of them only.
 */
export function requestedToolsets(requested: readonly string[], toolsets: readonly ScopeToolset[]): string[] | null {
  if (toolsets.length === 0) return null;
  const asked = toolsets.filter((toolset) => asksFor(requested, toolset));
  const isNamed = ({ slug }: ScopeToolset) => requested.includes(toolsetScope(slug));
  return [...asked.filter(isNamed), ...asked.filter((toolset) => !isNamed(toolset))].map(({ id }) => id);
}

const asksFor = (requested: readonly string[], { slug, grant }: ScopeToolset) =>
  requested.includes(toolsetScope(slug)) || (grant === 'baseline' && requested.includes('mcp'));

/** The scopes that are no toolsets. A toolset is of no use without `mcp`, so it includes it. */
export function requestedScopes(requested: readonly string[], toolset_ids: readonly string[] | null): Scope[] {
  const has_tools = toolset_ids !== null && toolset_ids.length > 0;
  return scopeNames.filter((scope) => requested.includes(scope) || (scope === 'mcp' && has_tools));
}

/** What a refreshed token is narrowed to (RFC 6749 6); null if it asks for more than was granted. */
export function narrowedTo(
  requested: readonly string[],
  granted: readonly Scope[],
  layer: GrantLayer | null,
): { scopes: Scope[]; toolset_ids: string[] | null } | null {
  const held = layer ? heldScopes(layer) : [];
  const has_more = requested.some((scope) => scope.startsWith(toolsetScope('')) && !held.includes(scope));
  const of_grant = layer?.scopes.filter(({ id }) => layer.held.has(id)) ?? [];
  const toolset_ids = layer && of_grant.filter((toolset) => asksFor(requested, toolset)).map(({ id }) => id);
  const scopes = requestedScopes(requested, toolset_ids);
  if (has_more || scopes.length === 0 || !scopes.every((scope) => granted.includes(scope))) return null;
  return { scopes, toolset_ids };
}

/** As a client reads it: `mcp`, the toolsets, the permissions. */
export function scopeText(scopes: readonly Scope[], layer: GrantLayer | null): string {
  const tools = scopes.includes('mcp') ? ['mcp', ...(layer ? heldScopes(layer) : [])] : [];
  const held: Permission[] = permissions.filter((permission) => scopes.includes(permission));
  return [...tools, ...held].join(' ');
}
