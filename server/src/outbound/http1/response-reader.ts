// Reads the responses of one connection as their bytes arrive, without I/O. Strict (RFC 9112): a response that two parsers
// could read as different messages is refused, and its connection is not reused.

import { KEEP_ALIVE_MS, MalformedResponse, parseHead, type ResponseHead, TEXT, TOKEN } from './response-head.ts';

export interface ResponseReceiver {
  onHead(head: ResponseHead): void;
  /** A part of the body is in `bytes`, whose memory is reused after this returns. Positions, because a body may be a million parts. */
  onBody(bytes: Buffer, start: number, end: number): void;
}

const MAX_HEAD_BYTES = 16 * 1024;
const MAX_CHUNK_LINE_BYTES = 1024;
/**
 * The work budget of a response (docs/design/outgoing-requests.md), in units: a chunk costs one, a read from the connection
 * eight. So 2,000 reads or 16,000 chunks are free. Beyond that a read must bring 128 bytes of body on average, a chunk 16.
 */
const FREE_WORK = 16_000;
const WORK_PER_BODY_BYTE = 1 / 16;
const WORK_PER_READ = 8;
const WORK_PER_CHUNK = 1;

const CRLF = Buffer.from('\r\n');
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const EMPTY = Buffer.alloc(0);

const VERSION_PREFIX = 'HTTP/1.';
const QUOTED = '"(?:[\\t\\x20!\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*"';
const MAX_SIZE_DIGITS = 8;
const CHUNK_SIZE = /^[0-9A-Fa-f]{1,8}(?=;|$)/;
const CHUNK_EXTENSIONS = new RegExp(`^(?:;${TOKEN}(?:=(?:${TOKEN}|${QUOTED}))?)*$`);
/** A trailer may not repeat or contradict how the message is framed. */
const TRAILER = new RegExp(`^(?!content-length:|transfer-encoding:)${TOKEN}:${TEXT}$`, 'i');

type State =
  /** No response is expected: any byte is an error. */
  'idle' | 'head' | 'body' | 'body_until_close' | 'chunk_line' | 'chunk' | 'chunk_end' | 'trailer';

export class ResponseReader {
  /** How long the connection may be reused after this response; 0: not at all. */
  keep_alive_ms = KEEP_ALIVE_MS;
  #state: State = 'idle';
  #receiver: ResponseReceiver | null = null;
  #method = '';
  /** Its first `#partial_bytes` bytes are an incomplete head or line. */
  #partial: Buffer = EMPTY;
  #partial_bytes = 0;
  /** So many bytes of `#partial` contain no end mark and are not searched again. */
  #searched_bytes = 0;
  /** Total of heads (also 1xx), trailers and chunk extensions. */
  #head_bytes = 0;
  /** Remaining bytes of the body or of the chunk. */
  #bytes_left = 0;
  /** For the current response, so far. */
  body_bytes = 0;
  #work = 0;

  begin(method: string, receiver: ResponseReceiver): void {
    this.#state = 'head';
    this.#method = method;
    this.#receiver = receiver;
    this.#head_bytes = 0;
    this.body_bytes = 0;
    this.#work = 0;
  }

  /** Ends the response early; the receiver gets no more of it. */
  stop(): void {
    this.#state = 'idle';
    this.#receiver = null;
    this.#clearPartial();
  }

  /** Returns whether the response is complete. Throws a MalformedResponse. */
  read(received: Buffer): boolean {
    if (this.#isIdle()) throw new MalformedResponse('bytes without a request');
    this.#spend(WORK_PER_READ);
    const bytes = this.#partial_bytes === 0 ? received : this.#append(received);
    for (let at = 0; at < bytes.length; ) {
      const next = this.#step(bytes, at);
      if (next === null) {
        this.#keepPartial(bytes, at);
        return false;
      }
      at = next;
      this.#searched_bytes = 0;
      if (!this.#isIdle()) continue;
      // Bytes after the response must not become the start of the next one.
      if (at < bytes.length) this.keep_alive_ms = 0;
      const isComplete = this.#receiver !== null;
      this.stop();
      return isComplete;
    }
    this.#clearPartial();
    return false;
  }

  /** The other side closed the connection. Returns whether that completes the response. */
  close(): boolean {
    const isComplete = this.#state === 'body_until_close';
    this.keep_alive_ms = 0;
    this.stop();
    return isComplete;
  }

  /** Bounds the CPU time of one response: the other side chooses in how many pieces it arrives. */
  #spend(work: number): void {
    this.#work += work;
    if (this.#work > FREE_WORK + this.body_bytes * WORK_PER_BODY_BYTE)
      throw new MalformedResponse('too many small pieces');
  }

  /** The buffer doubles, so that a head in a thousand pieces is not copied a thousand times. */
  #append(received: Buffer): Buffer {
    const length = this.#partial_bytes + received.length;
    if (length > this.#partial.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#partial.length * 2));
      this.#partial.copy(larger, 0, 0, this.#partial_bytes);
      this.#partial = larger;
    }
    received.copy(this.#partial, this.#partial_bytes);
    return this.#partial.subarray(0, length);
  }

  #keepPartial(bytes: Buffer, at: number): void {
    const isInPlace = at === 0 && this.#partial_bytes > 0;
    if (!isInPlace) this.#partial = Buffer.from(bytes.subarray(at));
    this.#partial_bytes = bytes.length - at;
  }

  #clearPartial(): void {
    this.#partial = EMPTY;
    this.#partial_bytes = 0;
    this.#searched_bytes = 0;
  }

  #isIdle(): boolean {
    return this.#state === 'idle';
  }

  /** Reads from `at` on, within the current state. Returns the next position, or null if more bytes are needed. */
  #step(bytes: Buffer, at: number): number | null {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at);
      case 'body':
      case 'chunk':
        return this.#readBody(bytes, at);
      case 'body_until_close':
        this.#passBody(bytes, at, bytes.length);
        return bytes.length;
      case 'chunk_line':
        return this.#readChunkLine(bytes, at);
      case 'chunk_end':
        return this.#readChunkEnd(bytes, at);
      case 'trailer':
        return this.#readTrailer(bytes, at);
      case 'idle':
        return bytes.length;
    }
  }

  #readHead(bytes: Buffer, at: number): number | null {
    // Checked before the head is complete: a server of another protocol may wait for us while we wait for the head.
    if (!VERSION_PREFIX.startsWith(bytes.toString('latin1', at, at + VERSION_PREFIX.length)))
      throw new MalformedResponse('not HTTP/1.1');
    const end = this.#endOf(END_OF_HEAD, bytes, at);
    if (end === null) return null;
    const text = bytes.toString('latin1', at, end);
    this.#beginBody(parseHead(text));
    return end + END_OF_HEAD.length;
  }

  /** Returns where a head or a trailer line ends, or null if it is incomplete. Throws if all of them are too long. */
  #endOf(mark: Buffer, bytes: Buffer, at: number): number | null {
    const end = this.#find(mark, bytes, at);
    const length = (end === -1 ? bytes.length : end + mark.length) - at;
    if (this.#head_bytes + length > MAX_HEAD_BYTES) throw new MalformedResponse('the head is too long');
    if (end === -1) return null;
    this.#head_bytes += length;
    return end;
  }

  #find(mark: Buffer, bytes: Buffer, at: number): number {
    const end = bytes.indexOf(mark, at + this.#searched_bytes);
    // The last bytes may be the first part of the mark.
    this.#searched_bytes = end === -1 ? Math.max(0, bytes.length - at - mark.length + 1) : 0;
    return end;
  }

  #beginBody(head: ResponseHead): void {
    const { status, is_chunked, length, keep_alive_ms } = head;
    if (status < 200) {
      // An interim response has no body, and the final response follows. RFC 9110 8.6 and 9112 6.1 forbid it to say otherwise.
      if (is_chunked || length !== null) throw new MalformedResponse('an interim response with a body');
      if (keep_alive_ms === 0) throw new MalformedResponse('closes before its final response');
      return;
    }
    this.keep_alive_ms = keep_alive_ms;
    this.#state = this.#stateOfBody(status, is_chunked, length);
    this.#receiver?.onHead(head);
  }

  #stateOfBody(status: number, is_chunked: boolean, length: number | null): State {
    if (status === 204 || status === 304) return 'idle';
    if (this.#method === 'HEAD') {
      // The body that GET would get ends with the connection, so the server closes it.
      if (!is_chunked && length === null) this.keep_alive_ms = 0;
      return 'idle';
    }
    if (is_chunked) return 'chunk_line';
    if (length === null) return 'body_until_close';
    this.#bytes_left = length;
    return length === 0 ? 'idle' : 'body';
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#bytes_left);
    this.#bytes_left -= end - at;
    if (this.#bytes_left === 0) this.#state = this.#state === 'chunk' ? 'chunk_end' : 'idle';
    this.#passBody(bytes, at, end);
    return this.#state === 'chunk_end' ? (this.#readChunkEnd(bytes, end) ?? end) : end;
  }

  #readChunkEnd(bytes: Buffer, at: number): number | null {
    if (bytes.length < at + CRLF.length) return null;
    if (bytes[at] !== CRLF[0] || bytes[at + 1] !== CRLF[1])
      throw new MalformedResponse('no CRLF after the data of a chunk');
    this.#state = 'chunk_line';
    return at + CRLF.length;
  }

  #passBody(bytes: Buffer, start: number, end: number): void {
    this.body_bytes += end - start;
    this.#receiver?.onBody(bytes, start, end);
  }

  #readChunkLine(bytes: Buffer, at: number): number | null {
    const end_of_plain = this.#readPlainChunkLine(bytes, at);
    if (end_of_plain !== null) return end_of_plain;
    const end = this.#find(CRLF, bytes, at);
    const length = (end === -1 ? bytes.length : end + CRLF.length) - at;
    if (length > MAX_CHUNK_LINE_BYTES) throw new MalformedResponse('the line of a chunk is too long');
    if (end === -1) return null;
    const line = bytes.toString('latin1', at, end);
    const digits = CHUNK_SIZE.exec(line)?.[0];
    if (digits === undefined) throw new MalformedResponse('chunk size');
    if (digits.length < line.length) this.#skipExtensions(line.slice(digits.length));
    this.#beginChunk(Number.parseInt(digits, 16));
    return end + CRLF.length;
  }

  /**
   * A line that is complete and has nothing but digits, which is nearly every one, with the data that is there. No call of native code and no
   * new object: a response may have a thousand chunks of one byte in each read.
   */
  #readPlainChunkLine(bytes: Buffer, start: number): number | null {
    let size = 0;
    let at = start;
    for (; at < start + MAX_SIZE_DIGITS; at += 1) {
      const digit = hexDigit(bytes[at] ?? 0);
      if (digit === -1) break;
      size = size * 16 + digit;
    }
    if (at === start || bytes[at] !== CRLF[0] || bytes[at + 1] !== CRLF[1]) return null;
    this.#beginChunk(size);
    const begin = at + CRLF.length;
    return this.#state === 'chunk' && begin < bytes.length ? this.#readBody(bytes, begin) : begin;
  }

  #beginChunk(size: number): void {
    this.#spend(WORK_PER_CHUNK);
    this.#bytes_left = size;
    this.#state = size === 0 ? 'trailer' : 'chunk';
  }

  #skipExtensions(text: string): void {
    // Bounded: otherwise a body of one megabyte could take a gigabyte to read.
    this.#head_bytes += text.length;
    if (this.#head_bytes > MAX_HEAD_BYTES || !CHUNK_EXTENSIONS.test(text))
      throw new MalformedResponse('chunk extensions');
  }

  /** Trailers are validated and dropped; an empty line ends them. */
  #readTrailer(bytes: Buffer, at: number): number | null {
    const end = this.#endOf(CRLF, bytes, at);
    if (end === null) return null;
    if (end === at) this.#state = 'idle';
    else if (!TRAILER.test(bytes.toString('latin1', at, end))) throw new MalformedResponse('trailer');
    return end + CRLF.length;
  }
}

/** Returns -1 for any other character. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20; // lower case
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
