// Connects to an API that this process itself serves. There is no port and no address: nothing else on the machine reaches it,
// and the address guard has no exception for it.

import type { Server } from 'node:http';
import { duplexPair } from 'node:stream';
import type { Connect } from './http1/client.ts';

export type BuiltIn = {
  /** `https://host`, a name that DNS never has. */
  origin: string;
  /** It does not listen: connections are handed to it. */
  server: Server;
};

export function connectInProcess({ server }: BuiltIn): Connect {
  return (listener) => {
    const [ours, theirs] = duplexPair();
    ours.on('data', (bytes: Buffer) => {
      if (!listener.onBytes(bytes)) ours.pause();
    });
    let isOver = false;
    const settle = (report: () => void) => {
      if (isOver) return;
      isOver = true;
      report();
    };
    queueMicrotask(() =>
      settle(() => {
        server.emit('connection', theirs);
        listener.onConnect(ours);
      }),
    );
    return (error) =>
      settle(() => {
        ours.destroy();
        listener.onConnectError(error);
      });
  };
}
