// Finds the grant that a code, a refresh token or a session came from.

import type { App } from '../../../app.ts';
import { hashToken, isWellFormed, sameBytes } from '../../../secrets/tokens.ts';
import { selectByCode, selectByRefreshToken, selectGrant } from './store.ts';
import type { UsableGrant } from './usable-grant.ts';

export async function findByCode(app: App, code: string): Promise<UsableGrant | null> {
  return (await selectByCode(app.database, hashToken(code))) ?? null;
}

/** Also by a refresh token that was replaced: see isReplaced(). */
export async function findByRefreshToken(app: App, token: string): Promise<UsableGrant | null> {
  if (!isWellFormed(token, ['svc_ort_'])) return null;
  return (await selectByRefreshToken(app.database, hashToken(token))) ?? null;
}

export async function findGrant(app: App, id: string): Promise<UsableGrant | null> {
  return (await selectGrant(app.database, id)) ?? null;
}

/** Whether a newer token than this one was used, or issued instead of it: then it is in two hands. */
export function isReplaced({ refresh_hash, previous_refresh_hash }: UsableGrant, token: string): boolean {
  const hash = hashToken(token);
  return ![refresh_hash, previous_refresh_hash].some((current) => current !== null && sameBytes(current, hash));
}
