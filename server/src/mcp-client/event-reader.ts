// Reads server-sent events from the parts of a response as they arrive (WHATWG HTML, 9.2.6).

import { TextDecoder } from 'node:util';

export type EventReader = {
  /** Throws a TypeError for what is not UTF-8. */
  read(part: Buffer): void;
  /** The stream has ended. What follows is another one, so an event that was not complete is dropped. */
  end(): void;
  /** The id of the last event that had one; null: none had. A stream that ended is resumed after it. */
  lastId(): string | null;
  /** How long to wait before resuming, if the server said so. */
  retryMs(): number | null;
};

const LINE_END = /\r\n|\n|\r/g;
/** What can be sent in a header when the stream is resumed. */
const SENDABLE_ID = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const MAX_ID_LENGTH = 1_024;
/** Joined while they arrive: to join half a million lines at the end would take too long. */
const LINES_AT_ONCE = 1_000;

const isSendable = (id: string) => id.length <= MAX_ID_LENGTH && SENDABLE_ID.test(id);

/** `onEvent` gets the data of each event that has any. */
export function createEventReader(onEvent: (data: string) => void): EventReader {
  let decoder: TextDecoder | null = null;
  /** Parts of the line that has not ended. A list, so that a long line is not copied with each part. */
  let line: string[] = [];
  let data: string[] = [];
  /** Earlier lines of the data, many in each. */
  let blocks: string[] = [];
  let last_id: string | null = null;
  let retry_ms: number | null = null;
  let is_after_return = false;

  function endLine(text: string): void {
    if (text === '') {
      const text_of_event = [...blocks, ...data].join('\n');
      // One without data only names the id to resume after.
      if (text_of_event !== '') onEvent(text_of_event);
      [blocks, data] = [[], []];
      return;
    }
    const colon = text.indexOf(':');
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') addData(value);
    else if (field === 'id' && !value.includes('\0')) last_id = isSendable(value) ? value : null;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retry_ms = Number(value);
  }

  function addData(value: string): void {
    data.push(value);
    if (data.length < LINES_AT_ONCE) return;
    blocks.push(data.join('\n'));
    data = [];
  }

  return {
    read(part) {
      decoder ??= new TextDecoder('utf-8', { fatal: true });
      let text = decoder.decode(part, { stream: true });
      if (text === '') return;
      // The two characters of one line end may arrive apart.
      if (is_after_return && text.startsWith('\n')) text = text.slice(1);
      is_after_return = text.endsWith('\r');
      let from = 0;
      for (const { 0: end, index } of text.matchAll(LINE_END)) {
        line.push(text.slice(from, index));
        endLine(line.join(''));
        line = [];
        from = index + end.length;
      }
      if (from < text.length) line.push(text.slice(from));
    },
    end() {
      decoder = null;
      line = [];
      [blocks, data] = [[], []];
      is_after_return = false;
    },
    lastId: () => last_id,
    retryMs: () => retry_ms,
  };
}
