// WWW-Authenticate: where a client gets a token (RFC 9728 5.1), and for which scopes (RFC 6750 3).

/** `path`: of an MCP endpoint. */
const metadataOf = (public_url: string, path: string) =>
  `resource_metadata="${public_url}/.well-known/oauth-protected-resource${path}"`;

/** Without a valid token. `scopes`: what to ask for; empty if the URL does not tell. */
export function tokenChallenge(public_url: string, path: string, scopes: readonly string[]): string {
  const scope = scopes.length > 0 ? `, scope="${scopes.join(' ')}"` : '';
  return `Bearer ${metadataOf(public_url, path)}${scope}`;
}

/** With a token that lacks a scope. */
export const scopeChallenge = (public_url: string, path: string, scope: string) =>
  `Bearer error="insufficient_scope", scope="${scope}", ${metadataOf(public_url, path)}`;
