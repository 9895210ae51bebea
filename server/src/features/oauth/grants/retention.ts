// Deletes approvals that expired, grants a day after they ended, and refresh tokens that are too old to be accepted.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { deleteBatch } from '../../../database/delete-batch.ts';
import { REFRESH_LIFETIME_MS } from '../../members/member-sessions/create-granted.ts';

/** The sessions of a grant are refused as expired for a day. */
const ENDED_RETENTION_MS = 25 * 3_600_000;

/** Returns true if there may be more to delete. */
export async function removeEndedGrants({ database, now }: App): Promise<boolean> {
  const ago = (ms: number) => sql`${new Date(now() - ms).toISOString()}::timestamptz`;
  const ended_at = sql`coalesce(revoked_at, refresh_expires_at, code_expires_at)`;
  const more = [
    await deleteBatch(database, 'oauth_approvals', sql`expires_at <= ${ago(0)}`),
    await deleteBatch(database, 'oauth_grants', sql`${ended_at} <= ${ago(ENDED_RETENTION_MS)}`),
    await deleteBatch(database, 'oauth_refresh_tokens', sql`created_at <= ${ago(REFRESH_LIFETIME_MS)}`),
  ];
  return more.includes(true);
}
