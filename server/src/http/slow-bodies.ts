// Uploads may take longer than other requests: node's limit for a whole request does not end them. They have a limit of their own,
// and the one for silent connections.

import type { Socket } from 'node:net';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';

const MAX_UPLOAD_MS = 10 * 60_000;

export type SlowBodies = WeakSet<Socket>;

export const createSlowBodies = (): SlowBodies => new WeakSet();

export function allowSlowBodies(server: Server, app: App): void {
  const uploading = app.stateOf(createSlowBodies);
  server.addHook('onRoute', (route) => {
    if (!route.config?.has_slow_body) return;
    route.preHandler = [
      ({ raw }, _reply, done) => {
        const { socket } = raw;
        uploading.add(socket);
        const timer = setTimeout(() => socket.destroy(), MAX_UPLOAD_MS).unref();
        raw.once('close', () => {
          uploading.delete(socket);
          clearTimeout(timer);
        });
        done();
      },
      ...[route.preHandler ?? []].flat(),
    ];
  });
}
