// What the sealed client secret is bound to: its row, and the issuer it may be sent to.

import type { SealContext } from '../../../secrets/envelope.ts';

export function secretContext({ id, issuer }: { id: string; issuer: string }): SealContext {
  return { table: 'oauth_providers', column: 'client_secret', row_id: id, destination: issuer };
}
