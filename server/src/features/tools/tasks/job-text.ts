// What the API says about a job, for people and models: on one line, short, and without secrets.

import { compileRule } from '../../../shaping/compile.ts';
import type { Redact } from '../../../shaping/detectors.ts';
import { visible } from '../approvals/message.ts';

const MAX_MESSAGE_LENGTH = 200;
const MAX_ERROR_LENGTH = 500;
const MAX_READ = 64 * 1024;

const redactTokens = compileRule({ redact: ['@token'] }).redact as Redact;

/** `redact`: that of the tool's `response`. Null if nothing is said. */
export const messageOf = (said: unknown, redact: Redact | null) => shownText(said, redact, MAX_MESSAGE_LENGTH);
export const errorTextOf = (said: unknown, redact: Redact | null) => shownText(said, redact, MAX_ERROR_LENGTH);

function shownText(said: unknown, redact: Redact | null, most: number): string | null {
  if (said === undefined || said === null) return null;
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  // A secret that is cut is not recognized: what is redacted is longer than what is shown.
  const beginning = text.slice(0, MAX_READ);
  const is_cut = beginning.length < text.length;
  const redacted = redactTokens(redact === null ? beginning : redact(beginning, is_cut), is_cut);
  const shown = visible(redacted.toWellFormed());
  return shown.length > most ? `${shown.slice(0, most - 1).toWellFormed()}…` : shown;
}
