// Whether the one who asked is still there.

import type { FastifyReply } from 'fastify';

/** Fires when the connection closes before the answer was written. The request's own signal fires once its body is read. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onLeave(reply, () => controller.abort());
  return controller.signal;
}

/** The same for one listener, on a hot path: an AbortController costs more than all else that a call keeps in mind. */
export function whenGone(reply: FastifyReply): Gone {
  const gone = new Gone();
  onLeave(reply, () => gone.fire());
  return gone;
}

type Listener = { handleEvent(): void };

class Gone {
  aborted = false;
  #listener: Listener | null = null;

  addEventListener(_type: 'abort', listener: Listener): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = null;
  }

  fire(): void {
    this.aborted = true;
    this.#listener?.handleEvent();
  }
}

function onLeave({ raw }: FastifyReply, leave: () => void): void {
  raw.once('close', () => {
    if (!raw.writableFinished) leave();
  });
}
