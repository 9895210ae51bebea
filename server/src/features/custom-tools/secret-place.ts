// Where a tool's secrets are kept; a sealed secret opens in its own place only (rules of sealing: secrets/envelope.ts), and
// only for the strategy and the addresses it was given for: whoever moves them in the database cannot have it sent there.

import type { Place } from '../../secrets/envelope.ts';

export type SecretOwner = {
  id: string;
  base_url: string;
  auth_strategy: string;
  auth_config: { token_url?: string | undefined };
};

export type SecretColumn = 'auth_secret' | 'previous_auth_secret';

export function secretPlace(tool: SecretOwner, column: SecretColumn): Place {
  return { table: 'custom_tools', column, row_id: tool.id, destination: destinationOf(tool) };
}

export function destinationOf({ base_url, auth_strategy, auth_config }: Omit<SecretOwner, 'id'>): string {
  return JSON.stringify([auth_strategy, base_url, auth_config.token_url ?? null]);
}
