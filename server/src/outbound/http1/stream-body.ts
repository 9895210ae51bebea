// Sends a body that is read while it is sent: as fast as the other side takes it.

import type { Duplex } from 'node:stream';
import { type BodyStream, SendError } from '../messages.ts';

/** Returns whether all of it was sent: false if the exchange ended before. Rejects if the body cannot be read, or has another length. */
export async function streamBody(socket: Duplex, body: BodyStream, isCurrent: () => boolean): Promise<boolean> {
  let left = body.length;
  try {
    for await (const part of body.read()) {
      if (!isCurrent()) return false;
      left -= part.length;
      // The next request on the connection would begin in the middle of this one.
      if (left < 0) break;
      if (!socket.write(part)) await drained(socket);
    }
  } catch (error) {
    throw new SendError('invalid', `the body could not be read: ${(error as Error).message}`);
  }
  if (left !== 0 && isCurrent()) throw new SendError('invalid', 'the body has another length than it had before');
  return isCurrent();
}

/** Or it is closed. */
function drained(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    if (socket.destroyed) resolve();
    else socket.on('drain', done).on('close', done);
  });
}
