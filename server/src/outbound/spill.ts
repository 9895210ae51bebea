// A body that is longer than memory may take: its receiver gets it while it arrives, decoded.

import { PassThrough, type Transform } from 'node:stream';
import { createDecoder, type Encoding } from './decode.ts';
import { type ReceiveBody, SendError } from './messages.ts';

const BUFFERED_BYTES = 256 * 1024;

export class Spill {
  readonly #stream: Transform;
  /** The connection waits for room. */
  #resume: (() => void) | undefined;

  /** `onEnd`: null, or why it was not received. */
  constructor(receive: ReceiveBody, encoding: Encoding | undefined, onEnd: (error: Error | null) => void) {
    this.#stream = encoding ? createDecoder(encoding) : new PassThrough({ highWaterMark: BUFFERED_BYTES });
    this.#stream.on('drain', () => this.#resumeNow());
    let undecodable: Error | undefined;
    // The receiver learns it from the iterator, if it is still reading.
    this.#stream.on('error', (error) => {
      undecodable = error;
    });
    receive(this.#stream as AsyncIterable<Buffer>).then(
      () => onEnd(null),
      (error: Error) => onEnd(error === undecodable ? toSendError(error) : error),
    );
  }

  /** The memory of `bytes` may be reused after this returns. */
  add(bytes: Buffer): void {
    if (!this.#stream.destroyed) this.#stream.write(Buffer.from(bytes));
  }

  end(): void {
    this.#stream.end();
    this.#resumeNow();
  }

  whenRoom(resume: () => void): void {
    this.#resume = resume;
    if (!this.#stream.writableNeedDrain) this.#resumeNow();
  }

  /** Also when nothing more follows, and so no `drain`: the connection is used for other exchanges. */
  #resumeNow(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  /** There is no more of the body. It has no effect if all of it was received. */
  stop(): void {
    this.#stream.destroy(new Error('the body is not complete'));
    this.#resumeNow();
  }
}

const toSendError = ({ message }: Error) =>
  new SendError('connection', `undecodable body: ${message}`, 'malformed_response');
