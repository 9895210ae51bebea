// The body of a response while it arrives, up to a limit.

import { freeMemory } from './free-memory.ts';

const EMPTY = Buffer.alloc(0);

export class BodyBuffer {
  readonly #max_bytes: number;
  /** The first `#size` bytes of it have been received. */
  #buffer: Buffer = EMPTY;
  #size = 0;

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes;
  }

  /** Returns false if the part did not fit: the rest of it is left out. */
  add(part: Buffer): boolean {
    const size = Math.min(this.#size + part.length, this.#max_bytes);
    if (size > this.#buffer.length) {
      // The buffer doubles, so that a body in a million parts is not copied a million times.
      const larger = Buffer.allocUnsafe(Math.min(Math.max(size, this.#buffer.length * 2), this.#max_bytes));
      this.#buffer.copy(larger, 0, 0, this.#size);
      freeMemory(this.#buffer);
      this.#buffer = larger;
    }
    const fits = this.#size + part.length === size;
    part.copy(this.#buffer, this.#size, 0, size - this.#size);
    this.#size = size;
    return fits;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }
}
