// Finds out whether a URL leads to a pooler in transaction mode: there LISTEN and the locks of a session are lost, without an error.

import type pg from 'pg';
import { type Connection, connectClient, refuseUnreachable, START_TIMEOUT_MS } from './connection.ts';
import { connectionOf } from './hosts.ts';
import { findHost } from './primary.ts';

/** `direct`: for what needs a session; the same object if requests use it too. */
export type Connections = { connection: Connection; direct: Connection };

/** In this order every pooler in transaction mode gives itself away, whether it reuses connections in turn or the last one first. */
const ORDER = [0, 1, 1, 0, 0, 1] as const;
/** A pooler in session mode without a free connection lets the second client wait. */
const RESPONSE_WITHIN_MS = 5_000;

/**
 * Two clients that are connected at the same time never share a connection of PostgreSQL, and keep theirs, unless a pooler gives
 * them one for each transaction.
 */
export async function isTransactionPooler(connection: Connection): Promise<boolean> {
  const options = { connectionTimeoutMillis: START_TIMEOUT_MS, query_timeout: RESPONSE_WITHIN_MS, is_unknown: true };
  const clients: pg.Client[] = [];
  try {
    // One after the other: a wrong password is one failed connection.
    for (const _ of [1, 2]) clients.push(await connectClient(connection, options).catch(refuseUnreachable));
    return await areSharing(clients);
  } catch (error) {
    if ((error as Error).message === 'Query read timeout') return false;
    throw error;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

async function areSharing(clients: pg.Client[]): Promise<boolean> {
  const clientOf = new Map<number, pg.Client>();
  const pidOf = new Map<pg.Client, number>();
  for (const i of ORDER) {
    const client = clients[i] as pg.Client;
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = rows[0]?.pid ?? 0;
    if ((clientOf.get(pid) ?? client) !== client || (pidOf.get(client) ?? pid) !== pid) return true;
    clientOf.set(pid, client);
    pidOf.set(client, pid);
  }
  return false;
}

/** The connection of requests. Refuses a pooler in transaction mode for what needs a session, and returns which one that is. */
export async function findPooler(database_url: string, direct_url: string): Promise<Connections> {
  const connection = await reach(database_url);
  const is_pooled = await isTransactionPooler(connection);
  if (database_url === direct_url && is_pooled) throw new Error(needsDirectUrl);
  if (database_url === direct_url) return { connection, direct: connection };
  const direct = await reach(direct_url);
  if (await isTransactionPooler(direct)) throw new Error(directIsPooler);
  return { connection: is_pooled ? { ...connection, is_pooled } : connection, direct };
}

async function reach(url: string): Promise<Connection> {
  const connection = connectionOf(url);
  await findHost(connection, START_TIMEOUT_MS);
  return connection;
}

/** For a command, which has one connection. */
export async function reachDirect(url: string): Promise<Connection> {
  const connection = await reach(url);
  if (await isTransactionPooler(connection)) throw new Error(needsDirectUrl);
  return connection.hosts?.current ?? connection;
}

const instead = 'PostgreSQL itself or a pooler in session mode';
export const needsDirectUrl = `DATABASE_URL leads to a connection pooler in transaction mode, where notifications and the locks of a session are lost: set DATABASE_DIRECT_URL too, to the URL of ${instead}`;
const directIsPooler = `DATABASE_DIRECT_URL leads to a connection pooler in transaction mode, where notifications and the locks of a session are lost: set it to the URL of ${instead}`;
