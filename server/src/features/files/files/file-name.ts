// The name of a file, made safe: no path, nothing that is not seen or that reverses the text, and short enough for every file system.

import { MAX_FILE_NAME_BYTES } from '@toolgate/contract/files/rules.ts';
import { withoutHidden } from '@toolgate/contract/hidden-characters.ts';

const NAMELESS = 'file';
/** Longer ones are no ending of a name. */
const MAX_ENDING_BYTES = 20;

export function safeFileName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  // Also the line breaks and tabs that a text may have.
  const visible = withoutHidden(last).replace(/[\p{Cc}\p{Bidi_Control}\ufffd]/gu, '');
  const trimmed = trim(visible);
  return trimmed === '' ? NAMELESS : shorten(trimmed);
}

/** Dots: `..` is a path, and Windows drops those at the end. */
const trim = (name: string) => name.replace(/^[\s.]+|[\s.]+$/gu, '');

/** The ending stays, because it says what the file is. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const ending = /\.[^.\s]+$/u.exec(name)?.[0] ?? '';
  const kept = Buffer.byteLength(ending) <= MAX_ENDING_BYTES ? ending : '';
  const start = startOf(name.slice(0, name.length - kept.length), MAX_FILE_NAME_BYTES - Buffer.byteLength(kept));
  return trim(trim(start) + kept);
}

/** Cut between two code points. */
function startOf(text: string, max_bytes: number): string {
  let bytes = 0;
  let start = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > max_bytes) break;
    start += character;
  }
  return start;
}
