// toolgate as a new user of the repository gets it: the first commands of the README in a clean clone, and what comes next.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { expectResponse } from '../../server/test/support/make/make.ts';
import { PASSWORD } from '../../server/test/support/make/make-accounts.ts';
import { splitPage } from '../../server/test/support/markdown.ts';
import { call } from '../../server/test/support/requests/call-api.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { makeUser, type Running } from './user.ts';

const user = makeUser({ is_empty: false });
const { blocks } = splitPage('README.md', user.read('README.md'));
let server: Running;

before(async () => {
  const [first] = blocks;
  assert.ok(first);
  // The packages of the lock file are checked by their hashes, wherever they come from.
  server = await user.start({ npm_config_prefer_offline: 'true' }, ['sh', '-c', first.text]);
});

test('the first block of the README starts toolgate in a clean clone', () => {
  assert.deepEqual([blocks[0]?.info, blocks[0]?.text], ['sh server', 'npm ci --omit=dev && npm start\n']);
  assert.ok(server.output().includes(`toolgate listens on ${server.url}\n`));
});

test('the first start builds the dashboard, and serves it with its script', async () => {
  const open = () => fetch(server.url, { headers: { accept: 'text/html' } });
  await waitUntil(async () => (await open()).status === 200, 300_000, 'the dashboard is built');
  const [, script = ''] = /<script type="module" [^>]*src="([^"]+)"/.exec(await (await open()).text()) ?? [];
  assert.equal((await fetch(server.url + script)).status, 200, script);
});

test('the link that it prints creates the first account', async () => {
  const [, token = ''] = /\/setup#token=(\S+)/.exec(server.output()) ?? [];
  const body = { token, name: 'Ada', email: 'ada@example.com', password: PASSWORD, project_name: 'Acme' };
  expectResponse(await call(server.url, 'POST', '/account/setup', { body }), 201);
});

test('the second block of the README makes the first call, with no other settings', () => {
  const commands = blocks.find(({ info }) => info === 'sh');
  assert.match(user.run('bash', '-ec', commands?.text ?? ''), /green tea/i);
});

test('npx toolgate is the command line of the clone, and finds nothing wrong', async () => {
  assert.match((await user.succeeds(['doctor'])).stdout, /^ok {4}service: toolgate is ready/m);
  assert.match((await user.succeeds(['start', '--help'])).stdout, /TOOLGATE_DATA_DIR/);
});

test('Ctrl-C ends the server and its PostgreSQL, and nothing in the clone has changed', async () => {
  await server.interrupt();
  assert.equal(user.hasPostgres(), false);
  assert.equal(user.run('git', 'status', '--porcelain'), '');
  server = await user.start();
  await server.interrupt();
});
