// Reads the answers that come over one connection, as the bytes arrive. Strict (RFC 9112): what two readers could take for
// different messages is refused, and its connection is not used again. No I/O.

import { type AnswerHead, BadAnswer, KEEP_ALIVE_MS, parseHead, TEXT, TOKEN } from './answer-head.ts';

/** Who the answer is for. */
export interface Receiver {
  onHead(head: AnswerHead): void;
  /** `part` is only good until this returns. */
  onBody(part: Buffer): void;
}

const LONGEST_HEAD = 16 * 1024;
const LONGEST_CHUNK_LINE = 1024;
/**
 * What an answer may cost to read, in units of some 0.4 µs: a chunk takes one, a read from the connection eight. So 2,000
 * reads or 16,000 chunks are free, and beyond that a read must bring 128 bytes of the body on average, and a chunk 16.
 */
const FREE_WORK = 16_000;
const WORK_PER_BYTE = 1 / 16;
const WORK_OF_READ = 8;
const WORK_OF_CHUNK = 1;

const END_OF_LINE = Buffer.from('\r\n');
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

const START = 'HTTP/1.';
const QUOTED = '"(?:[\\t\\x20!\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*"';
const CHUNK_SIZE = /^[0-9A-Fa-f]{1,8}(?=;|$)/;
const CHUNK_EXTENSIONS = new RegExp(`^(?:;${TOKEN}(?:=(?:${TOKEN}|${QUOTED}))?)*$`);
/** A length that comes behind the body is a second opinion on where it ended. */
const TRAILER = new RegExp(`^(?!content-length:|transfer-encoding:)${TOKEN}:${TEXT}$`, 'i');

type Place =
  /** Between two answers: nothing may come. */
  'idle' | 'head' | 'body' | 'body_until_close' | 'chunk_line' | 'chunk' | 'chunk_end' | 'trailer';

export class AnswerReader {
  /** How long the connection may be used again after this answer; 0: not at all. */
  keep_alive_ms = KEEP_ALIVE_MS;
  #place: Place = 'idle';
  #receiver: Receiver | null = null;
  #method = '';
  /** Its first `#begun_bytes` are the beginning of a head or line whose end has not come yet. */
  #begun: Buffer = NOTHING;
  #begun_bytes = 0;
  /** Of a head or line that begins where `#begun` does: so many bytes hold no end, and are not searched again. */
  #searched_bytes = 0;
  /** Of heads, interim ones too, trailers, and what chunks say beside their size. */
  #head_bytes = 0;
  /** Of the body, or of the chunk. */
  #bytes_left = 0;
  #body_bytes = 0;
  #work = 0;

  begin(method: string, receiver: Receiver): void {
    this.#place = 'head';
    this.#method = method;
    this.#receiver = receiver;
    this.#head_bytes = 0;
    this.#body_bytes = 0;
    this.#work = 0;
  }

  /** Nobody wants the rest. */
  stop(): void {
    this.#place = 'idle';
    this.#receiver = null;
    this.#dropBegun();
  }

  /** Answers whether the answer is now complete; throws a BadAnswer. */
  read(given: Buffer): boolean {
    if (this.#isOver()) throw new BadAnswer('bytes nobody asked for');
    this.#spend(WORK_OF_READ);
    const bytes = this.#begun_bytes === 0 ? given : this.#append(given);
    for (let at = 0; at < bytes.length; ) {
      const next = this.#step(bytes, at);
      if (next === null) {
        this.#keepBegun(bytes, at);
        return false;
      }
      at = next;
      this.#searched_bytes = 0;
      if (!this.#isOver()) continue;
      // More than an answer: whatever it is, the next one must not begin with it.
      if (at < bytes.length) this.keep_alive_ms = 0;
      const isComplete = this.#receiver !== null;
      this.stop();
      return isComplete;
    }
    this.#dropBegun();
    return false;
  }

  /** The other side decides in how many pieces its answer comes. */
  #spend(work: number): void {
    this.#work += work;
    if (this.#work > FREE_WORK + this.#body_bytes * WORK_PER_BYTE)
      throw new BadAnswer('comes in too many small pieces');
  }

  /** Twice as large each time, so that a head in a thousand pieces is not copied a thousand times. */
  #append(given: Buffer): Buffer {
    const length = this.#begun_bytes + given.length;
    if (length > this.#begun.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#begun.length * 2));
      this.#begun.copy(larger, 0, 0, this.#begun_bytes);
      this.#begun = larger;
    }
    given.copy(this.#begun, this.#begun_bytes);
    return this.#begun.subarray(0, length);
  }

  #keepBegun(bytes: Buffer, at: number): void {
    const isInPlace = at === 0 && this.#begun_bytes > 0;
    if (!isInPlace) this.#begun = Buffer.from(bytes.subarray(at));
    this.#begun_bytes = bytes.length - at;
  }

  #dropBegun(): void {
    this.#begun = NOTHING;
    this.#begun_bytes = 0;
    this.#searched_bytes = 0;
  }

  #isOver(): boolean {
    return this.#place === 'idle';
  }

  /** The other side has closed the connection; answers whether that completes the answer. */
  close(): boolean {
    const isComplete = this.#place === 'body_until_close';
    this.keep_alive_ms = 0;
    this.stop();
    return isComplete;
  }

  /** From `at` on, as far as this place goes: where to go on, or null where that takes more bytes. */
  #step(bytes: Buffer, at: number): number | null {
    switch (this.#place) {
      case 'head':
        return this.#readHead(bytes, at);
      case 'body':
      case 'chunk':
        return this.#readBody(bytes, at);
      case 'body_until_close':
        this.#passBody(bytes.subarray(at));
        return bytes.length;
      case 'chunk_line':
        return this.#readChunkLine(bytes, at);
      case 'chunk_end':
        if (bytes.length < at + 2) return null;
        if (bytes.readUInt16BE(at) !== 0x0d0a) throw new BadAnswer('a chunk does not end where it should');
        this.#place = 'chunk_line';
        return at + 2;
      case 'trailer':
        return this.#readTrailer(bytes, at);
      case 'idle':
        return bytes.length;
    }
  }

  #readHead(bytes: Buffer, at: number): number | null {
    // Somebody who speaks another protocol may wait for us, as we would for the end of the head.
    if (!START.startsWith(bytes.toString('latin1', at, at + START.length))) throw new BadAnswer('not HTTP/1.1');
    const end = this.#endOf(END_OF_HEAD, bytes, at);
    if (end === null) return null;
    const text = bytes.toString('latin1', at, end);
    this.#beginBody(parseHead(text));
    return end + END_OF_HEAD.length;
  }

  /** Where a head or a line of the trailer ends, unless all of them together are too long. */
  #endOf(mark: Buffer, bytes: Buffer, at: number): number | null {
    const end = this.#find(mark, bytes, at);
    const length = (end === -1 ? bytes.length : end + mark.length) - at;
    if (this.#head_bytes + length > LONGEST_HEAD) throw new BadAnswer('the head is too long');
    if (end === -1) return null;
    this.#head_bytes += length;
    return end;
  }

  #find(mark: Buffer, bytes: Buffer, at: number): number {
    const end = bytes.indexOf(mark, at + this.#searched_bytes);
    // The mark itself may be cut in two.
    this.#searched_bytes = end === -1 ? Math.max(0, bytes.length - at - mark.length + 1) : 0;
    return end;
  }

  #beginBody(head: AnswerHead): void {
    const { status, is_chunked, length, keep_alive_ms } = head;
    if (status < 200) {
      // An interim answer has no body, and the final one follows.
      if (keep_alive_ms === 0) throw new BadAnswer('closes before its answer');
      return;
    }
    this.keep_alive_ms = keep_alive_ms;
    this.#place = this.#placeOfBody(status, is_chunked, length);
    this.#receiver?.onHead(head);
  }

  #placeOfBody(status: number, is_chunked: boolean, length: number | null): Place {
    if (this.#method === 'HEAD' || status === 204 || status === 304) return 'idle';
    if (is_chunked) return 'chunk_line';
    if (length === null) return 'body_until_close';
    this.#bytes_left = length;
    return length === 0 ? 'idle' : 'body';
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#bytes_left);
    this.#bytes_left -= end - at;
    if (this.#bytes_left === 0) this.#place = this.#place === 'chunk' ? 'chunk_end' : 'idle';
    this.#passBody(bytes.subarray(at, end));
    return end;
  }

  #passBody(part: Buffer): void {
    this.#body_bytes += part.length;
    this.#receiver?.onBody(part);
  }

  #readChunkLine(bytes: Buffer, at: number): number | null {
    const end = this.#find(END_OF_LINE, bytes, at);
    const length = (end === -1 ? bytes.length : end + END_OF_LINE.length) - at;
    if (length > LONGEST_CHUNK_LINE) throw new BadAnswer('the line of a chunk is too long');
    if (end === -1) return null;
    const line = bytes.toString('latin1', at, end);
    const digits = CHUNK_SIZE.exec(line)?.[0];
    if (digits === undefined) throw new BadAnswer('not the size of a chunk');
    if (digits.length < line.length) this.#passExtensions(line.slice(digits.length));
    this.#spend(WORK_OF_CHUNK);
    this.#bytes_left = Number.parseInt(digits, 16);
    this.#place = this.#bytes_left === 0 ? 'trailer' : 'chunk';
    return end + END_OF_LINE.length;
  }

  #passExtensions(text: string): void {
    // Without a bound, a body of a megabyte could take a gigabyte to read.
    this.#head_bytes += text.length;
    if (this.#head_bytes > LONGEST_HEAD || !CHUNK_EXTENSIONS.test(text)) throw new BadAnswer('chunk extensions');
  }

  /** Nothing in a trailer is for us; an empty line ends it. */
  #readTrailer(bytes: Buffer, at: number): number | null {
    const end = this.#endOf(END_OF_LINE, bytes, at);
    if (end === null) return null;
    if (end === at) this.#place = 'idle';
    else if (!TRAILER.test(bytes.toString('latin1', at, end))) throw new BadAnswer('not a field of a trailer');
    return end + END_OF_LINE.length;
  }
}
