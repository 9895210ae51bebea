// A POST that does something outside of the database, which no transaction can take back. With an Idempotency-Key the first
// success is kept, sealed: a retry gets it again. While one runs the key is claimed, for as long as it can take at most.

import { sql } from 'kysely';
import type { App } from '../app.ts';
import { refuse } from '../errors.ts';
import { ANSWER_RETENTION_MS, openAnswer, sealAnswer } from './stored-answer.ts';

export type Claim = {
  project_id: string;
  quota_group_id: string;
  /** Whose key it is: the same text of somebody else is another key. */
  scope: string;
  key: string;
  fingerprint: Buffer;
  /** A crash leaves the key claimed for so long. */
  lease_ms: number;
};

/** The answer, and the id of the call, which is kept where the answer is too large to be. */
export type Done = { text: string; call_id: string };

/** Holds a database permit before and after the run, and none while it waits for somebody else's machine. */
export async function runOnce(app: App, claim: Claim, run: () => Promise<Done>) {
  const locked_until = new Date(app.now() + claim.lease_ms).toISOString();
  const begin = async () => ((await take(app, claim, locked_until)) ? null : keptAnswer(app, claim));
  const kept = await app.permits.run(claim.quota_group_id, begin);
  if (kept !== null) return { text: kept, replayed: true };
  // Must run: a key that stays claimed would let a later repeat do everything again.
  const end = (work: () => Promise<void>, words: string) =>
    app.permits.run(claim.quota_group_id, work, { must_run: true }).catch(warn(app, words));
  const done = await run().catch(async (error: unknown) => {
    await end(() => release(app, claim, locked_until), 'an idempotency key was not released');
    throw error;
  });
  // What was done is done: the caller gets its answer even if it cannot be kept.
  await end(() => keep(app, claim, locked_until, done), 'an answer was not kept for its idempotency key');
  return { text: done.text, replayed: false };
}

const warn = (app: App, words: string) => (error: unknown) => app.log.error({ err: error }, words);

/** One statement, so that of many at once one gets it. An old claim ends with its lease, an old answer after 24 h. */
async function take(app: App, { scope, key, fingerprint }: Claim, locked_until: string): Promise<boolean> {
  const now = new Date(app.now()).toISOString();
  const row = { fingerprint, status: null, answer: null, result_id: null, locked_until, expires_at: expiry(app) };
  const taken = await app.database
    .insertInto('idempotency_keys')
    .values({ scope, key, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key'])
        .doUpdateSet(row)
        .where(
          sql<boolean>`idempotency_keys.expires_at <= ${now} or (idempotency_keys.answer is null
            and idempotency_keys.locked_until <= ${now} and idempotency_keys.fingerprint = ${fingerprint})`,
        ),
    )
    .returning('key')
    .executeTakeFirst();
  return taken !== undefined;
}

async function keptAnswer(app: App, claim: Claim): Promise<string> {
  const kept = await app.database
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'answer', 'result_id'])
    .where('scope', '=', claim.scope)
    .where('key', '=', claim.key)
    .executeTakeFirst();
  const details = { field: 'Idempotency-Key' };
  if (kept && !kept.fingerprint.equals(claim.fingerprint)) throw refuse.idempotencyKeyReused({ details });
  if (kept?.answer) return openAnswer(app, claim, kept.answer);
  if (kept?.status) throw refuse.idempotencyAnswerNotKept({ details: { ...details, call_id: kept.result_id } });
  throw refuse.idempotencyKeyInUse({ details, headers: { 'retry-after': '1' } });
}

async function keep(app: App, claim: Claim, locked_until: string, { text, call_id }: Done): Promise<void> {
  const answer = await sealAnswer(app, claim, text, { may_hold_secret: false });
  await app.database
    .updateTable('idempotency_keys')
    .set({
      status: 200,
      answer,
      result_id: answer === null ? call_id : null,
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

const expiry = (app: App) => new Date(app.now() + ANSWER_RETENTION_MS).toISOString();
