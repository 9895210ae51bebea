// What a failover of PostgreSQL happens to: a primary, a standby, and what leads to the one that takes writes.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/**
 * kill: the primary is killed (SIGKILL). freeze: it is stopped (SIGSTOP). cut: nothing of the network reaches it any more. demote: it
 * becomes read-only, and its sessions stay. switchover: as an operator plans it.
 */
export const failures = ['kill', 'freeze', 'cut', 'demote', 'switchover'] as const;
export type Failure = (typeof failures)[number];

/** What the primary that failed had, and the new one has not. */
export type ServerLoss = {
  /** Of keys of a project: they are missing, or were revoked. */
  key_ids: string[];
  /** Rows of the project, by table. */
  rows: Record<string, number>;
  /** Of the log of PostgreSQL. */
  bytes: number;
};

export type Servers = {
  /** For every replica. */
  url(): string;
  is_synchronous: boolean;
  /** On the primary. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Asynchronous replication only: the standby gets nothing any more. */
  holdBack(): Promise<void>;
  /** Resolves when the new primary has accepted a write. */
  fail(failure: Failure): Promise<void>;
  /** Asynchronous replication only. */
  findLoss(project_id: string): Promise<ServerLoss>;
  /** The old primary follows the new one. */
  repair(): Promise<void>;
  remove(): Promise<void>;
};

const PROMOTED_WITHIN_MS = 60_000;
const PROBE_EVERY_MS = 25;
const PROBE = `create table if not exists first_write (at timestamptz); insert into first_write values (now())`;

/** Until one of these servers, which no replica is asked for, accepts a write. Returns its port. */
export async function untilOneWrites(ports: readonly number[]): Promise<number> {
  for (const deadline = performance.now() + PROMOTED_WITHIN_MS; performance.now() < deadline; ) {
    for (const port of ports) if (await write(port)) return port;
    await sleep(PROBE_EVERY_MS);
  }
  throw new Error('no server has accepted a write');
}

async function write(port: number): Promise<boolean> {
  return runQuery(port, 'postgres', PROBE).then(
    () => true,
    () => false,
  );
}

export async function runQuery(port: number, database: string, text: string, values?: unknown[]): Promise<any[]> {
  const client = new pg.Client({
    connectionString: `postgres://postgres@127.0.0.1:${port}/${database}`,
    connectionTimeoutMillis: 2_000,
    query_timeout: 20_000,
  });
  client.on('error', () => {}); // the query rejects too
  try {
    await client.connect();
    return (await client.query(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const logged = ['tool_calls', 'events', 'audit_entries', 'member_sessions'] as const;

/** What only the old one has. */
export async function compareServers(old_port: number, new_port: number, project_id: string) {
  const read = (text: string) =>
    Promise.all([old_port, new_port].map((port) => runQuery(port, 'toolgate', text, [project_id]))) as Promise<
      [KeyRow[], KeyRow[]]
    >;
  const [had, has] = await read('select id, revoked_at is null as is_active from api_keys where project_id = $1');
  const known = new Map(has.map((row) => [row.id, row]));
  // Missing, or active again.
  const lost = had.filter(({ id, is_active }) => !known.has(id) || (!is_active && known.get(id)?.is_active));
  const rows: Record<string, number> = { api_keys: lost.length };
  for (const table of logged) {
    const [old_rows, new_rows] = await read(`select id from ${table} where project_id = $1`);
    const ids = new Set(new_rows.map(({ id }) => id));
    rows[table] = old_rows.filter(({ id }) => !ids.has(id)).length;
  }
  return { key_ids: lost.map(({ id }) => id), rows };
}

type KeyRow = { id: string; is_active?: boolean };
