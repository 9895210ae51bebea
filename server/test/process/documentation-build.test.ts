// The first page of the documentation that is asked for in a fresh clone starts its build, and says so until it is there.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserTest, closePage, expectAccessible, openPage } from '../../../dashboard/test/open-browser.ts';
import { cloneFolder, startClone } from '../support/clone-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const BUILD_WITHIN_MS = 180_000;
/** What its pages are made from, and what they link to. */
const FOLDERS = ['bench', 'cli', 'contract', 'dashboard', 'deploy', 'docs', 'examples', 'faults', 'site', 'vectors'];
const FILES = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'compose.yaml'];

const clone = cloneFolder([...FOLDERS, ...FILES, 'sdk', 'server/test', '.ci']);
// Builds wait for this file, so that a build is never done before the page is asked for.
const permission = join(clone, 'build-may-start');
const build = join(clone, 'site/generate/site.ts');
writeFileSync(
  build,
  `${readFileSync(build, 'utf8')}
import { existsSync } from 'node:fs';
while (!existsSync(${JSON.stringify(permission)})) await new Promise((done) => setTimeout(done, 50));
`,
);
const server = await startClone(clone, {});
const get = (path: string) => fetch(server.url + path, { redirect: 'manual' });

test('while it is built, its pages say so, and the API and other pages respond', async () => {
  for (const path of ['/docs', '/docs/guides/toolsets', '/llms.txt']) {
    const waiting = await get(path);
    assert.equal(waiting.status, 503);
    assert.ok(Number(waiting.headers.get('retry-after')) > 0);
    assert.match(await waiting.text(), /The documentation is being built/);
  }
  assert.equal((await get('/api/v1/openapi.json')).status, 200);
  const isLogged = async () => server.output().includes('building the documentation');
  await waitUntil(isLogged, 10_000, 'the build is in the log');
});

browserTest('the page that was asked for opens by itself when it is built', async () => {
  const page = await openPage(server, '/docs/guides/toolsets');
  await page.getByRole('heading', { name: 'The documentation is being built' }).waitFor();
  await expectAccessible(page, 'the page that waits');
  writeFileSync(permission, '');
  await page.getByRole('heading', { level: 1, name: /toolsets/i }).waitFor({ timeout: BUILD_WITHIN_MS });
  await closePage(page);
});

test('when it is built, its pages are served', async () => {
  writeFileSync(permission, '');
  await waitUntil(async () => (await get('/docs')).status === 200, BUILD_WITHIN_MS, 'the documentation is there');
  await server.stop('SIGTERM');
});

test('a build that fails is a page that says so, and is not tried again', async () => {
  writeFileSync(build, "throw new Error('no');");
  const failing = await startClone(clone, {});
  const status = async () => (await fetch(`${failing.url}/docs`)).headers.get('retry-after');
  await waitUntil(async () => (await status()) === null, BUILD_WITHIN_MS, 'it has failed');
  for (const _ of [1, 2]) {
    const failed = await fetch(`${failing.url}/docs`);
    assert.equal(failed.status, 503);
    assert.match(await failed.text(), /The documentation could not be built/);
  }
  const isLogged = async () => failing.output().includes('the documentation is not available');
  await waitUntil(isLogged, 10_000, 'the failure is in the log');
  assert.equal(failing.output().split('building the documentation').length, 2);
  await failing.stop('SIGTERM');
});
