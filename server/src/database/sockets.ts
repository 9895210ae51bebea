// The sockets of connections to PostgreSQL, so that all of them can be destroyed, refused, or kept to one server.

import { Socket } from 'node:net';
import { otherServer, readOnly, type ServerState } from './server-state.ts';

/** The open sockets of some connections, so that all of them can be destroyed. */
export type Sockets = {
  /** pg's `stream` option: makes the socket of a new connection. */
  stream(): Socket;
  /** Makes every query in progress fail at once, instead of when TCP times out. */
  destroyAll(): void;
  /** Until it is true again, new connections fail at once too, instead of when they time out. */
  setAllowed(is_allowed: boolean): void;
  isAllowed(): boolean;
  /** From now on they lead to this server only: the open ones of another server are destroyed. */
  expectServer(server: string, onOther: () => void): void;
  /** Throws if a new connection leads to another server, or to one that takes no writes, and calls `onOther`. */
  admit(state: ServerState): void;
};

export function createSockets(): Sockets {
  const open = new Set<Socket>();
  let is_allowed = true;
  let expected: { server: string; onOther(): void } | null = null;
  const destroyAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    stream() {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      // After pg has called connect() on it, which would open a destroyed socket again.
      if (!is_allowed) setImmediate(() => socket.destroy(notAllowed()));
      return socket;
    },
    destroyAll,
    setAllowed(given) {
      is_allowed = given;
    },
    isAllowed: () => is_allowed,
    expectServer(server, onOther) {
      if (expected !== null && expected.server !== server) destroyAll();
      expected = { server, onOther };
    },
    admit({ server, is_read_only }) {
      if (!is_read_only && (expected === null || server === expected.server)) return;
      expected?.onOther();
      throw is_read_only ? readOnly() : otherServer();
    },
  };
}

export const notAllowed = () => Object.assign(new Error('the database is unavailable'), { code: 'ECONNREFUSED' });
