// The answers of Redis that are not here yet. When the oldest command is not answered in time, no request waits for an answer until
// it comes. When it does not come, the connection is lost.

/** A timer that fires so late means that this process was blocked: the response may be unread in the socket. */
const LATE_TIMER_MS = 8;
const READ_WITHIN_MS = 5;
/** A connection whose answer is so late is replaced. Until then commands are sent, so that Redis counts them. */
export const LOST_AFTER_MS = 460;

type Pending = { sent_at: number; resolve(answer: number[] | null): void };
type Listeners = { onAnswer: ((answer: number[]) => void) | undefined; onError(error: unknown): void };

/** The commands in progress, with one timer for the oldest of them: Redis answers in order. */
export function createAnswers(timeout_ms: number, onLost: () => void) {
  const pending = new Set<Pending>();
  let is_late = false;
  let timer: NodeJS.Timeout | undefined;

  function schedule(ms: number, is_last: boolean): void {
    const due = performance.now() + ms;
    timer = setTimeout(() => check(due, is_last), ms);
  }

  function check(due: number, is_last: boolean): void {
    timer = undefined;
    const [oldest] = pending;
    if (oldest === undefined) return;
    const now = performance.now();
    const left_ms = oldest.sent_at + timeout_ms + (is_late ? LOST_AFTER_MS : 0) - now;
    if (left_ms > 1) schedule(left_ms, false);
    else if (now - due > LATE_TIMER_MS && !is_last) schedule(READ_WITHIN_MS, true);
    else if (is_late) onLost();
    else {
      is_late = true;
      for (const { resolve } of pending) resolve(null);
      schedule(LOST_AFTER_MS, false);
    }
  }

  function settle(sent: Pending): void {
    pending.delete(sent);
    if (!is_late) return;
    const [next] = pending;
    is_late = next !== undefined && performance.now() - next.sent_at > timeout_ms;
  }

  return {
    add(answer: Promise<number[]>, { onAnswer, onError }: Listeners): Promise<number[] | null> {
      return new Promise((resolve) => {
        const sent: Pending = { sent_at: performance.now(), resolve };
        pending.add(sent);
        if (timer === undefined) schedule(timeout_ms, false);
        if (is_late) resolve(null);
        answer.then(
          (value) => {
            settle(sent);
            onAnswer?.(value);
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
    },
  };
}
