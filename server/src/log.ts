// The log: JSON lines on stdout. Errors are written by their kind, message and place only; a pg error's `detail` or a
// request's headers could hold a customer's data. What still looks like a secret is blotted out of the finished line.

import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

// Inside a JSON line a match must end before the quote that ends its string, or the line would no longer be JSON.
const SECRET =
  /svc_(?:live|test|mst|root)_[\w-]+|whsec_[\w+/=-]+|eyJ[\w-]{8,}[\w.-]*|-----BEGIN(?:[^"\\]|\\.)*|\b(?:[Bb]earer|BEARER)\s+[^\s"\\]+|postgres(?:ql)?:\/\/[^\s"\\]+/g;

const WRITE_CHARACTERS = 65_536;
const WRITE_EVERY_MS = 100;

export const blot = (text: string) => text.replace(SECRET, '[secret]');

export function createLog(level: Config['log_level']): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${timeText()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: blot },
    },
    linesTogether(),
  );
}

/** A system call for each line would cost as much as the request it tells of; pino's own buffer costs half of that. */
function linesTogether() {
  let waiting = '';
  const flush = () => {
    if (waiting === '') return;
    process.stdout.write(waiting);
    waiting = '';
  };
  process.stdout.on('error', () => {}); // nobody reads the log any more; that must not end the service
  setInterval(flush, WRITE_EVERY_MS).unref();
  process.once('exit', flush);
  return {
    write(line: string): void {
      waiting += line;
      if (waiting.length > WRITE_CHARACTERS) flush();
    },
  };
}

export type RequestLine = {
  request_id: string;
  method: string;
  route: string | null;
  status: number;
  /** Of the refusal, if it was one. */
  code: string | null;
  duration_ms: number;
  project_id: string | null;
  caller: string | null;
};

/**
 * One line a request, put together by hand: pino takes a third of the time of a whole request for it. All values are our
 * own words, ids and numbers, so nothing needs escaping and nothing can be a secret.
 */
export function logRequest(log: Logger, line: RequestLine): void {
  const stream = (log as unknown as { [pino.symbols.streamSym]: { write(text: string): void } })[
    pino.symbols.streamSym
  ];
  stream.write(
    `{"level":"info","time":"${timeText()}","request_id":"${line.request_id}","method":"${line.method}",` +
      `"route":${quoted(line.route)},"status":${line.status},"code":${quoted(line.code)},"duration_ms":${line.duration_ms},` +
      `"project_id":${quoted(line.project_id)},"caller":${quoted(line.caller)},"msg":"request"}\n`,
  );
}

const quoted = (word: string | null) => (word === null ? 'null' : `"${word}"`);

let lastMs = 0;
let lastText = '';

/** Made once a millisecond, however many lines that has. */
function timeText(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
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
