// The credential of an MCP server, prepared as that of a tool is.

import type { Row } from '../../../../database/tables.ts';
import { serverProviderId } from '../../../oauth/providers/server-provider.ts';
import type { CredentialOwner } from '../credentials/credential.ts';

export type ServerOwner = Pick<Row<'mcp_servers'>, 'id' | 'project_id' | 'url' | 'auth_strategy' | 'auth_config'>;

/** Whose secret it is, and for which host it was given. With member_oauth it is of a client at the issuer. */
export const secretOwnerOf = ({ id, url, auth_strategy, auth_config }: ServerOwner) => ({
  table: 'mcp_servers' as const,
  id,
  base_url: (auth_strategy === 'member_oauth' && auth_config.issuer) || new URL(url).origin,
  auth_strategy,
  auth_config,
});

export function credentialOwner(
  server: ServerOwner & Pick<Row<'mcp_servers'>, 'version' | 'timeout_ms' | 'auth_secret' | 'certificate_id'>,
): CredentialOwner {
  const { project_id, version, timeout_ms, auth_secret, auth_config, certificate_id } = server;
  return {
    ...secretOwnerOf(server),
    project_id,
    version,
    timeout_ms,
    auth_secret,
    certificate_id,
    auth_config:
      server.auth_strategy === 'member_oauth'
        ? { oauth_provider_id: serverProviderId(server.id) }
        : (auth_config as Record<string, string>),
    previous_auth_secret: null,
    previous_secret_ends_at: null,
  };
}
