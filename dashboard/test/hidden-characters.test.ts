// Names may hold characters that nobody sees and that turn the text around them. No page shows one as it is.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, closePage, expectAccessible, startDashboard, waitForData } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const { api, server, owner, project_id } = dashboard;
/** Right-to-left override, zero-width space, a tag, a soft hyphen. */
const name = (what: string) => `${what}\u202Eeman\u200B\u{E0041}\u00AD`;
const base = `/projects/${project_id}`;

await api('PATCH', base, { name: name('project') });
const apiKey = await api('POST', `${base}/api-keys`, { name: name('key'), permissions: ['read'] });
const integration = await api('POST', `${base}/integrations`, {
  name: name('integration'),
  description: name('description'),
});
const key = await api('POST', `${base}/integrations/${integration.id}/api-keys`, {
  name: name('its key'),
  permissions: ['read'],
});
await api('POST', `${base}/oauth-providers`, {
  provider: 'google',
  name: name('provider'),
  client_id: 'client',
  client_secret: 'secret',
});
await api('POST', `${base}/oauth-clients`, {
  name: name('client'),
  redirect_uris: ['https://app.example.com/callback'],
});
const tool = await api('POST', '/custom-tools', {
  name: 'ping',
  title: name('title'),
  description: name('tool'),
  base_url: 'https://api.example.com',
  endpoint_path: '/ping',
  input_schema: { type: 'object' },
});
const webhook = await api('POST', `${base}/webhooks`, {
  url: 'https://hooks.example.com/',
  events: ['*'],
  description: name('webhook'),
});
const session = await server.api('POST', '/api/v1/mcp/session-token', {
  key: key.key,
  body: { member_external_id: name('member') },
});
assert.equal(session.status, 200, session.text);
const person = await makePerson(server, owner, 'admin');
await person.api('PATCH', '/account', { body: { name: name('person') } });
await owner.api('PATCH', '/organization', { body: { name: name('organization') } });

/** Everything that can be read: the text of the page, its title, and the attributes that browsers show. What was typed is not. */
const readable = `[
  document.title,
  document.body.innerText,
  ...[...document.querySelectorAll('option')].map(({ label }) => label),
  ...[...document.querySelectorAll('[title], [aria-label], [alt], [placeholder]')].flatMap((element) =>
    ['title', 'aria-label', 'alt', 'placeholder'].map((attribute) => element.getAttribute(attribute) ?? '')),
].join('\\n')`;

async function unmarked(page: Page): Promise<string[]> {
  const text: string = await page.evaluate(readable);
  return text.match(/.{0,30}[\u202E\u200B\u00AD\u{E0041}].{0,30}/gu) ?? [];
}

async function expectMarked(page: Page, where: string): Promise<void> {
  assert.deepEqual(await unmarked(page), [], where);
}

browserTest('every page marks invisible characters of names instead of showing them', async () => {
  const page = await dashboard.open(`${base}/api-keys`);
  await waitForData(page);
  await page.getByRole('link').filter({ hasText: 'keyU+202EemanU+200BU+E0041U+00AD' }).first().waitFor();
  await expectAccessible(page, 'the marks');
  const found: [path: string, text: string[]][] = [];
  for (const path of [
    '/',
    '/people',
    '/account',
    base,
    `${base}/api-keys`,
    `${base}/api-keys/${apiKey.id}`,
    `${base}/api-keys?dialog=create`,
    `${base}/integrations`,
    `${base}/integrations/${integration.id}`,
    `${base}/oauth`,
    `${base}/members`,
    `${base}/members/${session.body.member.id}`,
    `${base}/custom-tools`,
    `${base}/custom-tools/${tool.id}`,
    `${base}/webhooks`,
    `${base}/webhooks/${webhook.id}`,
    `${base}/analytics?group_by=api_key`,
    `${base}/logs`,
    `${base}/settings`,
    `${base}/audit-log`,
  ]) {
    await goTo(page, path);
    await waitForData(page);
    const text = await unmarked(page);
    if (text.length > 0) found.push([path, text]);
  }
  assert.deepEqual(found, []);
  await closePage(page);
});

browserTest('dialogs, menus, messages and the palette mark them too', async () => {
  const page = await dashboard.open(`${base}/api-keys`);
  await waitForData(page);
  const row = page.getByRole('row').filter({ hasText: apiKey.last4 });
  for (const action of ['Rotate', 'Revoke']) {
    await row.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
    await page.getByRole(action === 'Revoke' ? 'alertdialog' : 'dialog').waitFor();
    await expectMarked(page, action);
    await page.keyboard.press('Escape');
  }
  await row.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await page.getByText(/is inactive/).waitFor();
  await expectMarked(page, 'the toast');
  await page.getByRole('button', { name: 'Switch project' }).click();
  await page.getByRole('menuitem', { name: 'All projects' }).waitFor();
  await expectMarked(page, 'the switcher');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await expectMarked(page, 'the palette');
  await closePage(page);
});
