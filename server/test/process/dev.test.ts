// npm run dev: the server restarts when a source file changes, on the same embedded PostgreSQL.

import assert from 'node:assert/strict';
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProcess } from '../support/servers/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const WITHIN_MS = 60_000;
const source = join(import.meta.dirname, '../../src/mcp/ping.ts');

test('"npm run dev" restarts on a change, and SIGTERM ends it without leaving PostgreSQL running', async () => {
  const server = await startProcess({}, undefined, ['npm', 'run', 'dev']);
  const countStarts = () => server.output().split('toolgate listens on').length - 1;
  assert.equal(countStarts(), 1);
  const now = new Date();
  utimesSync(source, now, now);
  await waitUntil(async () => countStarts() === 2, WITHIN_MS, 'it has restarted');
  await waitUntil(async () => (await server.api('GET', '/readyz')).status === 200, WITHIN_MS, 'it is ready again');
  await server.stop();
  assert.ok(!existsSync(join(server.data_dir, 'postgres', 'postmaster.pid')), 'PostgreSQL was left running');
  await assert.rejects(server.api('GET', '/readyz'), 'the server still listens');
});
