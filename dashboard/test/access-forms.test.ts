// API keys, integrations, OAuth and assertion keys: what their forms do, what the API refuses in them, and pages that cannot be read.

import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { makeSigner } from '../../server/test/support/make/sign-assertion.ts';
import { addAccessSamples } from './access-samples.ts';
import { browserTest, chooseAction, closePage, expectAccessible, startDashboard } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const DAY_MS = 86_400_000;

const dashboard = await startDashboard({ TOOLGATE_AUDIT_DAYS: '731' });
const { api, server } = dashboard;
const project = `/projects/${dashboard.project_id}`;
const { integration, member } = await addAccessSamples(dashboard);
const expires_at = new Date(server.app.now() + 5 * DAY_MS).toISOString();
const key = await api('POST', `${project}/api-keys`, { name: 'Expires soon', permissions: ['read'], expires_at });

/** What a screen reader reads after the name of the field. */
async function descriptionOf(field: Locator): Promise<string> {
  const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const texts = await Promise.all(ids.map((id) => field.page().locator(`[id="${id}"]`).textContent()));
  return texts.join(' ');
}

browserTest('a refused field has the words of the API tied to it', async () => {
  const page = await dashboard.open(`${project}/assertion-keys?dialog=create`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Public key').fill(makeSigner('ES384').pem);
  await dialog.getByLabel('Key ID').fill('backend-2026');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').getByText(/req_/).waitFor();
  assert.match(await descriptionOf(dialog.getByLabel('Key ID')), /kid already exists for this project/);

  await goTo(page, `${project}/oauth?dialog=client`);
  await dialog.getByLabel('Name').fill('Bad');
  await dialog.getByLabel('Redirect URIs').fill('http://shop.example.com/callback');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByRole('alert').getByText(/req_/).waitFor();
  assert.match(await descriptionOf(dialog.getByLabel('Redirect URIs')), /https/i);

  await goTo(page, `${project}/oauth?dialog=create&provider=oidc`);
  await dialog.getByLabel('Issuer').fill('http://login.example.com');
  await dialog.getByLabel('Client ID').fill('id');
  await dialog.getByLabel('Client secret').fill('secret');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').getByText(/req_/).waitFor();
  assert.match(await descriptionOf(dialog.getByLabel('Issuer')), /https/i);
  assert.equal(await dialog.getByLabel('Issuer').getAttribute('aria-invalid'), 'true');
  await closePage(page);
});

browserTest('the callback URL that is shown before a provider is added is its callback URL', async () => {
  const page = await dashboard.open(`${project}/oauth?dialog=create&provider=github`);
  const dialog = page.getByRole('dialog', { name: 'Add provider' });
  const shown = await dialog.getByRole('region', { name: 'callback URL' }).innerText();
  await dialog.getByLabel('Client ID').fill('Ov23liBefore');
  await dialog.getByLabel('Client secret').fill('a-very-secret-text');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page
    .getByRole('dialog', { name: /Set up/ })
    .getByText(shown)
    .waitFor();
  const { data } = await api('GET', `${project}/oauth-providers`);
  assert.equal(data[0].callback_url, shown.trim());
  await closePage(page);
});

browserTest('a secret is kept unless it is replaced, and a failed test is said in the list', async () => {
  const failed = { check: 'discovery', outcome: 'failed', reason: 'timeout', remedy: 'Check that the provider is up.' };
  const page = await dashboard.open(`${project}/oauth`);
  await chooseAction(page, 'Google', 'Edit');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/set .+ · replace/).waitFor();
  await dialog.getByRole('button', { name: 'replace' }).click();
  assert.equal(await page.evaluate('document.activeElement.name'), 'client_secret');
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'PATCH'),
    dialog.getByRole('button', { name: 'Save' }).click(),
  ]);
  assert.equal('client_secret' in request.postDataJSON(), false);
  await dialog.waitFor({ state: 'detached' });
  await page.route(/oauth-providers\/\w+\/test$/, (route) =>
    route.fulfill({ json: { object: 'oauth_provider_report', provider_id: 'x', passed: false, checks: [failed] } }),
  );
  await chooseAction(page, 'Google', 'Set up');
  await dialog.getByRole('button', { name: 'Test provider' }).click();
  await dialog.getByRole('list', { name: 'Checks' }).getByText('Check that the provider is up.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: 'Google' }).getByText('Last test failed: Its configuration').waitFor();
  await closePage(page);
});

browserTest('a file that is dropped becomes the public key, and a deactivated key ID is used again', async () => {
  const { pem } = makeSigner('Ed25519');
  const page = await dashboard.open(`${project}/assertion-keys`);
  await chooseAction(page, 'backend-2025-', 'Reuse the key ID');
  const dialog = page.getByRole('dialog', { name: 'Add assertion key' });
  assert.match(await dialog.getByLabel('Key ID').inputValue(), /^backend-2025-/);
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(pem)}], 'public.pem'));
    return transfer;
  })()`);
  await dialog.getByLabel('Public key').dispatchEvent('drop', { dataTransfer: transfer });
  await dialog.getByText('Detected: Ed25519 key').waitFor();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const { data } = await api('GET', '/assertion-keys');
  assert.deepEqual([data[0].algorithm, data[0].status], ['Ed25519', 'active']);
  await closePage(page);
});

browserTest('an example of the gallery fills in the form; the connection is tested by its parts', async () => {
  const page = await dashboard.open(`${project}/integrations`);
  await page.getByRole('button', { name: 'Chat bot' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create integration' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Chat bot');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Chat bot', level: 1 }).waitFor();
  await page.getByRole('list', { name: 'Connection' }).getByText('No active API key').waitFor();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByRole('status').getByText('Checked just now: 1 of 3 are set up').waitFor();
  await closePage(page);
});

browserTest('a key that expires within two weeks and one that nobody uses are marked; a key is renamed', async () => {
  const page = await dashboard.open(`${project}/api-keys/${key.id}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ends soon');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ends soon', level: 1 }).waitFor();
  await goTo(page, `${project}/api-keys`);
  const row = page.getByRole('row', { name: 'Ends soon' });
  await row.locator('.text-warning').getByText('in 5 days').waitFor();
  await page.clock.setFixedTime(server.app.now() + 40 * DAY_MS);
  await page.reload();
  await page.getByRole('row', { name: 'Backend of the web app' }).getByText('Unused: revoke it?').waitFor();
  await closePage(page);
});

browserTest('a resource that cannot be read has a heading, the request id and "Try again"', async () => {
  const error = { code: 'INTERNAL', message: 'It broke', details: {}, request_id: 'req_of_the_failure' };
  const page = await dashboard.open('/account');
  await page.route(
    /\/api\/v1\/.*(api-keys|integrations|members|webhooks|custom-tools|usage|retention)(\/\w+)?$/,
    (route) => route.fulfill({ status: 500, json: { error } }),
  );
  const one = [
    `api-keys/${key.id}`,
    `integrations/${integration.id}`,
    `members/${member.id}`,
    'webhooks/wh',
    'custom-tools/ct',
  ];
  for (const path of [...one, 'settings']) {
    await goTo(page, `${project}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('alert').getByText('req_of_the_failure').first().waitFor();
    await expectAccessible(page, path);
    if (path !== 'settings') await page.getByRole('button', { name: 'Try again' }).waitFor();
  }
  await closePage(page);
});

browserTest('a viewer copies the project id, reads the retention, and is told why a key is not shown', async () => {
  const as = await makePerson(server, dashboard.owner, 'viewer');
  const page = await dashboard.open(`${project}/settings`, { as });
  await page.getByText('731 days').waitFor();
  assert.equal(await page.getByLabel('Project name').isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: 'Copy project id' }).isEnabled(), true);
  await goTo(page, `${project}/api-keys/${key.id}`);
  await page.getByRole('heading', { name: 'You cannot see API keys' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await expectAccessible(page, 'a key for a viewer');
  await closePage(page);
});

browserTest('the audit log says how long it is kept, and its actions can be read on a phone', async () => {
  const page = await dashboard.open(`${project}/audit-log`, { width: 360 });
  await page.getByText('Entries are kept for 731 days').waitFor();
  const cell = page.getByRole('cell').filter({ hasText: 'api_key.created' }).first();
  const [outer, inner] = [await cell.boundingBox(), await cell.getByText('api_key.created').boundingBox()];
  assert.ok(outer && inner && inner.x + inner.width <= outer.x + outer.width, JSON.stringify([outer, inner]));
  await closePage(page);
});
