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

  /** When the answer is late, or lost if it is late already. */
  const dueAt = ({ sent_at }: Pending) => sent_at + timeout_ms + (is_late ? LOST_AFTER_MS : 0);

  function startTimer(due: number, is_last = false): void {
    clearTimeout(timer);
    timer = setTimeout(() => check(due, is_last), due - performance.now());
  }

  /** The timer may fire too early, when older commands were answered, but never too late. */
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
    // The timer waits for a lost answer, but requests wait again.
    if (!is_late) watchOldest();
  }

  return {
    add(answer: Promise<number[]>, { onAnswer, onError }: Listeners): Promise<number[] | null> {
      return new Promise((resolve) => {
        const sent: Pending = { sent_at: performance.now(), resolve };
        pending.add(sent);
        if (timer === undefined) watchOldest();
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
      watchOldest();
    },
  };
}
