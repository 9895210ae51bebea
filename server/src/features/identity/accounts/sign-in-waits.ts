// The waits after failed sign-ins. Five failures are free; then 4 s, 8 s and so on up to 15 minutes, by account and by network.
// An attempt is counted before the password is checked and taken back if it was right, so that attempts at once are counted too.
// New email addresses of people have the same waits: each of them tells whether the address has an account.

import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { type RefusalOptions, refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';

const FREE_FAILURES = 5;
/** For the people of one organization together. */
const FREE_NEW_EMAILS = 20;
const FIRST_WAIT_S = 4;
const MAX_WAIT_S = 900;
/** After so long without a failure counting starts again. */
export const FAILURE_RETENTION_MS = 3_600_000;

/** What is protected. An unknown email address has waits too, so that they say nothing about which exist. */
export type Protected = { email: string } | { ip: string } | { account_id: string };

type Counted = Protected | { new_emails_of: string } | { new_emails_in: string };

export type Attempt = {
  /** The attempt was no failure, and no success either. */
  undo(): Promise<void>;
  /** The password was right: the count of the account is reset. The network does not, or a person could reset it for an attacker. */
  succeed(app: App): Promise<void>;
};

/** Throws 429 if one of them has to wait. */
export async function beginAttempt(app: App, things: Protected[]): Promise<Attempt> {
  // In one order, so that two attempts cannot deadlock.
  const counted = things.map((thing) => ({ thing, key: keyOf(thing) })).sort((a, b) => a.key.compare(b.key));
  await countAll(app, counted, refuse.signInDelayed);
  const undo = async ({ database }: Pick<App, 'database'>, keys: Buffer[]) => {
    await sql`update failed_sign_ins set failures = failures - 1, blocked_until = null
      where key = any(${keys}::bytea[]) and failures > 0`.execute(database);
  };
  return {
    undo: () =>
      undo(
        app,
        counted.map(({ key }) => key),
      ),
    async succeed(app) {
      const networks = counted.filter(({ thing }) => 'ip' in thing).map(({ key }) => key);
      const others = counted.filter(({ thing }) => !('ip' in thing)).map(({ key }) => key);
      await undo(app, networks);
      await sql`delete from failed_sign_ins where key = any(${others}::bytea[])`.execute(app.database);
    },
  };
}

/**
 * Counts a new email address that a person, or somebody with an invitation, tried: otherwise it could be asked for any address
 * whether somebody of another organization has it. Throws 429 if the person, or the organization, has to wait.
 */
export async function countNewEmail(
  app: App,
  { id, organization_id }: { id: string | null; organization_id: string },
): Promise<void> {
  const things: Counted[] = [{ new_emails_in: organization_id }, ...(id === null ? [] : [{ new_emails_of: id }])];
  const counted = things.map((thing) => ({ thing, key: keyOf(thing) }));
  await countAll(app, counted, refuse.tooManyEmails);
}

type CountedKey = { thing: Counted; key: Buffer };

/** All of them, or none if one has to wait. */
function countAll(app: App, counted: CountedKey[], delayed: typeof refuse.signInDelayed): Promise<void> {
  return transact(app, async ({ database, now }) => {
    for (const { thing, key } of counted) {
      const at = now();
      const wait_ms = await count(database, key, at, 'new_emails_in' in thing ? FREE_NEW_EMAILS : FREE_FAILURES);
      if (wait_ms > 0) throw delayed(waitOf(wait_ms, at));
    }
  });
}

/** Only hashes are stored: an address that failed to sign in is not to be found in the database. */
function keyOf(thing: Counted): Buffer {
  if ('email' in thing) return hash('sha256', `email ${thing.email}`, 'buffer');
  if ('ip' in thing) return hash('sha256', `network ${clientNetwork(thing.ip)}`, 'buffer');
  if ('account_id' in thing) return hash('sha256', `account ${thing.account_id}`, 'buffer');
  if ('new_emails_of' in thing) return hash('sha256', `new emails of ${thing.new_emails_of}`, 'buffer');
  return hash('sha256', `new emails in ${thing.new_emails_in}`, 'buffer');
}

/** Counts a failure. Returns 0, or how long to wait; then nothing was counted. */
async function count(database: App['database'], key: Buffer, at: number, free: number): Promise<number> {
  const now = sql`${new Date(at).toISOString()}::timestamptz`;
  const forgotten = new Date(at - FAILURE_RETENTION_MS).toISOString();
  const failures = sql`case when known.last_failed_at < ${forgotten} then 1 else known.failures + 1 end`;
  const { rows } = await sql<{ key: Buffer }>`
    insert into failed_sign_ins as known (key, failures, blocked_until, last_failed_at) values (${key}, 1, null, ${now})
    on conflict (key) do update set
      failures = ${failures},
      blocked_until = case when ${failures} >= ${free}
        then ${now} + make_interval(secs => least(${MAX_WAIT_S}, ${FIRST_WAIT_S} * 2 ^ least(20, ${failures} - ${free}))) end,
      last_failed_at = ${now}
    where known.blocked_until is null or known.blocked_until <= ${now}
    returning key`.execute(database);
  if (rows.length > 0) return 0;
  const blocked = await database
    .selectFrom('failed_sign_ins')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return Math.max(1, Date.parse(blocked.blocked_until ?? '') - at);
}

function waitOf(wait_ms: number, at: number): RefusalOptions {
  const retry_after_seconds = Math.ceil(wait_ms / 1000);
  const resets_at = new Date(at + wait_ms).toISOString();
  return {
    details: { retry_after_seconds, resets_at },
    headers: { 'retry-after': String(retry_after_seconds) },
  };
}
