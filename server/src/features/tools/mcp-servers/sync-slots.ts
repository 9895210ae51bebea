// How many syncs run at the same time: one of a server, two of a fairness key. The others wait in their order.

import { busy } from '../../../errors/errors.ts';
import { waitAtMost } from '../../../limits/fair-slots.ts';

const MAX_PER_KEY = 2;
const MAX_IN_ALL = 20;
const MAX_WAITING_OF_KEY = 20;
/** Somebody may wait for the response. */
const MAX_WAIT_MS = 30_000;

export type Slot = { fairness_key: string; server_id: string };

export type SyncSlots = {
  /** Refuses with 503 when too many wait, or after it has waited for too long. */
  run<T>(slot: Slot, work: () => Promise<T>): Promise<T>;
};

const ofKey = (slots: Iterable<Slot>, { fairness_key }: Slot) =>
  [...slots].filter((other) => other.fairness_key === fairness_key);

export function createSyncSlots(): SyncSlots {
  const running = new Set<Slot>();
  let waiting: { slot: Slot; start(): void }[] = [];

  function isFree(slot: Slot): boolean {
    const same = ofKey(running, slot);
    return (
      running.size < MAX_IN_ALL &&
      same.length < MAX_PER_KEY &&
      same.every(({ server_id }) => server_id !== slot.server_id)
    );
  }

  async function waitFor(slot: Slot): Promise<void> {
    const waitingSlots = waiting.map((each) => each.slot);
    if (ofKey(waitingSlots, slot).length >= MAX_WAITING_OF_KEY) throw busy();
    await new Promise<void>((resolve, reject) => {
      const cancel = waitAtMost(MAX_WAIT_MS)(() => {
        waiting = waiting.filter((each) => each.slot !== slot);
        reject(busy());
      });
      const start = () => {
        cancel();
        running.add(slot);
        resolve();
      };
      waiting.push({ slot, start });
    });
  }

  function startNext(): void {
    const next = waiting.find(({ slot }) => isFree(slot));
    if (!next) return;
    waiting = waiting.filter((each) => each !== next);
    next.start();
  }

  return {
    async run(slot, work) {
      if (isFree(slot)) running.add(slot);
      else await waitFor(slot);
      try {
        return await work();
      } finally {
        running.delete(slot);
        startNext();
      }
    },
  };
}
