// The server that requests write to, where it is not known from the connection for notifications: DATABASE_URL is a pooler, or leads
// somewhere else.

import type { Connection } from './connection.ts';
import { connectToPrimary, type Primary } from './primary.ts';
import { startResponseTimer } from './response-timer.ts';
import { otherServer, readOnly, SERVER_STATE, type ServerState } from './server-state.ts';

/** A pooler that is busy lets its clients wait. */
const RESPONSE_TIMEOUT_MS = 2_000;

export type Writer = {
  /** Fails unless statements of requests reach this server. */
  check(server: string): Promise<void>;
  close(): void;
};

export function createWriter(connection: Connection): Writer {
  let primary: Primary | null = null;

  function close(): void {
    primary?.sockets.destroyAll();
    primary = null;
  }

  async function read(): Promise<ServerState> {
    if (primary === null) {
      primary = await connectToPrimary(connection);
      return { server: primary.server, is_read_only: false };
    }
    const timer = startResponseTimer(RESPONSE_TIMEOUT_MS, primary.sockets.destroyAll);
    try {
      const { rows } = await primary.client.query<ServerState>(`select ${SERVER_STATE}`);
      return rows[0] as ServerState;
    } finally {
      timer.cancel();
    }
  }

  return {
    async check(expected) {
      try {
        const { server, is_read_only } = await read();
        if (is_read_only) throw readOnly();
        if (server !== expected) throw otherServer();
      } catch (error) {
        close();
        throw error;
      }
    },
    close,
  };
}
