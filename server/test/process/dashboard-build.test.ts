// The first start of a fresh clone builds the dashboard in a process of its own; the next one does not.

import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserTest, closePage, expectAccessible, openPage } from '../../../dashboard/test/open-browser.ts';
import { cloneFolder, startClone } from '../support/clone-folder.ts';
import { makeDataDir } from '../support/servers/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';

/** On a busy machine the build takes longer than on a quiet one. */
const BUILD_WITHIN_MS = 180_000;

const clone = cloneFolder(['dashboard']);
// Builds wait for this file, so that a build is never done before the API on a busy machine.
const permission = join(clone, 'build-may-start');
appendFileSync(
  join(clone, 'dashboard/vite.config.ts'),
  `import { existsSync } from 'node:fs';
while (!existsSync(${JSON.stringify(permission)})) await new Promise((done) => setTimeout(done, 50));
`,
);
const data_dir = makeDataDir();
const start = () => startClone(clone, { TOOLGATE_DASHBOARD: 'on' }, data_dir);
const navigation = { headers: { accept: 'text/html' } };

const server = await start();

test('the API answers before the dashboard is built, and the page says so meanwhile', async () => {
  const waiting = await fetch(server.url, navigation);
  assert.equal(waiting.status, 503);
  assert.ok(Number(waiting.headers.get('retry-after')) > 0);
  assert.match(await waiting.text(), /<noscript><meta http-equiv="refresh"/);
  assert.equal((await fetch(`${server.url}/api/v1/openapi.json`)).status, 200);
  assert.equal((await fetch(`${server.url}/nothing`, navigation)).status, 404);
  assert.match(server.output(), /building the dashboard/);
});

browserTest('the set-up link that is opened during the build leads to the set-up by itself', async () => {
  const [link = ''] = /http\S+\/setup#token=\S+/.exec(server.output()) ?? [];
  const { pathname, hash } = new URL(link);
  const page = await openPage(server, pathname + hash);
  await page.getByRole('heading', { name: 'The dashboard is being built' }).waitFor();
  await expectAccessible(page, 'the page that waits');
  writeFileSync(permission, '');
  await page.getByLabel('Your name').waitFor({ timeout: BUILD_WITHIN_MS });
  await closePage(page);
});

test('the dashboard is served when it is built', async () => {
  writeFileSync(permission, '');
  await waitUntil(
    async () => (await fetch(server.url, navigation)).status === 200,
    BUILD_WITHIN_MS,
    'the page is there',
  );
  const isLogged = async () => /the dashboard is built/.test(server.output());
  await waitUntil(isLogged, BUILD_WITHIN_MS, 'the build is in the log');
  await server.stop('SIGTERM');
});

test('a later start does not build, and a changed source is built again', async () => {
  const again = await start();
  await waitUntil(
    async () => (await fetch(again.url, navigation)).status === 200,
    BUILD_WITHIN_MS,
    'the page is there',
  );
  assert.doesNotMatch(again.output(), /building the dashboard/);
  await again.stop('SIGTERM');

  const before = readFileSync(join(clone, 'dashboard/dist/current'), 'utf8');
  // Less to build: what it holds does not matter here.
  writeFileSync(join(clone, 'dashboard/src/app/main.tsx'), '');
  const changed = await start();
  await waitUntil(
    async () => (await fetch(changed.url, navigation)).status === 200,
    BUILD_WITHIN_MS,
    'the page is there',
  );
  assert.match(changed.output(), /building the dashboard/);
  assert.notEqual(readFileSync(join(clone, 'dashboard/dist/current'), 'utf8'), before);
  assert.ok(!existsSync(join(clone, 'dashboard/dist', before)), 'the old build is removed');
  await changed.stop('SIGTERM');
});
