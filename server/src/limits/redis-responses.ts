// The responses of Redis that are not here yet. When the oldest command has no response in time, no request waits for a response until
// it comes. When it does not come, the connection is lost.

/** A timer that fires so late means that this process was blocked: the response may be unread in the socket. */
const LATE_TIMER_MS = 8;
const READ_WITHIN_MS = 5;
/** A connection whose response is so late is replaced. Until then commands are sent, so that Redis counts them. */
export const LOST_AFTER_MS = 460;

type Pending = { sent_at: number; resolve(response: number[] | null): void };
type Listeners = { onResponse: ((response: number[]) => void) | undefined; onError(error: unknown): void };

/** The commands in progress, with one timer for the oldest of them: Redis responds in order. */
export function createResponses(timeout_ms: number, onLost: () => void) {
  const pending = new Set<Pending>();
  let is_late = false;
  let timer: NodeJS.Timeout | undefined;

  /** When the response is late, or lost if it is late already. */
  const dueAt = ({ sent_at }: Pending) => sent_at + timeout_ms + (is_late ? LOST_AFTER_MS : 0);

  function startTimer(due: number, is_last = false): void {
    clearTimeout(timer);
    timer = setTimeout(() => check(due, is_last), due - performance.now());
  }

  /** The timer may fire too early, when older commands had their response, but never too late. */
  function watchOldest(): void {
    clearTimeout(timer);
    timer = undefined;
    const [oldest] = pending;
    if (oldest !== undefined) startTimer(dueAt(oldest));
  }

  function check(due: number, is_last: boolean): void {
    const [oldest] = pending;
    const now = performance.now();
    if (oldest === undefined || dueAt(oldest) - now > 1) watchOldest();
    else if (now - due > LATE_TIMER_MS && !is_last) startTimer(now + READ_WITHIN_MS, true);
    else if (is_late) onLost();
    else {
      is_late = true;
      for (const { resolve } of pending) resolve(null);
      startTimer(now + LOST_AFTER_MS);
    }
  }

  function settle(sent: Pending): void {
    pending.delete(sent);
    if (!is_late) return;
    const [next] = pending;
    is_late = next !== undefined && performance.now() - next.sent_at > timeout_ms;
    // The timer waits for a lost response, but requests wait again.
    if (!is_late) watchOldest();
  }

  return {
    add(response: Promise<number[]>, { onResponse, onError }: Listeners): Promise<number[] | null> {
      return new Promise((resolve) => {
        const sent: Pending = { sent_at: performance.now(), resolve };
        pending.add(sent);
        if (timer === undefined) watchOldest();
        if (is_late) resolve(null);
        response.then(
          (value) => {
            settle(sent);
            onResponse?.(value);
            resolve(value);
          },
          (error: unknown) => {
            // After the end of the connection nothing is pending: it was reported.
            if (pending.has(sent)) onError(error);
            resolve(null);
          },
        );
      });
    },
    failAll(): void {
      for (const { resolve } of pending) resolve(null);
      pending.clear();
      is_late = false;
      watchOldest();
    },
  };
}
