// Runs one command. Exit code 0: done, 1: failed, 2: wrong usage.

import { CommanderError } from '@commander-js/extra-typings';
import { ToolgateError } from '../../sdk/src/index.ts';
import type { Context } from './context.ts';
import { Failure, UsageError } from './failure.ts';
import { paint, say } from './output.ts';
import { createProgram } from './program.ts';
import { redact } from './redact.ts';
import { visibleName } from './visible.ts';

/** Resolves with the exit code. */
export async function run(context: Context): Promise<number> {
  try {
    await createProgram(context).parseAsync(context.args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    say(context, `${paint(context, 'red', 'error:', context.stderr)} ${redact(context, messageOf(error))}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ToolgateError) {
    const { code, requestId, details, docsUrl, remedy } = error;
    const field = typeof details.field === 'string' ? ` (field: ${details.field})` : '';
    const about = [code, requestId].filter((text) => text !== null).join(', ');
    const first = `${error.message}${field}${about ? ` [${about}]` : ''}`;
    const found = [...problemsOf(details), ...responseIn(details)];
    const lines = [first, ...found, ...[remedy, docsUrl].filter((line) => line !== null)];
    return lines.map(visibleName).join('\n');
  }
  if (!(error instanceof Error)) return String(error);
  // System errors name the file or the address in their message.
  if (error instanceof Failure || error instanceof UsageError || 'syscall' in error) return error.message;
  return error.stack ?? error.message;
}

/** Every field that is wrong, and why. */
function problemsOf({ problems }: ToolgateError['details']): string[] {
  if (!Array.isArray(problems)) return [];
  return (problems as { field: string; message: string }[]).map(({ field, message }) => `  ${field}: ${message}`);
}

const LONGEST_RESPONSE = 500;

/** What the API behind a tool responded to a failed call. */
function responseIn({ body }: ToolgateError['details']): string[] {
  if (typeof body !== 'string' || body.trim() === '') return [];
  const text = body.trim();
  return [`  ${text.length > LONGEST_RESPONSE ? `${text.slice(0, LONGEST_RESPONSE)}…` : text}`];
}
