// Reads the answers that come over one connection, as the bytes arrive. Strict (RFC 9112): what two readers could take for
// different messages is refused, and its connection is not used again. No I/O.

import type { AnswerHeaders } from './messages.ts';

export type AnswerHead = { status: number; headers: AnswerHeaders; content_encoding: string | undefined };

/** Who the answer is for. */
export interface Receiver {
  onHead(head: AnswerHead): void;
  /** `part` is only good until this returns. */
  onBody(part: Buffer): void;
}

/** Not an answer that HTTP/1.1 knows. */
export class BadAnswer extends Error {}

const LONGEST_HEAD = 16 * 1024;
const LONGEST_CHUNK_LINE = 1024;
/** A little below the 5 s of many servers, so that we close first. The server's own hint goes before it. */
const KEEP_ALIVE_MS = 4_000;
/** What a hint is shortened by, for the way there and back. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

const END_OF_LINE = Buffer.from('\r\n');
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

const START = 'HTTP/1.';
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const TEXT = '[\\t\\x20-\\x7e\\x80-\\xff]*';
const QUOTED = '"(?:[\\t\\x20!\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*"';
/** A status line, and fields of one line each: no folding, no blank before the colon, no bare CR or LF, no NUL. */
const HEAD = new RegExp(`^HTTP/1\\.[01] [1-9]\\d\\d(?: ${TEXT})?(?:\\r\\n${TOKEN}:${TEXT})*$`);
const LENGTH = /^\d{1,15}$/;
const CHUNK_SIZE = /^[0-9A-Fa-f]{1,8}(?=;|$)/;
const CHUNK_EXTENSIONS = new RegExp(`^(?:;${TOKEN}(?:=(?:${TOKEN}|${QUOTED}))?)*$`);
/** A length that comes behind the body is a second opinion on where it ended. */
const TRAILER = new RegExp(`^(?!content-length:|transfer-encoding:)${TOKEN}:${TEXT}$`, 'i');
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const KEEP_ALIVE_HINT = /(?:^|[\t ,;])timeout=(\d+)/i;

type Place =
  /** Between two answers: nothing may come. */
  'idle' | 'head' | 'body' | 'body_until_close' | 'chunk_line' | 'chunk' | 'chunk_end' | 'trailer';

export class AnswerReader {
  /** How long the connection may be used again after this answer; 0: not at all. */
  keep_alive_ms = KEEP_ALIVE_MS;
  #place: Place = 'idle';
  #receiver: Receiver | null = null;
  #method = '';
  /** The beginning of a head or line whose end has not come yet. */
  #begun: Buffer = NOTHING;
  /** Of heads, interim ones too, trailers, and what chunks say beside their size. */
  #head_bytes = 0;
  /** Of the body, or of the chunk. */
  #bytes_left = 0;

  begin(method: string, receiver: Receiver): void {
    this.#place = 'head';
    this.#method = method;
    this.#receiver = receiver;
    this.#head_bytes = 0;
  }

  /** Nobody wants the rest. */
  stop(): void {
    this.#place = 'idle';
    this.#receiver = null;
    this.#begun = NOTHING;
  }

  /** Answers whether the answer is now complete; throws a BadAnswer. */
  read(given: Buffer): boolean {
    let bytes = given;
    if (this.#begun.length > 0) {
      bytes = Buffer.concat([this.#begun, given]);
      this.#begun = NOTHING;
    }
    if (this.#isOver()) throw new BadAnswer('bytes nobody asked for');
    for (let at = 0; at < bytes.length; ) {
      const next = this.#step(bytes, at);
      if (next === null) {
        this.#begun = Buffer.from(bytes.subarray(at));
        return false;
      }
      at = next;
      if (!this.#isOver()) continue;
      // More than an answer: whatever it is, the next one must not begin with it.
      if (at < bytes.length) this.keep_alive_ms = 0;
      const isComplete = this.#receiver !== null;
      this.stop();
      return isComplete;
    }
    return false;
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
        this.#receiver?.onBody(bytes.subarray(at));
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
    if (!HEAD.test(text)) throw new BadAnswer('not the head of an HTTP/1.1 answer');
    const status = Number(text.slice(9, 12));
    if (status === 101) throw new BadAnswer('switches protocols unasked');
    this.#readFields(text, status);
    return end + END_OF_HEAD.length;
  }

  /** Where a head or a line of the trailer ends, unless all of them together are too long. */
  #endOf(mark: Buffer, bytes: Buffer, at: number): number | null {
    const end = bytes.indexOf(mark, at);
    const length = (end === -1 ? bytes.length : end + mark.length) - at;
    if (this.#head_bytes + length > LONGEST_HEAD) throw new BadAnswer('the head is too long');
    if (end === -1) return null;
    this.#head_bytes += length;
    return end;
  }

  #readFields(text: string, status: number): void {
    const headers: AnswerHeaders = {};
    const isCurrent = text.charCodeAt(7) === 0x31; // HTTP/1.1
    let content_encoding: string | undefined;
    let length: number | null = null;
    let isChunked = false;
    let keep_alive_ms = isCurrent ? KEEP_ALIVE_MS : 0;
    for (let line = text.indexOf('\r\n'); line !== -1; ) {
      const start = line + 2;
      const colon = text.indexOf(':', start);
      line = text.indexOf('\r\n', colon);
      const value = withoutBlanks(text, colon + 1, line === -1 ? text.length : line);
      switch (text.slice(start, colon).toLowerCase()) {
        case 'content-length':
          if (length !== null || !LENGTH.test(value)) throw new BadAnswer('content-length');
          length = Number(value);
          break;
        case 'transfer-encoding':
          if (isChunked || !isCurrent || value.toLowerCase() !== 'chunked') throw new BadAnswer('transfer-encoding');
          isChunked = true;
          break;
        case 'connection':
          if (CLOSE.test(value)) keep_alive_ms = 0;
          break;
        case 'keep-alive':
          if (keep_alive_ms > 0) keep_alive_ms = keepAliveHint(value) ?? keep_alive_ms;
          break;
        case 'content-encoding':
          content_encoding = content_encoding === undefined ? value : `${content_encoding}, ${value}`;
          break;
        // One by one: `headers[name]` would be looked up anew with each answer.
        case 'content-type':
          headers['content-type'] ??= value;
          break;
        case 'retry-after':
          headers['retry-after'] ??= value;
          break;
        case 'cache-control':
          headers['cache-control'] ??= value;
          break;
      }
    }
    if (isChunked && length !== null) throw new BadAnswer('content-length and transfer-encoding');
    if (status < 200) {
      // An interim answer has no body, and the final one follows.
      if (keep_alive_ms === 0) throw new BadAnswer('closes before its answer');
      return;
    }
    this.keep_alive_ms = keep_alive_ms;
    this.#place = this.#placeOfBody(status, isChunked, length);
    this.#receiver?.onHead({ status, headers, content_encoding });
  }

  #placeOfBody(status: number, isChunked: boolean, length: number | null): Place {
    if (this.#method === 'HEAD' || status === 204 || status === 304) return 'idle';
    if (isChunked) return 'chunk_line';
    if (length === null) return 'body_until_close';
    this.#bytes_left = length;
    return length === 0 ? 'idle' : 'body';
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#bytes_left);
    this.#bytes_left -= end - at;
    if (this.#bytes_left === 0) this.#place = this.#place === 'chunk' ? 'chunk_end' : 'idle';
    this.#receiver?.onBody(bytes.subarray(at, end));
    return end;
  }

  #readChunkLine(bytes: Buffer, at: number): number | null {
    const end = bytes.indexOf(END_OF_LINE, at);
    const length = (end === -1 ? bytes.length : end + END_OF_LINE.length) - at;
    if (length > LONGEST_CHUNK_LINE) throw new BadAnswer('the line of a chunk is too long');
    if (end === -1) return null;
    const line = bytes.toString('latin1', at, end);
    const digits = CHUNK_SIZE.exec(line)?.[0];
    if (digits === undefined) throw new BadAnswer('not the size of a chunk');
    if (digits.length < line.length) this.#passExtensions(line.slice(digits.length));
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

/** Only HTTP's two kinds of blank: trim() knows more, and then a length or an encoding would be one to us and none to others. */
function withoutBlanks(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (from < to && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function keepAliveHint(value: string): number | undefined {
  const seconds = KEEP_ALIVE_HINT.exec(value)?.[1];
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - KEEP_ALIVE_MARGIN_MS);
}
