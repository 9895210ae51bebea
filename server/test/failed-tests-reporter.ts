// A reporter of node's test runner: the name and place of each test that failed, and nothing else. run.ts prints it last, since the
// full report of a failure can be longer than what is kept of the output.

import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export default async function* failedTestsReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:fail' || data.todo || data.skip) continue;
    yield `${relative('.', data.file ?? '')}:${data.line ?? 0}  ${data.name}\n`;
  }
}
