// From an empty server to the first tool call, as a newcomer does it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after } from 'node:test';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { makeSetupLink } from '../../server/src/features/identity/accounts/setup-link.ts';
import { makeOwner, PASSWORD } from '../../server/test/support/make/make-accounts.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import {
  browserTest,
  closePage,
  expectAccessible,
  expectGone,
  openPage,
  startServerWithDashboard,
} from './open-browser.ts';

const customer = await startCustomer();
after(() => customer.close());

const step = (page: Page, title: string): Locator =>
  page.getByRole('list', { name: 'First steps' }).getByRole('listitem').filter({ hasText: title });
const openPageOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name }).click();

async function setUp(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Project name').fill('Acme shop');
  assert.equal(await page.evaluate('location.hash'), '', 'the token is not left in the address bar');
  await expectAccessible(page, 'the set-up');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}

/** The clients of "Connect a model", with the key, and links by which two of them take it themselves. */
async function expectSameClients(page: Page, secret: string): Promise<void> {
  const tabs = page.getByRole('dialog').getByRole('tab');
  const names = [
    'Claude Code',
    'Claude Desktop',
    'Cursor',
    'VS Code',
    'ChatGPT',
    'TypeScript',
    'Python',
    'cURL',
    'MCP',
  ];
  assert.deepEqual(await tabs.allInnerTexts(), names);
  await tabs.filter({ hasText: 'Cursor' }).click();
  const cursor = new URL((await page.getByRole('link', { name: 'Add to Cursor' }).getAttribute('href')) ?? '');
  assert.equal(cursor.protocol, 'cursor:');
  const config = JSON.parse(Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString());
  assert.equal(config.headers.Authorization, `Bearer ${secret}`);
  await tabs.filter({ hasText: 'VS Code' }).click();
  const code = (await page.getByRole('link', { name: 'Add to VS Code' }).getAttribute('href')) ?? '';
  const server = JSON.parse(decodeURIComponent(code.replace('vscode:mcp/install?', '')));
  assert.deepEqual([server.url, server.headers], [config.url, config.headers]);
  await tabs.filter({ hasText: 'ChatGPT' }).click();
  await page.getByText('needs a public HTTPS URL').waitFor();
}

async function createKey(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByLabel('Name').fill('Backend');
  await dialog.getByRole('checkbox', { name: 'write' }).check();
  await dialog.getByLabel('Expires').selectOption('In 30 days');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const field = page.getByLabel('Secret');
  await field.waitFor();
  const secret = await field.inputValue();
  assert.match(secret, /^svc_test_/);
  await expectAccessible(page, 'the secret');
  await expectSameClients(page, secret);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  assert.equal(await field.inputValue(), secret, 'neither Escape nor a click outside closes it');
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await field.waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'API keys' }).getByRole('link', { name: 'Backend' }).waitFor();
  await expectGone(page, secret);
  return secret;
}

/** The set-up ends with a key and a command to paste. Leaving the page does not lose it; "I have saved it" removes it. */
async function saveFirstKey(page: Page): Promise<string> {
  const field = page.getByLabel('Secret');
  const secret = await field.inputValue();
  assert.match(secret, /^svc_test_/);
  const command = await page.getByRole('region', { name: 'Claude Code' }).innerText();
  assert.match(command, /^claude mcp add /);
  assert.ok(command.includes(`Bearer ${secret}`), 'the command has the key');
  await expectAccessible(page, 'the first key');
  await openPageOf(page, 'Logs');
  await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
  await openPageOf(page, 'Overview');
  assert.equal(await field.inputValue(), secret);
  await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await field.waitFor({ state: 'detached' });
  await expectGone(page, secret);
  return secret;
}

/** The command of the tab "cURL", with the key, as a newcomer runs it. */
async function runSnippet(page: Page, key: string): Promise<any> {
  await page.getByRole('tab', { name: 'cURL' }).click();
  const command = await page.getByRole('region', { name: 'cURL' }).innerText();
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('YOUR_API_KEY', key)]);
  return JSON.parse(stdout);
}

browserTest(
  'set-up leads to the first tool call of a model, and every step is ticked when it has happened',
  async () => {
    const server = await startServerWithDashboard();
    const link = new URL((await makeSetupLink(server.app)) as string);
    const lost = await openPage(server, '/projects/prj_unknown/logs');
    await lost.getByRole('heading', { name: 'Set up toolgate', level: 1 }).waitFor();
    await lost.getByText('Open the link that the server printed').waitFor();
    await closePage(lost);

    const page = await openPage(server, link.pathname + link.hash);
    await setUp(page);
    const steps = page.getByRole('list', { name: 'First steps' });
    await steps.waitFor();
    await step(page, 'Create an API key').getByText('Done').waitFor();
    assert.equal(await steps.getByText('Done').count(), 1, 'only a step that has happened is done');
    const first = await saveFirstKey(page);
    assert.equal((await server.api('GET', '/custom-tools', { key: first })).status, 200);

    await steps.getByRole('link', { name: 'Create an API key' }).click();
    const key = await createKey(page);
    await openPageOf(page, 'Overview');

    await page.getByRole('button', { name: 'Load the sample shop' }).click();
    const tools = page.getByRole('table', { name: 'Custom tools' });
    await tools.getByRole('link', { name: 'find_products' }).waitFor();
    await openPageOf(page, 'Overview');
    await step(page, 'Create a tool').getByText('Done').waitFor();
    assert.equal(await steps.getByText('Done').count(), 2);

    const listed = await runSnippet(page, key);
    assert.ok(listed.result.tools.some(({ name }: { name: string }) => name === 'find_products'));
    await step(page, 'Connect a model').getByText('Done').waitFor();
    assert.equal(await steps.getByText('Done').count(), 3);

    const params = { name: 'find_products', arguments: { search: 'tea' } };
    const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params };
    const headers = { accept: 'application/json, text/event-stream' };
    const called = await server.api('POST', '/api/v1/mcp', { key, body, headers });
    assert.equal(called.body.result.isError ?? false, false, called.text);
    await step(page, 'Make the first call').getByText('Done').waitFor();
    await page.getByText('All done').waitFor();
    await page.getByRole('table', { name: 'Live calls' }).getByRole('link', { name: 'find_products' }).click();
    await page.getByRole('heading', { name: 'Logs', level: 1, includeHidden: true }).waitFor();
    await closePage(page);
  },
);

browserTest(
  'a tool of one’s own and a REST call tick their steps without a reload, and only MCP connects a model',
  async () => {
    const server = await startServerWithDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
    const owner = await makeOwner(server);
    const page = await openPage(server, `/projects/${owner.project.id}`, { as: owner });
    const steps = page.getByRole('list', { name: 'First steps' });
    await steps.waitFor();
    const headers = { 'x-project-id': owner.project.id };
    const keys = `/projects/${owner.project.id}/api-keys`;
    const { key } = (await owner.api('POST', keys, { body: { name: 'Backend', permissions: ['read', 'write'] } })).body;
    const tool = { name: 'ping', base_url: customer.url, endpoint_path: '/ping', input_schema: { type: 'object' } };
    assert.equal((await owner.api('POST', '/custom-tools', { headers, body: tool })).status, 201);
    customer.respond('/ping', { body: { pong: true } });
    const response = await server.api('POST', '/custom-tools/ping/execute', { key, body: { arguments: {} } });
    assert.equal(response.status, 200, response.text);
    await step(page, 'Make the first call').getByText('Done').waitFor();
    assert.equal(await steps.getByText('Done').count(), 3, 'no model has connected');
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    assert.equal((await server.api('POST', '/api/v1/mcp', { key, body })).status, 200);
    await page.getByText('All done').waitFor();
    assert.equal(await steps.getByText('Done').count(), 4);
    await closePage(page);
  },
);
