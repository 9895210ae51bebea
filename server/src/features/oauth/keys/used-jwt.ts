// A JWT is used once: its jti is kept until it expires.

import { sql } from 'kysely';
import type { App } from '../../../app.ts';

type JwtId = { project_id: string; issuer: string; jti: string; expires_at_ms: number };

/** False if it was used before. Among concurrent uses, exactly one succeeds. */
export async function useJwtOnce(app: App, { project_id, issuer, jti, expires_at_ms }: JwtId): Promise<boolean> {
  const now = new Date(app.now()).toISOString();
  const row = await app.database
    .insertInto('used_jwt_ids')
    .values({ project_id, issuer, jti, expires_at: new Date(expires_at_ms).toISOString() })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'issuer', 'jti'])
        .doUpdateSet({ expires_at: sql`excluded.expires_at` })
        .where('used_jwt_ids.expires_at', '<=', now),
    )
    .returning('jti')
    .executeTakeFirst();
  return row !== undefined;
}

export async function isJwtUsed(app: App, { project_id, issuer, jti }: Omit<JwtId, 'expires_at_ms'>): Promise<boolean> {
  const row = await app.database
    .selectFrom('used_jwt_ids')
    .select('jti')
    .where('project_id', '=', project_id)
    .where('issuer', '=', issuer)
    .where('jti', '=', jti)
    .where('expires_at', '>', new Date(app.now()).toISOString())
    .executeTakeFirst();
  return row !== undefined;
}
