// How many credentials are looked up in the database at once. Anybody can make up well-formed tokens, and each costs a
// query: a flood of them waits here, and never takes the connections that other requests need.

import { refuse } from '../errors.ts';

const SLOTS = 4;
const MOST_WAITING_PER_ADDRESS = 1000;

export type LookupSlots = {
  /** Runs `work` when a slot is free. Addresses take turns, so that one cannot keep another waiting for long. */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
};

export function createLookupSlots(slots = SLOTS): LookupSlots {
  /** By address, in the order of their next slot; none is empty. */
  const queues = new Map<string, (() => void)[]>();
  let running = 0;

  function wait(address: string): Promise<void> {
    const queue = queues.get(address) ?? [];
    if (queue.length >= MOST_WAITING_PER_ADDRESS) {
      throw refuse.serviceUnavailable({ headers: { 'retry-after': '1' } });
    }
    queues.set(address, queue);
    return new Promise((start) => queue.push(start));
  }

  /** The slot goes to the first in the queue of the next address, which then goes to the end. */
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
      else await wait(address);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
