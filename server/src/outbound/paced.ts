// The expensive pieces of an outgoing call: what each takes of the event loop, so that it is started when it is its turn.

import type { Connect, ResumeLater } from './http1/client.ts';
import { pace, paceLater, type Share } from './pace.ts';

/** Destinations that lose their connection with every response make a hundred handshakes at the same time. */
const HANDSHAKE_MS = 2;
/** A connection that was resumed reads at most 64 KiB before it pauses again. */
const READ_MS = 0.3;
/** To hand the body over to a thread, to record it and to send the result. */
const LARGE_RESPONSE_MS = 1;
const LARGE_BYTES = 64 * 1024;

/** The time limit of an attempt begins when it is opened. */
export function connectPaced(share: Share, connect: Connect): Connect {
  return (listener) => {
    let cancelConnect: ((error: Error) => void) | undefined;
    const cancelWait = paceLater(share, HANDSHAKE_MS, () => {
      cancelConnect = connect(listener);
    });
    return (error) => {
      if (cancelWait()) listener.onConnectError(error);
      else cancelConnect?.(error);
    };
  };
}

/** For a connection that has paused in a large response. */
export function resumePaced(share: Share): ResumeLater {
  return (resume) => void paceLater(share, READ_MS, resume);
}

export function deliverPaced(share: Share, bytes: number, deliver: () => void): void {
  if (bytes < LARGE_BYTES) deliver();
  else pace(share, LARGE_RESPONSE_MS, deliver);
}
