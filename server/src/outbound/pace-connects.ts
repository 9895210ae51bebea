// Connections are opened in turns, one in an iteration of the event loop, round-robin over the destinations. A TLS handshake takes
// 2 ms of the processor: a hundred at the same time, to destinations that lose their connection with every response, would delay
// all other work of the process by a fifth of a second.

import type { Connect } from './http1/client.ts';

type Opening = () => void;

/** What each destination has to open. In the order of their next turn. */
const waiting = new Set<Set<Opening>>();

/** For the connections to one destination. The time limit of an attempt begins with its turn. */
export function connectInTurn(connect: Connect): Connect {
  const openings = new Set<Opening>();

  return (listener) => {
    let cancel: ((error: Error) => void) | undefined;
    const open = () => {
      cancel = connect(listener);
    };
    openings.add(open);
    if (waiting.size === 0) setImmediate(openNext);
    waiting.add(openings);
    return (error) => {
      if (cancel) return cancel(error);
      openings.delete(open);
      listener.onConnectError(error);
    };
  };
}

function openNext(): void {
  for (const openings of waiting) {
    waiting.delete(openings);
    const [open] = openings;
    if (open === undefined) continue; // all of its attempts were given up
    openings.delete(open);
    if (openings.size > 0) waiting.add(openings);
    if (waiting.size > 0) setImmediate(openNext);
    open();
    return;
  }
}
