// Text that a client sent, for an error: shortened, valid Unicode, and never a secret.

import { mayHoldSecret } from '../redaction/secret-patterns.ts';

const MAX_SHOWN_LENGTH = 128;

/** A name that the client chose, for an error. */
export function showName(name: string): string {
  return showText(name) ?? '[secret]';
}

/** Returns undefined for text that may be a secret. */
export function showText(text: string): string | undefined {
  return mayHoldSecret(text) ? undefined : text.slice(0, MAX_SHOWN_LENGTH).toWellFormed();
}
