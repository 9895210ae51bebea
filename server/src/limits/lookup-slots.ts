// How many credentials are looked up in the database at once. Anyone can invent well-formed tokens, and each costs a query:
// a flood of them is queued here and does not use the connections that other requests need.

import { refuse } from '../errors.ts';

const SLOTS = 4;
const MAX_QUEUED_PER_ADDRESS = 1000;

export type LookupSlots = {
  /** Runs `work` when a slot is free. Slots go round robin over the addresses, so that one cannot delay another for long. */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
};

export function createLookupSlots(slots = SLOTS): LookupSlots {
  /** By address, in the order in which they get the next slot. No queue is empty. */
  const queues = new Map<string, (() => void)[]>();
  let running = 0;

  function enqueue(address: string): Promise<void> {
    const queue = queues.get(address) ?? [];
    if (queue.length >= MAX_QUEUED_PER_ADDRESS) {
      throw refuse.serviceUnavailable({ headers: { 'retry-after': '1' } });
    }
    queues.set(address, queue);
    return new Promise((start) => queue.push(start));
  }

  /** Passes the slot to the next address, which then moves to the end. */
  function release(): void {
    const [next] = queues;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [address, queue] = next;
    const start = queue.shift();
    queues.delete(address);
    if (queue.length > 0) queues.set(address, queue);
    start?.();
  }

  return {
    async run(address, work) {
      if (running < slots) running += 1;
      else await enqueue(address);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
