// The log: JSON lines on stdout. Errors are written by their kind, message and place only; a pg error's `detail` or a
// request's headers could hold a customer's data. What still looks like a secret is blotted out of the finished line.

import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

// Inside a JSON line a match must end before the quote that ends its string, or the line would no longer be JSON.
const SECRET =
  /svc_(?:live|test|mst|root)_[\w-]+|whsec_[\w+/=-]+|eyJ[\w-]{8,}[\w.-]*|-----BEGIN(?:[^"\\]|\\.)*|\b(?:[Bb]earer|BEARER)\s+[^\s"\\]+|postgres(?:ql)?:\/\/[^\s"\\]+/g;

const WRITE_BYTES = 4096;
const WRITE_EVERY_MS = 100;

export const blot = (text: string) => text.replace(SECRET, '[secret]');

export function createLog(level: Config['log_level']): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: blot },
    },
    linesTogether(),
  );
}

/** A write for each line would cost as much as the request it tells of. What is left is written when the process exits. */
function linesTogether() {
  const destination = pino.destination({ dest: 1, sync: false, minLength: WRITE_BYTES });
  setInterval(() => destination.flush(), WRITE_EVERY_MS).unref();
  return destination;
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name,
    ...(typeof code === 'string' ? { code } : {}),
    message,
    stack,
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
