// Whether the one who asked is still there.

import type { FastifyReply } from 'fastify';

/**
 * Fires when the connection closes before the answer was written. The request's own signal fires once its body is read,
 * and an AbortController costs more than all else that a call keeps in mind.
 */
export function goneSignal({ raw }: FastifyReply): GoneSignal {
  const gone = new GoneSignal();
  // Not once(): a response closes once, and is gone then.
  raw.on('close', () => {
    if (!raw.writableFinished) gone.fire();
  });
  return gone;
}

type Listener = { handleEvent(): void };

/** As much of an AbortSignal as those who stop need. */
export class GoneSignal {
  aborted = false;
  readonly #listeners = new Set<Listener>();

  addEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.delete(listener);
  }

  fire(): void {
    this.aborted = true;
    for (const listener of this.#listeners) listener.handleEvent();
  }
}
