// The context that the secrets of a tool are sealed in (secrets/envelope.ts). It contains the strategy and the URLs they
// were given for: after a change of these in the database the secret cannot be opened, so it cannot be sent elsewhere.

import type { SealContext } from '../../../secrets/envelope.ts';

export type SecretOwner = {
  /** For an MCP server; otherwise it is a tool. */
  table?: 'mcp_servers';
  id: string;
  base_url: string;
  auth_strategy: string;
  auth_config: { token_url?: string | undefined };
};

export type SecretColumn = 'auth_secret' | 'previous_auth_secret';

export function secretContext(tool: SecretOwner, column: SecretColumn): SealContext {
  return { table: tool.table ?? 'custom_tools', column, row_id: tool.id, destination: destinationOf(tool) };
}

export function destinationOf({ base_url, auth_strategy, auth_config }: Omit<SecretOwner, 'id' | 'table'>): string {
  return JSON.stringify([auth_strategy, base_url, auth_config.token_url ?? null]);
}
