// A POST with an effect outside of the database, which no transaction can roll back. With an Idempotency-Key the first success is
// stored, sealed, and a retry gets it again. While a request runs its key is claimed, with a lease longer than any run.

import { sql } from 'kysely';
import type { App } from '../app.ts';
import { refuse } from '../errors/errors.ts';
import { openResponse, RESPONSE_RETENTION_MS, sealResponse } from './stored-response.ts';

export type Claim = {
  project_id: string;
  fairness_key: string;
  /** Identifies the owner: the same key of another owner is a different key. */
  scope: string;
  /** For whom it runs. Nothing is stored for a member who was deleted meanwhile. */
  member_id: string | null;
  key: string;
  fingerprint: Buffer;
  /** How long the key stays claimed after a crash. */
  lease_ms: number;
};

/** The response, and the id of the call, which is stored instead of a response that is too large. */
export type Result = { text: string; call_id: string };

/** Holds a database permit before and after the run, but not during it: the run waits for another server. */
export async function runOnce(app: App, claim: Claim, run: () => Promise<Result>) {
  const project = { id: claim.project_id, fairness_key: claim.fairness_key };
  const locked_until = new Date(app.now() + claim.lease_ms).toISOString();
  const begin = async () => ((await claimKey(app, claim, locked_until)) ? null : findStoredResponse(app, claim));
  const stored = await app.permits.run(project, begin);
  if (stored !== null) return { text: stored, replayed: true };
  // Never refused for lack of permits: when the lease of a key that stays claimed expires, a retry would run everything again.
  const end = (work: () => Promise<void>, message: string) =>
    app.permits.run(project, work, { must_run: true }).catch(logError(app, message));
  const done = await run().catch(async (error: unknown) => {
    await end(() => release(app, claim, locked_until), 'an idempotency key was not released');
    throw error;
  });
  // The caller gets its response even if it cannot be stored.
  await end(() => storeResponse(app, claim, locked_until, done), 'a response was not stored for its idempotency key');
  return { text: done.text, replayed: false };
}

const logError = (app: App, message: string) => (error: unknown) => app.log.error({ err: error }, message);

/** One statement, so that one of several concurrent requests wins. A claim ends with its lease, a response after 24 hours. */
async function claimKey(app: App, claim: Claim, locked_until: string): Promise<boolean> {
  const { scope, key, fingerprint, member_id } = claim;
  const now = sql`${new Date(app.now()).toISOString()}::timestamptz`;
  const { rows } = await sql`
    insert into idempotency_keys (scope, key, fingerprint, locked_until, expires_at)
    select ${scope}, ${key}, ${fingerprint}::bytea, ${locked_until}::timestamptz, ${expiry(app)}::timestamptz
    where ${member_id === null ? sql`true` : sql`hold_member(${member_id})`}
    on conflict (scope, key) do update
      set fingerprint = excluded.fingerprint, status = null, answer = null, result_id = null,
        locked_until = excluded.locked_until, expires_at = excluded.expires_at
      where idempotency_keys.expires_at <= ${now} or (idempotency_keys.answer is null
        and idempotency_keys.locked_until <= ${now} and idempotency_keys.fingerprint = excluded.fingerprint)
    returning key`.execute(app.database);
  return rows.length > 0;
}

async function findStoredResponse(app: App, claim: Claim): Promise<string> {
  const stored = await app.database
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'answer', 'result_id'])
    .where('scope', '=', claim.scope)
    .where('key', '=', claim.key)
    .executeTakeFirst();
  const details = { field: 'Idempotency-Key' };
  if (stored && !stored.fingerprint.equals(claim.fingerprint)) throw refuse.idempotencyKeyReused({ details });
  if (stored?.answer) return openResponse(app, claim, stored.answer);
  if (stored?.status) throw refuse.idempotencyResponseNotKept({ details: { ...details, call_id: stored.result_id } });
  throw refuse.idempotencyKeyInUse({ details, headers: { 'retry-after': '1' } });
}

async function storeResponse(app: App, claim: Claim, locked_until: string, { text, call_id }: Result): Promise<void> {
  const response = await sealResponse(app, claim, text, { may_contain_secret: false });
  await app.database
    .updateTable('idempotency_keys')
    .set({
      status: 200,
      answer: response,
      result_id: response === null ? call_id : null,
      locked_until: null,
      expires_at: expiry(app),
    })
    .where('scope', '=', claim.scope)
    .where('key', '=', claim.key)
    .where('locked_until', '=', locked_until)
    .execute();
}

async function release(app: App, { scope, key }: Claim, locked_until: string): Promise<void> {
  await app.database
    .deleteFrom('idempotency_keys')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('locked_until', '=', locked_until)
    .execute();
}

const expiry = (app: App) => new Date(app.now() + RESPONSE_RETENTION_MS).toISOString();
