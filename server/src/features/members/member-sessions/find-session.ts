// Finds a valid session by its token, for a client of OAuth that asks about it.

import type { Scope } from '@toolgate/contract/permissions.ts';
import type { GrantLayer } from '../../../access/grant-layer.ts';
import type { App } from '../../../app.ts';
import { hashToken, isWellFormed } from '../../../secrets/tokens.ts';
import { selectSessionByHash } from './store.ts';

export type FoundSession = {
  id: string;
  grant_id: string | null;
  scopes: Scope[];
  grant: GrantLayer | null;
  expires_at: string;
};

/** It may be expired. */
export async function findSession(app: App, token: string): Promise<FoundSession | null> {
  if (!isWellFormed(token, ['svc_mst_'])) return null;
  const found = await selectSessionByHash(app.database, hashToken(token), new Date(app.now()).toISOString());
  return found?.session ?? null;
}
