import { setTimeout as sleep } from 'node:timers/promises';

/** Thrown by a condition that can no longer become true. */
export class ConditionFailed extends Error {}

/** Polls until the condition holds. An error, such as a refused connection, counts as "not yet". */
export async function waitUntil(condition: () => Promise<boolean>, within_ms: number, what: string): Promise<void> {
  const deadline = performance.now() + within_ms;
  let lastError: unknown;
  while (performance.now() < deadline) {
    try {
      if (await condition()) return;
    } catch (error) {
      if (error instanceof ConditionFailed) throw error;
      lastError = error;
    }
    await sleep(20);
  }
  throw new Error(`not within ${within_ms} ms: ${what}`, { cause: lastError });
}
