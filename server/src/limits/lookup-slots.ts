// How many credentials are looked up in the database at once. Anyone can invent well-formed tokens, and each costs a query:
// a flood of them is queued here and does not use the connections that other requests need. The pages that anyone can open have
// slots of the same kind.

import { runPart } from '../database/deadline.ts';
import { neverResponded, newProgress, type RespondedAt, startWait, trackProgress } from '../database/queue-wait.ts';
import { createFairSlots } from './fair-slots.ts';

const SLOTS = 4;
const MAX_QUEUED_PER_ADDRESS = 1000;
const MAX_WAIT_MS = 10_000;

export type LookupSlots = {
  /** Runs `work` when a slot is free. Slots go round robin over the addresses, so that one cannot delay another for long. */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
};

export function createLookupSlots(slots = SLOTS, respondedAt: RespondedAt = neverResponded): LookupSlots {
  const progress = newProgress(respondedAt);
  const { run } = createFairSlots({
    slots,
    max_waiting_of_key: MAX_QUEUED_PER_ADDRESS,
    startWait: (onTimeout) => startWait(progress, MAX_WAIT_MS, onTimeout),
    retry_after_seconds: 1,
  });
  return { run: (address, work) => runPart(() => run(address, () => trackProgress(progress, work))) };
}
