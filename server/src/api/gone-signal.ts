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
  /** Mostly there is one listener; only the calls of a batch are more. */
  #listener: Listener | null = null;
  #others: Set<Listener> | null = null;

  addEventListener(_type: 'abort', listener: Listener): void {
    if (this.#listener === null) this.#listener = listener;
    else {
      this.#others ??= new Set();
      this.#others.add(listener);
    }
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    if (this.#listener === listener) this.#listener = null;
    else this.#others?.delete(listener);
  }

  fire(): void {
    this.aborted = true;
    this.#listener?.handleEvent();
    for (const listener of this.#others ?? []) listener.handleEvent();
  }
}
