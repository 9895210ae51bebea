// Waits for something that is not a request, as long as a call has time and its requester is there.

import { SendError } from './messages.ts';
import type { Requester } from './requester.ts';

export type Patience = { timeout_ms: number; requester?: Requester | undefined };

/** Rejects with a SendError when the time is over or the requester is gone; what was waited for goes on. */
export function waitWithin<T>(work: Promise<T>, { timeout_ms, requester }: Patience): Promise<T> {
  return new Promise((resolve, reject) => {
    const waiting = { requesterGone: () => fail(new SendError('aborted', 'the caller aborted the call')) };
    const timer = setTimeout(() => fail(new SendError('timeout', "the call's time is up")), timeout_ms);
    function end(): void {
      clearTimeout(timer);
      requester?.calls.delete(waiting);
    }
    function fail(error: unknown): void {
      end();
      reject(error);
    }
    requester?.calls.add(waiting);
    if (requester?.is_gone) waiting.requesterGone();
    work.then((value) => {
      end();
      resolve(value);
    }, fail);
  });
}
