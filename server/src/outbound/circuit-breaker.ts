// Stops knocking at a door nobody opens: after a few failed connects in a row, one try at a time, at growing intervals.
// Only failures to connect count. A path that hangs, resets or answers 500 says nothing about the other paths of its origin.

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

export class CircuitBreaker {
  #failures = 0;
  #pause = FIRST_PAUSE_MS;
  #open_until = 0;
  #probing = false;

  /** May a call try to connect now? An open circuit lets a single probe through once its pause is over. */
  admits(now: number): boolean {
    if (this.#failures < FAILURES_TO_OPEN) return true;
    if (this.#probing || now < this.#open_until) return false;
    this.#probing = true;
    return true;
  }

  isOpen(now: number): boolean {
    return this.#failures >= FAILURES_TO_OPEN && now < this.#open_until;
  }

  connected(): void {
    this.#failures = 0;
    this.#pause = FIRST_PAUSE_MS;
    this.#probing = false;
  }

  failedToConnect(now: number): void {
    // Calls that were under way when the circuit opened must not lengthen the pause.
    if (this.#failures >= FAILURES_TO_OPEN && !this.#probing) return;
    this.#probing = false;
    this.#failures += 1;
    if (this.#failures < FAILURES_TO_OPEN) return;
    this.#open_until = now + this.#pause;
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  /** The call ended before it was known whether anybody is there: the next one may probe. */
  probeInconclusive(): void {
    this.#probing = false;
  }
}
