// Where a tool's secrets are kept; a sealed secret opens in its own place only (rules of sealing: secrets/envelope.ts).

import type { Place } from '../../secrets/envelope.ts';

export function secretPlace(tool_id: string, column: 'auth_secret' | 'previous_auth_secret'): Place {
  return { table: 'custom_tools', column, row_id: tool_id };
}
