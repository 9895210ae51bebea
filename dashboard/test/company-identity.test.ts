// What a company's identity needs in the dashboard: ID-JAGs of a provider with their debugger, machines among the OAuth clients, and
// tools that tell the API for whom they call.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after } from 'node:test';
import { idJagChecks } from '@toolgate/contract/oauth-providers/rules.ts';
import { SignJWT } from 'jose';
import type { Page } from 'playwright-core';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../../server/test/support/peers/openid-provider.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  expectAccessible,
  expectNoOverflow,
  forBothThemes,
  openPage,
  startDashboard,
} from './open-browser.ts';
import { goTo } from './turn-page.ts';

const peer = await startOpenIdProvider();
const customer = await startCustomer();
after(() => Promise.all([peer.close(), customer.close()]));
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: [peer.address, customer.address].join(',') });
const { api, server } = dashboard;
const base = `/projects/${dashboard.project_id}`;
const issuer = `${server.app.config.public_url}/api/v1${base}`;

const { id: provider_id } = await api('POST', `${base}/oauth-providers`, {
  provider: 'oidc',
  name: 'Company login',
  issuer: peer.url,
  client_id: peer.client_id,
  client_secret: peer.client_secret,
});
const provider = () => api('GET', `${base}/oauth-providers/${provider_id}`);
const client = await api('POST', `${base}/oauth-clients`, {
  name: 'Agent',
  redirect_uris: ['https://app.example.com/cb'],
});

async function idJag(claims: object = {}): Promise<string> {
  const now = Math.floor(server.app.now() / 1000);
  const given = { iss: peer.url, sub: 'alice', aud: server.app.config.public_url, client_id: client.client_id };
  return new SignJWT({ ...given, jti: crypto.randomUUID(), iat: now, exp: now + 200, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'test', typ: 'oauth-id-jag+jwt' })
    .sign(peer.signing_key);
}

async function expectFits(page: Page, what: string): Promise<void> {
  await forBothThemes(page, (theme) => expectAccessible(page, `${what}, ${theme}`));
  await page.setViewportSize({ width: 375, height: 800 });
  await expectNoOverflow(page, `${what} at 375 px`);
  await page.setViewportSize({ width: 1280, height: 800 });
}

browserTest('a provider accepts ID-JAGs with the claims that its form names, and another save keeps them', async () => {
  const page = await dashboard.open(`${base}/oauth`);
  await page.getByRole('row', { name: 'Company login' }).getByRole('button', { name: 'Actions' }).click();
  assert.equal(await page.getByRole('menuitem', { name: 'Check an ID-JAG' }).count(), 0, 'it accepts none yet');
  await page.keyboard.press('Escape');
  await chooseAction(page, 'Company login', 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Edit “Company login”' });
  await dialog.getByText('More options').click();
  assert.equal(await dialog.getByLabel('Required claims').count(), 0);
  await dialog.getByLabel('Accept ID-JAGs').check();
  await dialog.getByLabel('Required claims').fill('tid');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Write one claim per line: name=value').waitFor();
  await dialog.getByLabel('Required claims').fill('tid=acme\n\nplan = a=b');
  await dialog.getByLabel('People are identified by').selectOption('email');
  await dialog.getByLabel('Maximum lifetime of an ID-JAG (seconds)').fill('30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').first().waitFor();
  assert.equal((await provider()).accepts_id_jag, false, 'what is refused changes nothing');
  await expectFits(page, 'the fields of ID-JAGs');
  await dialog.getByLabel('Maximum lifetime of an ID-JAG (seconds)').fill('600');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('“Company login” saved').waitFor();
  const { accepts_id_jag, required_claims, link_by, max_assertion_seconds } = await provider();
  const saved = { accepts_id_jag, required_claims, link_by, max_assertion_seconds };
  assert.deepEqual(saved, {
    accepts_id_jag: true,
    required_claims: { tid: 'acme', plan: 'a=b' },
    link_by: 'email',
    max_assertion_seconds: 600,
  });

  await chooseAction(page, 'Company login', 'Edit');
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Name', { exact: true }).fill('Company');
  await dialog.getByLabel('People are identified by').selectOption('subject');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: 'Company' }).first().waitFor();
  const { link_by: next, required_claims: kept } = await provider();
  assert.deepEqual([next, kept], ['subject', saved.required_claims]);
  await closePage(page);
});

browserTest('the debugger of ID-JAGs shows every check of the token endpoint, and uses nothing up', async () => {
  await api('PATCH', `${base}/oauth-providers/${provider_id}`, {
    name: 'Company login',
    accepts_id_jag: true,
    required_claims: { tid: 'acme' },
    link_by: 'subject',
  });
  const page = await dashboard.open(`${base}/oauth`);
  await chooseAction(page, 'Company login', 'Check an ID-JAG');
  const dialog = page.getByRole('dialog', { name: 'Check an ID-JAG of “Company login”' });
  const check = async (assertion: string) => {
    await dialog.getByLabel('ID-JAG', { exact: true }).fill(assertion);
    await dialog.getByRole('button', { name: 'Check', exact: true }).click();
  };
  await check('');
  await dialog.getByText('Paste an ID-JAG').waitFor();
  const good = await idJag({ tid: 'acme' });
  await check(good);
  await dialog.getByText('Valid: the token endpoint would accept it now.').waitFor();
  const checks = dialog.getByRole('list', { name: 'Checks' }).getByRole('listitem');
  assert.equal(await checks.count(), idJagChecks.length);
  assert.equal(await dialog.getByLabel('Passed').count(), idJagChecks.length);
  await check(good);
  await dialog.getByText('Valid: the token endpoint would accept it now.').waitFor();

  await check(await idJag({ tid: 'other', aud: 'https://elsewhere.example.com' }));
  await dialog.getByText('Refused by the check aud.').waitFor();
  const aud = checks.filter({ hasText: 'https://elsewhere.example.com' });
  await aud.getByLabel('Failed').waitFor();
  await expectFits(page, 'a refused ID-JAG');
  await check('not a token');
  await dialog.getByText('Refused by the check shape.').waitFor();
  assert.ok((await dialog.getByLabel('Skipped').count()) > 0, 'what cannot be read is skipped');
  await closePage(page);
});

browserTest('a machine is created with its public keys, and shown with a secret only if it has one', async () => {
  const page = await dashboard.open(`${base}/oauth`);
  const create = page.getByRole('button', { name: 'Create client', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Create client' });
  await create.click();
  await dialog.getByLabel('Name', { exact: true }).fill('Nightly job');
  await dialog.getByLabel('Used by').selectOption('machine');
  assert.equal(await dialog.getByLabel('Redirect URIs').count(), 0, 'nobody is sent back to a machine');
  await dialog.getByLabel('Authenticates with').selectOption('jwks');
  await dialog.getByLabel('Public keys').fill('{"keys": [');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByRole('alert').first().waitFor();
  await expectFits(page, 'a machine with broken keys');
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }] };
  await dialog.getByLabel('Public keys').fill(JSON.stringify(jwks));
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('“Nightly job” is ready').waitFor();
  const named = async (name: string) =>
    (await api('GET', `${base}/oauth-clients`)).data.find((each: { name: string }) => each.name === name);
  const made = await named('Nightly job');
  assert.deepEqual([made.grant_types, made.redirect_uris], [['client_credentials'], []]);
  assert.equal(made.jwks.keys[0].kid, 'one');

  await chooseAction(page, 'Nightly job', 'Edit');
  const edit = page.getByRole('dialog', { name: 'Edit “Nightly job”' });
  assert.deepEqual(JSON.parse(await edit.getByLabel('Public keys').inputValue()), made.jwks);
  await edit.getByLabel('Authenticates with').selectOption('jwks_uri');
  await edit.getByLabel('URL of the keys').fill('https://app.example.com/jwks.json');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('“Nightly job” saved').waitFor();
  const changed = await named('Nightly job');
  assert.deepEqual([changed.jwks, changed.jwks_uri], [null, 'https://app.example.com/jwks.json']);

  await create.click();
  await dialog.getByLabel('Name', { exact: true }).fill('Report');
  await dialog.getByLabel('Used by').selectOption('machine');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const once = page.getByRole('dialog').filter({ hasText: 'I have saved it' });
  const secret = await once.getByLabel('Secret', { exact: true }).inputValue();
  await once.getByRole('button', { name: 'I have saved it' }).click();
  const report = await named('Report');
  const token = await server.api('POST', '/oauth/token', {
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: report.client_id,
      client_secret: secret,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(token.status, 200, token.text);
  await closePage(page);
});

browserTest(
  'a tool with a JWT about the member, or a token exchange, is created in the editor and can be tried',
  async () => {
    const page = await dashboard.open(`${base}/custom-tools/new`);
    const form = page.getByRole('form', { name: 'Create tool' });
    await form.getByLabel('Name', { exact: true }).fill('my_orders');
    await form.getByLabel('Base URL').fill(customer.url);
    await form.getByLabel('Endpoint path').fill('/orders');
    await form.getByLabel('Auth strategy').selectOption('member_jwt');
    assert.equal(await form.getByLabel('Secret', { exact: true }).count(), 0, 'no secret is stored');
    await form.getByText(`${issuer}/jwks.json`).waitFor();
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await form.getByLabel('Audience').and(page.locator('[aria-invalid=true]')).waitFor();
    await expectFits(page, 'a tool without its audience');
    await form.getByLabel('Audience').fill('https://api.example.com');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'my_orders', level: 1 }).waitFor();
    const [jwt] = (await api('GET', '/custom-tools')).data;
    assert.deepEqual([jwt.auth_strategy, jwt.auth_config], ['member_jwt', { audience: 'https://api.example.com' }]);

    customer.respond('/orders', { body: { orders: [] } });
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('orders').first().waitFor();
    const [sent] = customer.at('/orders');
    const claims = JSON.parse(
      Buffer.from(String(sent?.headers.authorization).split('.')[1] ?? '', 'base64url').toString(),
    );
    assert.deepEqual([claims.iss, claims.aud, claims.sub_type], [issuer, 'https://api.example.com', 'account']);
    const request = page.getByRole('region', { name: 'Request' });
    await request.getByRole('tab', { name: 'Verify' }).click();
    await request.getByText('verifyMemberJwt').first().waitFor();
    await request.getByText(issuer).first().waitFor();
    await expectFits(page, 'how a JWT is verified');

    await goTo(page, `${base}/custom-tools/new`);
    await form.getByLabel('Name', { exact: true }).fill('my_invoices');
    await form.getByLabel('Base URL').fill(customer.url);
    await form.getByLabel('Endpoint path').fill('/invoices');
    await form.getByLabel('Auth strategy').selectOption('token_exchange');
    await form.getByLabel('Token URL').fill(`${customer.url}/token`);
    await form.getByLabel('Client ID').fill('toolgate');
    await form.getByLabel('Scope').fill('invoices');
    await form.getByLabel('Secret', { exact: true }).fill('a secret');
    await form.getByText('The secret of the client.').waitFor();
    await expectAccessible(page, 'a tool with a token exchange');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'my_invoices', level: 1 }).waitFor();
    const exchanged = (await api('GET', '/custom-tools')).data.find((each: any) => each.name === 'my_invoices');
    assert.deepEqual(exchanged.auth_config, {
      token_url: `${customer.url}/token`,
      client_id: 'toolgate',
      scope: 'invoices',
    });
    assert.equal(exchanged.has_auth_secret, true);
    await closePage(page);
  },
);

browserTest('a dashboard that was opened as localhost shows the issuer and the URLs that the server has', async () => {
  const url = server.url.replace('127.0.0.1', 'localhost');
  const page = await openPage({ url }, `${base}/custom-tools/new`, { as: dashboard.owner });
  const form = page.getByRole('form', { name: 'Create tool' });
  await form.getByLabel('Auth strategy').selectOption('member_jwt');
  await form.getByText(`${issuer}/jwks.json`).waitFor();
  await page.goto(`${url}${base}/oauth?dialog=create&provider=github`);
  const callback = page.getByRole('dialog', { name: 'Add provider' }).getByRole('region', { name: 'callback URL' });
  await callback.getByText(`${server.url}/api/v1/oauth/callback/oap_`).waitFor();
  await page.goto(`${url}/people?tab=single-sign-on`);
  await page.getByText(`${server.url}/api/v1/account/sso/callback/org_`).first().waitFor();
  await closePage(page);
});
