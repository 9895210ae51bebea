// A POST that does something outside of the database, which no transaction can take back. With an Idempotency-Key the first
// success is kept, sealed: a retry gets it again. While one runs the key is claimed, for as long as it can take at most.

import { sql } from 'kysely';
import type { App } from '../app.ts';
import { refuse } from '../errors.ts';
import { KEPT_MS } from './create.ts';

export type Claim = {
  project_id: string;
  /** Whose key it is: the same text of somebody else is another key. */
  scope: string;
  key: string;
  fingerprint: Buffer;
  /** A crash leaves the key claimed for so long. */
  lease_ms: number;
};

export async function runOnce(app: App, claim: Claim, run: () => Promise<string>) {
  const locked_until = new Date(app.now() + claim.lease_ms).toISOString();
  if (!(await take(app, claim, locked_until))) return { text: await keptAnswer(app, claim), replayed: true };
  const text = await run().catch(async (error: unknown) => {
    await release(app, claim, locked_until).catch(warn(app, 'an idempotency key was not released'));
    throw error;
  });
  // What was done is done: the caller gets its answer even if it cannot be kept.
  await keep(app, claim, locked_until, text).catch(warn(app, 'an answer was not kept for its idempotency key'));
  return { text, replayed: false };
}

const place = ({ scope, key }: Claim) => ({ table: 'idempotency_keys', column: 'answer', row_id: `${scope} ${key}` });

const warn = (app: App, words: string) => (error: unknown) => app.log.error({ err: error }, words);

/** One statement, so that of many at once one gets it. An old claim ends with its lease, an old answer after 24 h. */
async function take(app: App, { scope, key, fingerprint }: Claim, locked_until: string): Promise<boolean> {
  const now = new Date(app.now()).toISOString();
  const row = { fingerprint, status: null, answer: null, locked_until, expires_at: expiry(app) };
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
    .select(['fingerprint', 'answer'])
    .where('scope', '=', claim.scope)
    .where('key', '=', claim.key)
    .executeTakeFirst();
  const details = { field: 'Idempotency-Key' };
  if (kept && !kept.fingerprint.equals(claim.fingerprint)) throw refuse.idempotencyKeyReused({ details });
  if (!kept || kept.answer === null) throw refuse.idempotencyKeyInUse({ details, headers: { 'retry-after': '1' } });
  return (await app.secrets.open(app.database, claim.project_id, place(claim), kept.answer)).toString();
}

async function keep(app: App, claim: Claim, locked_until: string, text: string): Promise<void> {
  const answer = await app.secrets.seal(app.database, claim.project_id, place(claim), text);
  await app.database
    .updateTable('idempotency_keys')
    .set({ status: 200, answer, locked_until: null, expires_at: expiry(app) })
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

const expiry = (app: App) => new Date(app.now() + KEPT_MS).toISOString();
