// What a run prints: the tests of each file together, as node's test runner prints them, then every failure again, and the counts.

import { spec } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { SentEvent } from './send-events.ts';
import type { FileEvent } from './worker-process.ts';

export type Report = {
  open(file: string): { add(event: FileEvent): void; close(): void };
  /** Prints every failure again, and the counts. Returns the number of failures. */
  end(): Promise<number>;
};

/** `is_live`: prints at once. Only for a single file: the lines of several would mix. */
export function openReport({ is_live }: { is_live: boolean }): Report {
  const began = performance.now();
  const reporter = new spec();
  reporter.pipe(process.stdout);
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  let failures = 0;

  function print(file: string, event: FileEvent): void {
    if ('message' in event && event.type !== 'test:diagnostic')
      return void reporter.write({ type: event.type, data: { file, message: event.message } });
    const sent = event as SentEvent;
    const error = sent.result?.error;
    // The file itself is no test, unless it cannot be loaded or one of its hooks fails.
    if (sent.nesting === 0 && (!error || error.failure_type === 'subtestsFailed')) return;
    count(counts, sent);
    if (error && !sent.result?.todo) failures += 1;
    reporter.write(toTestEvent(sent));
  }

  return {
    open(file) {
      const kept: FileEvent[] = [];
      return {
        add: (event) => (is_live ? print(file, event) : void kept.push(event)),
        close() {
          for (const event of kept) print(file, event);
        },
      };
    },
    async end() {
      const lines = Object.entries({ ...counts, duration_ms: performance.now() - began });
      for (const [name, number] of lines)
        reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${number}`, level: 'info' } });
      const printed = new Promise((done) => reporter.on('end', done));
      reporter.end();
      await printed;
      return failures;
    },
  };
}

function count(
  counts: Record<'tests' | 'suites' | 'pass' | 'fail' | 'cancelled' | 'skipped' | 'todo', number>,
  sent: SentEvent,
): void {
  if (!sent.result) return;
  const { is_suite, skip, todo, error } = sent.result;
  counts[is_suite ? 'suites' : 'tests'] += 1;
  if (is_suite) return;
  if (skip !== undefined) counts.skipped += 1;
  else if (todo !== undefined) counts.todo += 1;
  else if (error?.failure_type === 'cancelledByParent') counts.cancelled += 1;
  else if (error) counts.fail += 1;
  else counts.pass += 1;
}

/** As the reporters of node's test runner expect it. */
function toTestEvent({ type, message, result, nesting, ...place }: SentEvent) {
  const data = { ...place, nesting: Math.max(0, nesting - 1), testNumber: 1 };
  if (type === 'test:diagnostic') return { type, data: { ...data, message, level: 'info' } };
  if (!result) return { type, data };
  const { duration_ms, is_suite, skip, todo, error } = result;
  const details = { duration_ms, type: is_suite ? 'suite' : 'test', ...(error && { error: toError(error) }) };
  return { type, data: { ...data, details, ...(skip !== undefined && { skip }), ...(todo !== undefined && { todo }) } };
}

const toError = ({ text, failure_type }: { text: string; failure_type: string }) =>
  Object.assign(new Error('test failed', { cause: { [inspect.custom]: () => text } }), {
    code: 'ERR_TEST_FAILURE',
    failureType: failure_type,
  });
