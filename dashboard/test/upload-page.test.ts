// The page where a person uploads the file that a call needs, in a real browser: with progress, without JavaScript, and on a phone.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import type { ToolCaller } from '../../server/src/access/caller.ts';
import { findFile } from '../../server/src/features/files/files/find.ts';
import { openUploadTicket } from '../../server/src/features/files/uploads/ticket.ts';
import { loadKeyCaller } from '../../server/src/features/projects/api-keys/verify.ts';
import { makeKey, makeProject, unique } from '../../server/test/support/make/make.ts';
import { makeScratchFolder } from '../../server/test/support/scratch-folder.ts';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';
import { browserTest, closePage, expectAccessible, expectNoOverflow, openPage } from './open-browser.ts';

const server = await startServer({ PORT: String(await freePort()) });
const { id } = await makeProject(server, { name: 'Shop' });
const { key } = await makeKey(server, id, ['read']);
const caller = (await loadKeyCaller(server.app, key)) as unknown as ToolCaller;

async function ask() {
  const call = {
    tool: { id: 'tool_1', name: 'send_quarterly_report_to_customer', definition_hash: 'a' },
    argument: 'report',
    arguments: { count: unique('call') },
  };
  const { url, file_id } = await openUploadTicket(server.app, caller, call);
  return { path: new URL(url).pathname, find: () => findFile(server.app, caller, file_id) };
}

const folder = makeScratchFolder('toolgate-upload-');
after(() => rmSync(folder, { recursive: true, force: true }));
const report = join(folder, 'report.pdf');

function choose(page: Page, size: number) {
  writeFileSync(report, Buffer.alloc(size, 'a'));
  return page.getByLabel('File', { exact: true }).setInputFiles(report);
}
const upload = (page: Page) => page.getByRole('button', { name: 'Upload' }).click();

browserTest('the page has no violation of axe and does not overflow: light and dark, wide and on a phone', async () => {
  const { path } = await ask();
  const page = await openPage(server, path);
  await page.getByRole('heading', { name: /^Upload a file for/ }).waitFor();
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1280, 320]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 700 });
      await expectAccessible(page, `${theme}, ${width} px`);
      await expectNoOverflow(page, `${theme}, ${width} px`);
    }
  await closePage(page);
});

browserTest('a file is uploaded without leaving the page, and what is too large is not sent', async () => {
  const { path, find } = await ask();
  const page = await openPage(server, path);
  const limit = (max: number) => page.evaluate(`document.querySelector('form').dataset.max = '${max}'`);
  await limit(2_000_000);
  await choose(page, 3_000_000);
  await upload(page);
  await page.getByText('This file is too large: at most 2 MB.').waitFor();
  assert.equal(await find(), undefined);
  await limit(25_000_000);
  await choose(page, 3_000_000);
  await upload(page);
  await page.getByRole('heading', { name: 'The file was uploaded' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
  await expectAccessible(page, 'uploaded');
  const file = await find();
  assert.deepEqual([file?.name, file?.size, file?.content_type], ['report.pdf', 3_000_000, 'application/pdf']);
  await closePage(page);
});

browserTest(
  'without JavaScript the page is a plain form: it uploads the file, and says what is wrong with it',
  async () => {
    const { path, find } = await ask();
    const page = await openPage(server, path, { has_scripts: false });
    await upload(page);
    await page.getByLabel('File', { exact: true }).and(page.locator(':invalid')).waitFor();
    await choose(page, 26_000_000);
    await upload(page);
    await page.getByRole('alert').getByText('This file is too large: at most 25 MB.').waitFor();
    assert.equal(await find(), undefined);
    await choose(page, 3_000_000);
    await upload(page);
    await page.getByRole('heading', { name: 'The file was uploaded' }).waitFor();
    const file = await find();
    assert.deepEqual([file?.name, file?.size, file?.content_type], ['report.pdf', 3_000_000, 'application/pdf']);
    await page.goto(server.url + path);
    await page.getByRole('heading', { name: 'The file was uploaded' }).waitFor();
    await closePage(page);
  },
);
