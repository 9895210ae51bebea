// The log: JSON lines on stdout. Errors are written by their kind, message and place only; a pg error's `detail` or a
// request's headers could hold a customer's data. What still looks like a secret is blotted out.

import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

const SECRET =
  /svc_(?:live|test|mst|root)_[\w-]+|whsec_[\w+/=-]+|eyJ[\w-]{8,}[\w.-]*|-----BEGIN[\s\S]*?-----END[^-]*-----|Bearer\s+\S+/g;

export const blot = (text: string) => text.replace(SECRET, '[secret]');

export function createLog(level: Config['log_level']): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  });
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: blot(String(error)) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name,
    ...(typeof code === 'string' ? { code } : {}),
    message: blot(message),
    stack: blot(stack ?? ''),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
