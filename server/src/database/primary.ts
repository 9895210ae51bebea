// Finds the server that takes writes, behind one host or among several, and recognizes it: a standby that was promoted is another one.

import pg from 'pg';
import { type Connection, clientConfig, refuseUnreachable } from './connection.ts';
import { startResponseTimer } from './response-timer.ts';
import { isWrongServer, readOnly, SERVER_STATE, type ServerState } from './server-state.ts';
import { createSockets, type Sockets } from './sockets.ts';

export const RESPONSE_TIMEOUT_MS = 1_000;

export type Primary = {
  client: pg.Client;
  /** Of this connection alone. */
  sockets: Sockets;
  server: string;
};

/** The first host that takes writes. Pools use it from then on. The connection has no settings yet. */
export async function connectToPrimary(
  connection: Connection,
  options: Pick<pg.ClientConfig, 'connectionTimeoutMillis'> = {},
): Promise<Primary> {
  const hosts = connection.hosts?.all ?? [connection];
  const attempts = hosts.map((host) => ({ host, sockets: createSockets() }));
  const connecting = attempts.map(async (attempt) => ({
    ...attempt,
    ...(await connectTo(attempt.host, attempt.sockets, options)),
  }));
  let used: Sockets | null = null;
  try {
    const { host, ...primary } = await Promise.any(connecting);
    if (connection.hosts) connection.hosts.current = host;
    used = primary.sockets;
    return primary;
  } catch (error) {
    const errors: unknown[] = (error as AggregateError).errors;
    throw errors.find((each) => !isWrongServer(each)) ?? errors[0];
  } finally {
    for (const { sockets } of attempts) if (sockets !== used) sockets.destroyAll();
  }
}

async function connectTo(host: Connection, sockets: Sockets, options: pg.ClientConfig) {
  const client = new pg.Client({ ...clientConfig(host, sockets), ...options });
  client.on('error', () => {}); // the next query fails
  await client.connect();
  const { server, is_read_only } = await readState(client, sockets, options.connectionTimeoutMillis);
  if (is_read_only) throw readOnly();
  return { client, server };
}

async function readState(client: pg.Client, sockets: Sockets, within_ms = RESPONSE_TIMEOUT_MS): Promise<ServerState> {
  const timer = startResponseTimer(within_ms, sockets.destroyAll);
  try {
    const { rows } = await client.query<ServerState>(`select ${SERVER_STATE}`);
    return rows[0] as ServerState;
  } finally {
    timer.cancel();
  }
}

/** With several hosts: finds the one to use. */
export async function findHost(connection: Connection, connectionTimeoutMillis: number): Promise<void> {
  if (!connection.hosts) return;
  const { client } = await connectToPrimary(connection, { connectionTimeoutMillis }).catch(refuseUnreachable);
  await client.end();
}
