import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const module = JSON.stringify(join(import.meta.dirname, 'environment.ts'));

/** What a thread with this environment says of itself, in a process whose environment has a secret. */
function startThread(before: string) {
  const script = `${before}
    const { threadEnvironment } = await import(${module});
    const { Worker } = await import('node:worker_threads');
    const report = "const { getCompileCacheDir } = require('node:module'); const { parentPort } = require('node:worker_threads'); parentPort.postMessage({ environment: process.env, folder: getCompileCacheDir() })";
    new Worker(report, { eval: true, execArgv: [], env: threadEnvironment() }).on('message', (text) => console.log(JSON.stringify(text)));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { TOOLGATE_ROOT_KEY: 'secret' },
  });
  return JSON.parse(stdout) as { environment: Record<string, string>; folder?: string };
}

test('a thread uses the compile cache of its process, and gets none of its settings', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-cache-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const enable = `(await import('node:module')).enableCompileCache(${JSON.stringify(folder)});`;
  const { environment, folder: used } = startThread(enable);
  assert.deepEqual(Object.keys(environment), ['NODE_COMPILE_CACHE']);
  assert.ok(used?.startsWith(folder), used);
});

test('in a process without a compile cache the environment of a thread is empty', () => {
  assert.deepEqual(startThread(''), { environment: {} });
});
