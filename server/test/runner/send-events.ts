// A reporter of node's test runner that prints nothing: it sends what happens in a worker to run-files.ts.

import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export type SentEvent = {
  type: 'test:start' | 'test:pass' | 'test:fail' | 'test:diagnostic';
  name: string;
  /** 0 is the file itself. */
  nesting: number;
  file: string | undefined;
  line: number | undefined;
  column: number | undefined;
  message?: string;
  result?: {
    duration_ms: number;
    is_suite: boolean;
    skip: string | boolean | undefined;
    todo: string | boolean | undefined;
    /** As it is printed: most properties of an error do not pass from process to process. */
    error?: { text: string; failure_type: string };
  };
};

export default async function* sendEvents(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const sent = describe(event);
    if (sent) process.send?.(sent);
  }
  yield '';
}

function describe({ type, data }: TestEvent): SentEvent | null {
  switch (type) {
    case 'test:start':
      return { type, ...placeOf(data), name: data.name };
    case 'test:diagnostic':
      return { type, ...placeOf(data), name: '', message: data.message };
    case 'test:pass':
    case 'test:fail': {
      const { duration_ms, type: kind } = data.details;
      const result = { duration_ms, is_suite: kind === 'suite', skip: data.skip, todo: data.todo };
      const error = type === 'test:fail' ? { error: describeError(data.details.error) } : {};
      return { type, ...placeOf(data), name: data.name, result: { ...result, ...error } };
    }
    default:
      return null;
  }
}

type Place = { nesting: number; file?: string | undefined; line?: number | undefined; column?: number | undefined };

const placeOf = ({ nesting, file, line, column }: Place) => ({ nesting, file, line, column });

function describeError(error: Error): { text: string; failure_type: string } {
  const failure_type = 'failureType' in error ? String(error.failureType) : '';
  return { text: inspect(error.cause ?? error), failure_type };
}
