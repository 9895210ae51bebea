// The wait for a response of the database.

const LATE_TIMER_MS = 100;
const MORE_TIME_MS = 300;

/**
 * Calls `onTimeout` unless cancelled in time. A timer that fires late means that this process was blocked: the response may be
 * unread in the socket, so it gets a little more time. Not all of it: on a busy machine many timers are late, and requests wait.
 */
export function startResponseTimer(ms: number, onTimeout: () => void): { cancel(): void } {
  let due = performance.now() + ms;
  let timer = setTimeout(check, ms);
  function check(): void {
    const now = performance.now();
    if (now - due < LATE_TIMER_MS) onTimeout();
    else {
      const more_ms = Math.min(ms, MORE_TIME_MS);
      due = now + more_ms;
      timer = setTimeout(check, more_ms);
    }
  }
  return { cancel: () => clearTimeout(timer) };
}
