// The checks of doctor about the way to your own PostgreSQL: a pooler, whether the server takes writes, and how its standbys follow.

import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { connectionOf } from '../database/hosts.ts';
import { connectToPrimary } from '../database/primary.ts';
import { SERVER_STATE, type ServerState } from '../database/server-state.ts';
import { isTransactionPooler } from '../database/transaction-pooler.ts';
import { redactSecrets } from '../redaction/secret-patterns.ts';
import { type Check, fail, ok, warn } from './check-result.ts';

/** `client` uses the direct URL. Nothing for the embedded database. */
export async function checkServers({ database_url, direct_url }: Config, client: pg.Client): Promise<Check[]> {
  if (database_url === null) return [];
  const { rows } = await client.query<ServerState>(`select ${SERVER_STATE}`);
  const state = rows[0] as ServerState;
  return [await checkPooler(database_url, direct_url, state), await checkReplication(client, state)];
}

async function checkPooler(database_url: string, direct_url: string | null, state: ServerState): Promise<Check> {
  const name = 'pooler';
  if (database_url === direct_url) return ok(name, 'none, or one in session mode');
  try {
    const connection = connectionOf(database_url);
    const { client, server } = await connectToPrimary(connection);
    await client.end();
    if (server !== state.server)
      return fail(
        name,
        'DATABASE_URL and DATABASE_DIRECT_URL lead to different servers: no server that uses them becomes ready',
        'set both to the same database of the same primary',
      );
    if (await isTransactionPooler(connection)) return ok(name, 'DATABASE_URL leads to one in transaction mode');
    return ok(name, 'DATABASE_URL leads to none, or to one in session mode: it needs no DATABASE_DIRECT_URL');
  } catch (error) {
    const message = redactSecrets((error as Error).message);
    return fail(name, `DATABASE_URL cannot be used: ${message}`, 'psql "$DATABASE_URL" -c "select 1"');
  }
}

const STANDBYS = `
  select coalesce(nullif(application_name, ''), host(client_addr), 'a standby') as name, state, sync_state,
    pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as bytes
  from pg_stat_replication order by 1`;

/** Another user than a superuser sees the standbys, but not their state, unless it is a member of pg_monitor. */
async function checkReplication(client: pg.Client, { is_read_only }: ServerState): Promise<Check> {
  const name = 'replication';
  if (is_read_only)
    return fail(
      name,
      'the server takes no writes: it is a standby, or read-only',
      'set DATABASE_URL to the primary, or name all hosts: postgres://a:5432,b:5432/name',
    );
  try {
    const { rows } = await client.query<{
      name: string;
      state: string | null;
      sync_state: string;
      bytes: number | null;
    }>(STANDBYS);
    if (rows.length === 0) return ok(name, 'the server takes writes, and no standby follows it');
    if (rows.some(({ state }) => state === null))
      return ok(name, `the server takes writes; ${rows.length} standbys, whose state this user may not read`);
    const standbys = rows.map(
      (row) => `${row.name} (${row.sync_state}, ${Math.round((row.bytes ?? 0) / 1024)} KiB behind)`,
    );
    const message = `the server takes writes; followed by ${standbys.join(', ')}`;
    if (rows.every(({ state }) => state === 'streaming')) return ok(name, message);
    return warn(
      name,
      `${message}; not all are streaming`,
      'psql "$DATABASE_URL" -c "select * from pg_stat_replication"',
    );
  } catch (error) {
    return ok(name, `the server takes writes; its standbys cannot be read: ${(error as Error).message}`);
  }
}
