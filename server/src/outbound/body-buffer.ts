// The body of a response while it arrives, up to a limit.

import { freeMemory } from './free-memory.ts';

const EMPTY = Buffer.alloc(0);
/** A call of native code takes longer than copying so few bytes. */
const SHORT = 32;

export class BodyBuffer {
  readonly #max_bytes: number;
  /** The first `#size` bytes of it have been received. */
  #buffer: Buffer = EMPTY;
  #size = 0;

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes;
  }

  /** Adds a part of `bytes`. Returns false if it did not fit: the rest of it is left out. */
  add(bytes: Buffer, start = 0, end = bytes.length): boolean {
    const size = Math.min(this.#size + end - start, this.#max_bytes);
    if (size > this.#buffer.length) {
      // The buffer doubles, so that a body in a million parts is not copied a million times.
      const larger = Buffer.allocUnsafe(Math.min(Math.max(size, this.#buffer.length * 2), this.#max_bytes));
      this.#buffer.copy(larger, 0, 0, this.#size);
      freeMemory(this.#buffer);
      this.#buffer = larger;
    }
    const fits = this.#size + end - start === size;
    if (end - start > SHORT) bytes.copy(this.#buffer, this.#size, start, end);
    else for (let i = 0; this.#size + i < size; i += 1) this.#buffer[this.#size + i] = bytes[start + i] as number;
    this.#size = size;
    return fits;
  }

  /** Whether so many more bytes fit. */
  hasRoomFor(bytes: number): boolean {
    return this.#size + bytes <= this.#max_bytes;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }
}
