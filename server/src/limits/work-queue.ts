// How many costly pieces of work run at once, and how many may wait. For work that anyone can cause, such as password checks.

import { refuse } from '../errors.ts';
import type { Reason } from '../remedies.ts';

export type WorkQueue = {
  /** Runs `work` when a slot is free. Refuses with 503 when too many wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How much work was started since the start. */
  started(): number;
};

export function createWorkQueue({
  slots,
  max_waiting,
  reason,
}: {
  slots: number;
  max_waiting: number;
  reason: Reason;
}): WorkQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  let started = 0;

  return {
    started: () => started,
    async run(work) {
      if (running < slots) running += 1;
      else if (waiting.length < max_waiting) await new Promise<void>((start) => waiting.push(start));
      else throw refuse.serviceUnavailable({ details: { reason }, headers: { 'retry-after': '2' } });
      started += 1;
      try {
        return await work();
      } finally {
        // The slot is passed on.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
