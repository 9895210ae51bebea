import assert from 'node:assert/strict';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const module = new URL('./priority.ts', import.meta.url);
const thread = (call: string) =>
  new Worker(
    `import(${JSON.stringify(module.href)}).then(({ yieldToMainThread }) => {
      ${call}
      require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority());
    });`,
    { eval: true, execArgv: [] },
  );

test('a thread runs after the main thread, whose priority does not change', {
  skip: process.platform !== 'linux',
}, async () => {
  const before = getPriority();
  const [lowered] = await once(thread('yieldToMainThread();'), 'message');
  assert.equal(lowered, Math.min(before + 10, 19));
  assert.equal(getPriority(), before);
  const [other] = await once(thread(''), 'message');
  assert.equal(other, before);
});

test('a thread whose process has the lowest priority already starts', {
  skip: process.platform !== 'linux',
}, async () => {
  const [lowered] = await once(thread('yieldToMainThread(); yieldToMainThread(); yieldToMainThread();'), 'message');
  assert.equal(lowered, 19);
});
