// The log on stdout: pretty lines on a terminal, JSON lines otherwise. An error is logged by name, code, message, stack and cause
// only: a pg error's `detail` or a request's headers could hold a customer's data. Text that looks like a secret is redacted in
// the finished line.

import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { redactSecrets } from '../redaction/secret-patterns.ts';
import { prettyLine } from './pretty-line.ts';

const FLUSH_AFTER_MS = 100;
const FLUSH_AT_CHARACTERS = 65_536;
const MAX_UNREAD_BYTES = 4 * 2 ** 20;

export function createLog(level: Config['log_level'], format: Config['log_format'] = 'auto'): Logger {
  const is_pretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  const stdout = bufferedStdout();
  const log = pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      // Redacted before it is formatted: the colors and line breaks of a pretty line could split a secret.
      hooks: { streamWrite: is_pretty ? (line) => prettyLine(redactSecrets(line)) : redactSecrets },
    },
    stdout,
  );
  stdout.onDropped((dropped_lines) =>
    log.warn({ dropped_lines }, 'log lines were dropped because stdout was not read fast enough'),
  );
  return log;
}

/** ISO 8601, as `pino.stdTimeFunctions.isoTime` writes it. The lines of one millisecond share it: under load those are several. */
function createTimestamp(): () => string {
  let last = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) text = `,"time":"${new Date(now).toISOString()}"`;
    last = now;
    return text;
  };
}

/**
 * Writes the lines to stdout in batches: one system call for each line would cost as much as the request that it reports. Lines
 * that stdout does not take are dropped and counted once MAX_UNREAD_BYTES are queued. pino.destination() is not used: at exit it
 * waits for the reader, so a process whose stdout is not read would never end.
 */
function bufferedStdout() {
  const { stdout } = process;
  let lines = '';
  let dropped_lines = 0;
  let reportDropped = (_dropped_lines: number) => {};

  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines === '') return;
    stdout.write(lines);
    lines = '';
  }

  stdout.on('error', () => {}); // a reader that closed the pipe must not end the service
  stdout.on('drain', () => {
    if (dropped_lines === 0) return;
    const count = dropped_lines;
    dropped_lines = 0;
    reportDropped(count);
  });
  process.once('exit', flush);
  return {
    write(line: string): void {
      if (stdout.writableLength > MAX_UNREAD_BYTES) {
        dropped_lines += 1;
        return;
      }
      lines += line;
      if (lines.length >= FLUSH_AT_CHARACTERS) flush();
      // Only while there are lines: a timer that always runs wakes an idle process.
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    onDropped(report: (dropped_lines: number) => void): void {
      reportDropped = report;
    },
  };
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
