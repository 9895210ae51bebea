// WWW-Authenticate of the MCP endpoint: where a client without a valid token gets one (RFC 9728 5.1).

/** `status`: 401, or 403 for a token without the scope that calling tools needs (RFC 6750 3.1). */
export function challenge(public_url: string, { url }: { url: string }, status: number): string {
  const [path = ''] = url.split('?');
  // Only paths that are plain text in a quoted string.
  const known = /^(?:\/api\/v1)?\/mcp(?:\/prj_[0-9A-Za-z]{22})?(?:\/toolsets\/[a-z][a-z0-9-]{0,39})?$/.test(path)
    ? path
    : '/api/v1/mcp';
  const resource_metadata = `resource_metadata="${public_url}/.well-known/oauth-protected-resource${known}"`;
  return status === 401
    ? `Bearer ${resource_metadata}`
    : `Bearer error="insufficient_scope", scope="mcp", ${resource_metadata}`;
}
