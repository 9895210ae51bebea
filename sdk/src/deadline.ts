// Waiting that ends in time: by a timeout or by the caller's AbortSignal.

import { TimeoutError } from './errors.ts';

export type Limits = { signal?: AbortSignal | undefined; timeoutMs: number };

/** Rejects in time also if `work` ignores the signal that it gets. */
export function withDeadline<T>({ signal, timeoutMs }: Limits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const end = (reason: unknown) => {
      cleanUp();
      reject(reason);
      controller.abort(reason);
    };
    const onAbort = () => end(signal?.reason);
    const timer = setTimeout(() => end(new TimeoutError({ message: `No response within ${timeoutMs} ms` })), timeoutMs);
    const cleanUp = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort);
    work(controller.signal).then(
      (value) => {
        cleanUp();
        resolve(value);
      },
      (error: unknown) => {
        cleanUp();
        reject(error);
      },
    );
  });
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
