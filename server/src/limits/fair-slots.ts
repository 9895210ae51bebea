// How many pieces of work run at once, and how many may wait, for work that anyone can cause. Slots go round robin over the
// keys, such as client networks, so that no key, and no number of pieces of one key, delays another for more than one round. No
// wait is without an end.

import type { Reason } from '@toolgate/contract/errors.ts';
import { createTurns } from '../engines/turns.ts';
import { refuse } from '../errors/errors.ts';

export type FairSlots = {
  /** Runs `work` when a slot is free. Refuses with 503 when too many wait, or when it has waited for too long. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How much work was started since the start. */
  started(): number;
};

export type FairSlotsOptions = {
  slots: number;
  max_waiting_of_key: number;
  /** Beyond this the newest of the longest queue is refused: a newcomer pushes out whoever waits with more than one. */
  max_waiting?: number;
  /** Calls `onTimeout` when a wait has to end. Returns a function that cancels it. */
  startWait: (onTimeout: () => void) => () => void;
  reason?: Reason;
  retry_after_seconds: number;
};

type Waiting = { start(): void; refuse(): void };

/** For `startWait`: the same time for everybody. */
export const waitAtMost = (ms: number) => (onTimeout: () => void) => {
  const timer = setTimeout(onTimeout, ms);
  return () => clearTimeout(timer);
};

export function createFairSlots(options: FairSlotsOptions): FairSlots {
  const { slots, max_waiting_of_key, max_waiting = Number.POSITIVE_INFINITY, startWait, reason } = options;
  const turns = createTurns<Waiting>();
  let running = 0;
  let started = 0;

  const busy = () =>
    refuse.serviceUnavailable({
      ...(reason && { details: { reason } }),
      headers: { 'retry-after': String(options.retry_after_seconds) },
    });

  function enqueue(key: string): Promise<void> {
    const length = turns.sizeOf(key);
    if (length >= max_waiting_of_key || (turns.size >= max_waiting && !makeRoom(length))) throw busy();
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => () => {
        cancel();
        then();
      };
      const entry: Waiting = { start: settle(resolve), refuse: settle(() => reject(busy())) };
      const cancel = startWait(() => {
        turns.remove(key, entry);
        entry.refuse();
      });
      turns.add(key, entry);
    });
  }

  /** Returns false if no other queue is longer than the one that wants to grow would be. */
  function makeRoom(length: number): boolean {
    let longest: [string, ReadonlySet<Waiting>] | undefined;
    for (const queue of turns.queues) if (queue[1].size > (longest?.[1].size ?? 0)) longest = queue;
    if (longest === undefined || longest[1].size <= length + 1) return false;
    const [key, entries] = longest;
    const newest = [...entries].at(-1) as Waiting;
    turns.remove(key, newest);
    newest.refuse();
    return true;
  }

  /** Passes the slot to the next key. */
  function release(): void {
    const next = turns.next();
    if (next) next.start();
    else running -= 1;
  }

  return {
    started: () => started,
    async run(key, work) {
      if (running < slots) running += 1;
      else await enqueue(key);
      started += 1;
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
