// When a batch that was not accepted is sent again: after a pause that doubles, and at least every 60 seconds.

/** From the start of an attempt to the start of the next; the worker looks for due jobs once a second. */
const MAX_INTERVAL_MS = 55_000;
const FIRST_PAUSE_MS = 1_000;

export function nextAttemptAt(attempt: {
  /** How many have failed in a row, this one included. */
  failures: number;
  began: number;
  ended: number;
  /** What the receiver asks for, in seconds; longer than allowed counts as allowed. */
  retry_after?: string | undefined;
}): number {
  const { failures, began, ended, retry_after } = attempt;
  const asked = /^\d{1,6}$/.test(retry_after ?? '') ? Number(retry_after) * 1_000 : 0;
  const pause = Math.max(asked, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
  return Math.max(ended + FIRST_PAUSE_MS, Math.min(ended + pause, began + MAX_INTERVAL_MS));
}
