// The log: JSON lines on stdout. Errors are written by their kind, message and place only; a pg error's `detail` or a
// request's headers could hold a customer's data. What still looks like a secret is blotted out of the finished line.

import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

// Inside a JSON line a match must end before the quote that ends its string, or the line would no longer be JSON.
const SECRET =
  /svc_(?:live|test|mst|root)_[\w-]+|whsec_[\w+/=-]+|eyJ[\w-]{8,}[\w.-]*|-----BEGIN(?:[^"\\]|\\.)*|\b(?:[Bb]earer|BEARER)\s+[^\s"\\]+|postgres(?:ql)?:\/\/[^\s"\\]+/g;

const WAITING_BYTES = 65_536;
/** UTF-8 of a character of JavaScript. */
const MOST_BYTES = 3;
const WRITE_EVERY_MS = 100;

export const redactSecrets = (text: string) => text.replace(SECRET, '[secret]');

export function createLog(level: Config['log_level']): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${timeText()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: redactSecrets },
    },
    bufferedStdout(),
  );
}

/**
 * A system call for each line would cost as much as the request it tells of; pino's own buffer costs half of that. The
 * lines wait as bytes: as strings, the garbage collector would carry each of them around.
 */
function bufferedStdout() {
  const waiting = Buffer.allocUnsafeSlow(WAITING_BYTES);
  let used = 0;
  const flush = () => {
    if (used === 0) return;
    // A copy: what stdout cannot write at once it keeps, and the next lines come into the same place.
    process.stdout.write(Buffer.from(waiting.subarray(0, used)));
    used = 0;
  };
  process.stdout.on('error', () => {}); // nobody reads the log any more; that must not end the service
  setInterval(flush, WRITE_EVERY_MS).unref();
  process.once('exit', flush);
  return {
    write(line: string): void {
      const most = line.length * MOST_BYTES;
      if (most > waiting.length - used) flush();
      if (most > waiting.length) process.stdout.write(line);
      else used += waiting.write(line, used);
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
      `"route":${quoted(line.route)},"status":${line.status},"code":${quoted(line.code)},"duration_ms":${millisecondsText(line.duration_ms)},` +
      `"project_id":${quoted(line.project_id)},"caller":${quoted(line.caller)},"msg":"request"}\n`,
  );
}

/** To three places. What JavaScript makes of a fraction costs more than the rest of the line. */
function millisecondsText(duration_ms: number): string {
  const microseconds = Math.round(duration_ms * 1000);
  return `${Math.floor(microseconds / 1000)}.${String(microseconds % 1000).padStart(3, '0')}`;
}

const quoted = (word: string | null) => (word === null ? 'null' : `"${word}"`);

let lastMs = 0;
let lastText = '';
let lastSecond = 0;
let secondText = '';

/** Made once a millisecond, however many lines that has; all but the milliseconds, once a second. */
function timeText(): string {
  const now = Date.now();
  if (now === lastMs) return lastText;
  const ms = now % 1000;
  if (now - ms !== lastSecond) {
    lastSecond = now - ms;
    secondText = new Date(now).toISOString().slice(0, -'000Z'.length);
  }
  lastMs = now;
  lastText = `${secondText}${String(ms).padStart(3, '0')}Z`;
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
