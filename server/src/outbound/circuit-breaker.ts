// Opens after several failed connection attempts in a row; then lets one probe through at a time, at growing intervals.
// Only failures to connect count: a path that hangs, resets or returns 500 says nothing about the other paths of its origin.

import type { ConnectionFailure } from './messages.ts';

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;

export class CircuitBreaker {
  #failures = 0;
  #pause = FIRST_PAUSE_MS;
  #open_until = 0;
  #probing = false;
  /** From the last connection attempt that failed. */
  failure: ConnectionFailure | undefined;

  /** Returns whether a call may connect now. After its pause, an open circuit lets a single probe through. */
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

  failedToConnect(now: number, failure?: ConnectionFailure): void {
    this.failure = failure;
    // Calls that were running when the circuit opened must not extend the pause.
    if (this.#failures >= FAILURES_TO_OPEN && !this.#probing) return;
    this.#probing = false;
    this.#failures += 1;
    if (this.#failures < FAILURES_TO_OPEN) return;
    this.#open_until = now + this.#pause;
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE_MS);
  }

  /** The probe ended before it was known whether the origin is reachable: the next call may probe. */
  probeInconclusive(): void {
    this.#probing = false;
  }
}
