// How many passwords are checked at once, and how many may wait. A check costs some 30 ms and 19 MiB.

import { createFairSlots, type FairSlots, waitAtMost } from './fair-slots.ts';

/** Longer than anyone waits for a page. */
const MAX_WAIT_MS = 10_000;

export type PasswordChecks = FairSlots;

export function createPasswordChecks(): PasswordChecks {
  return createFairSlots({
    slots: 2,
    max_waiting_of_key: 50,
    max_waiting: 2000,
    startWait: waitAtMost(MAX_WAIT_MS),
    reason: 'too_many_password_checks',
    retry_after_seconds: 2,
  });
}
