// Integrations, assertion keys, members, OAuth and settings: what people do on these pages, and what they are told.

import assert from 'node:assert/strict';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { makeSigner } from '../../server/test/support/make/sign-assertion.ts';
import { addAccessSamples, addMember, goodAssertion } from './access-samples.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  comeBack,
  confirmByName,
  expectAccessible,
  startDashboard,
  waitForData,
  waitForValue,
} from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const project = `/projects/${dashboard.project_id}`;
const pages = ['integrations', 'oauth', 'assertion-keys', 'members', 'settings'];

browserTest('without anything in the project each page says what to do first', async () => {
  const page = await dashboard.open(`${project}/integrations`);
  await page.getByRole('heading', { name: 'No integrations yet' }).waitFor();
  await expectAccessible(page, 'no integrations');
  const nothing = { 'assertion-keys': 'No assertion keys yet', members: 'No members yet', oauth: 'No providers yet' };
  for (const [path, heading] of Object.entries(nothing)) {
    await goTo(page, `${project}/${path}`);
    await page.getByRole('heading', { name: heading }).waitFor();
    await waitForData(page);
    await expectAccessible(page, heading);
  }
  await closePage(page);
});

browserTest(
  'an integration is created, gives an API key whose secret is shown once, and is deleted by its name',
  async () => {
    const page = await dashboard.open(`${project}/integrations`);
    await page.getByRole('button', { name: 'Create integration' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create integration' });
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Enter a name').waitFor();
    await expectAccessible(page, 'create integration');
    await dialog.getByLabel('Name').fill('Bot');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Bot', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Create API key' }).click();
    const keyDialog = page.getByRole('dialog', { name: 'Create API key' });
    await keyDialog.getByLabel('Name').fill('Key of the bot');
    await keyDialog.getByRole('button', { name: 'Create', exact: true }).click();
    const key = await page.getByLabel('Secret').inputValue();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('table', { name: 'API keys' }).getByText('Key of the bot').waitFor();
    assert.ok(!(await page.content()).includes(key));
    const session = await dashboard.server.api('POST', '/api/v1/mcp/session-token', {
      key,
      body: { member_external_id: 'eve' },
    });
    assert.equal(session.status, 200, 'a key of an integration creates sessions');
    await page.locator('header').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const confirmation = page.getByRole('alertdialog');
    await confirmation.getByText('Key of the bot').waitFor();
    await expectAccessible(page, 'delete integration');
    await confirmByName(confirmation, 'Bot');
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    const { data } = await dashboard.api('GET', `${project}/integrations`);
    assert.deepEqual(data, []);
    await closePage(page);
  },
);

browserTest('a public key sets its algorithm and suggests its thumbprint; a private key is not sent', async () => {
  const { pem, privateKey } = makeSigner('RS256');
  const page = await dashboard.open(`${project}/assertion-keys?dialog=create`);
  const dialog = page.getByRole('dialog', { name: 'Add assertion key' });
  const add = dialog.getByRole('button', { name: 'Add', exact: true });
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1;
  });
  await dialog.getByLabel('Key ID').fill('mistake');
  await dialog.getByLabel('Public key').fill(String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  await add.click();
  await dialog.getByText('it was not sent').waitFor();
  assert.equal(sent, 0);
  await expectAccessible(page, 'add assertion key');
  await dialog.getByLabel('Key ID').fill('');
  await dialog.getByLabel('Public key').fill(pem);
  await dialog.getByText('Detected: RSA key, for RS256').waitFor();
  assert.equal(await dialog.getByLabel('Algorithm').inputValue(), 'RS256');
  await dialog.getByRole('button', { name: /Use its thumbprint/ }).click();
  assert.match(await dialog.getByLabel('Key ID').inputValue(), /^[\w-]{43}$/);
  await dialog.getByLabel('Key ID').fill('backend-rsa');
  await add.click();
  const row = page.getByRole('table', { name: 'Assertion keys' }).getByRole('row', { name: 'backend-rsa' });
  await row.getByText('active').waitFor();
  await row.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await confirmByName(page.getByRole('alertdialog'), 'backend-rsa', 'Deactivate');
  await row.getByText('deactivated').waitFor();
  await closePage(page);
});

browserTest('the debugger shows for every rule whether an assertion passes, with the error code', async () => {
  const page = await dashboard.open(`${project}/assertion-keys`);
  await page.getByRole('button', { name: 'Debug an assertion' }).click();
  const dialog = page.getByRole('dialog', { name: 'Debug an assertion' });
  await dialog.getByLabel('Assertion').fill(goodAssertion({ ...dashboard, project_id: 'prj_other' }));
  await dialog.getByRole('button', { name: 'Check' }).click();
  const checks = dialog.getByRole('list', { name: 'Checks' });
  await checks
    .getByText(/^ASSERTION_/)
    .first()
    .waitFor();
  assert.ok((await checks.getByRole('listitem').count()) > 10);
  assert.ok((await checks.getByRole('img', { name: 'Failed' }).count()) > 0);
  await expectAccessible(page, 'the debugger');
  await closePage(page);
});

browserTest('the sessions of a member are revoked from its page, which shows its calls', async () => {
  const { key, member } = await addAccessSamples(dashboard);
  await addMember(dashboard, key, member.external_id);
  const page = await dashboard.open(`${project}/members?search=user-4`);
  const table = page.getByRole('table', { name: 'Members' });
  const row = table.getByRole('row', { name: 'user-42' });
  await row.getByRole('cell', { name: '2', exact: true }).waitFor();
  await table.getByRole('link', { name: 'user-42' }).click();
  await page.getByRole('heading', { name: 'user-42', level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Calls' }).getByText('find_order').waitFor();
  await page.getByRole('button', { name: 'Revoke sessions' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Type the name to confirm').fill('user-42');
  await expectAccessible(page, 'revoke sessions');
  await dialog.getByRole('button', { name: 'Revoke sessions' }).click();
  await page.getByText('Sessions of “user-42” revoked').waitFor();
  const { active_sessions } = await dashboard.api('GET', `/members/${member.id}`);
  assert.equal(active_sessions, 0);
  await page.getByRole('link', { name: 'Members' }).first().click();
  await row.getByRole('cell', { name: '0', exact: true }).waitFor();
  await closePage(page);
});

browserTest('the list of members shows their sessions by one request, and the new number after revoking', async () => {
  const page = await dashboard.open('/account');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await goTo(page, `${project}/members?search=user-17`);
  const row = page.getByRole('row', { name: 'user-17' });
  await row.getByRole('cell', { name: '1', exact: true }).waitFor();
  await chooseAction(page, 'user-17', 'Revoke sessions');
  await confirmByName(page.getByRole('alertdialog'), 'user-17', 'Revoke sessions');
  await row.getByRole('cell', { name: '0', exact: true }).waitFor();
  assert.deepEqual(
    asked.filter((path) => /\/members\/mem_\w+$/.test(path)),
    [],
  );
  await closePage(page);
});

browserTest('a provider whose sign-in failed says why and what to do, until its client is changed', async () => {
  const page = await dashboard.open(`${project}/oauth`);
  const row = page.getByRole('row', { name: 'Staff login' });
  await row.getByText(/^Sign-in failed .+: The provider does not respond\.$/).waitFor();
  await row.getByText('Check that the provider is running').waitFor();
  assert.equal(await page.getByText('Sign-in failed').count(), 1, 'a provider that works shows nothing');
  await chooseAction(page, 'Staff login', 'Set up and test');
  const setUp = page.getByRole('dialog', { name: /Set up/ });
  await setUp.getByText(/^Sign-in failed .+: The provider does not respond\.$/).waitFor();
  await expectAccessible(page, 'set up a provider that failed');
  await setUp.getByRole('button', { name: 'Done' }).click();
  await chooseAction(page, 'Staff login', 'Edit');
  const edit = page.getByRole('dialog', { name: /Edit/ });
  await edit.getByText('Check that the provider is running').waitFor();
  await expectAccessible(page, 'edit a provider that failed');
  await edit.getByLabel('Client secret').fill('the-right-secret');
  await edit.getByRole('button', { name: 'Save' }).click();
  await row.getByText('https://login.invalid').waitFor();
  assert.equal(await page.getByText('Sign-in failed').count(), 0);
  await closePage(page);
});

browserTest('a provider is added, then its callback URL is shown; its secret is never shown again', async () => {
  const page = await dashboard.open(`${project}/oauth`);
  await page.getByRole('button', { name: 'Add provider' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add provider' });
  await dialog.getByLabel('Provider').selectOption('GitHub');
  await dialog.getByLabel('Client ID').fill('Ov23li1234');
  await dialog.getByLabel('Client secret').fill('a-very-secret-text');
  await expectAccessible(page, 'add provider');
  await dialog.getByRole('button', { name: /Read organizations/ }).click();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const setUp = page.getByRole('dialog', { name: /Set up/ });
  await setUp.getByText(/\/api\/v1\/oauth\/callback\/oap_/).waitFor();
  await expectAccessible(page, 'set up a provider');
  await setUp.getByRole('button', { name: 'Done' }).click();
  assert.ok(!(await page.content()).includes('a-very-secret-text'));
  const { data } = await dashboard.api('GET', `${project}/oauth-providers`);
  assert.deepEqual(data[0].scopes, ['read:user', 'user:email', 'read:org']);
  await closePage(page);
});

browserTest('settings show what will change, and save only that', async () => {
  const page = await dashboard.open(`${project}/settings`);
  await waitForData(page);
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  await page.getByLabel('Project name').fill('Shop of the north');
  await page.getByLabel('Redacted fields').fill('iban\n\ndate_of_birth');
  await page.getByLabel('Environment').selectOption('Production');
  assert.equal(await page.getByLabel('Keep files for').locator('option:checked').innerText(), '1 hour');
  await page.getByLabel('Keep files for').selectOption('No files are stored');
  await page.getByText('Uploads are refused').waitFor();
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await bar.getByText('Shop of the north').waitFor();
  await bar.getByText('iban, date_of_birth').waitFor();
  await page.getByText('Production refuses:').waitFor();
  await expectAccessible(page, 'unsaved changes');
  await page.getByRole('button', { name: 'Save' }).click();
  await bar.waitFor({ state: 'detached' });
  const { name, environment, settings } = await dashboard.api('GET', project);
  assert.deepEqual([name, environment], ['Shop of the north', 'production']);
  assert.deepEqual(settings.redact_fields, ['iban', 'date_of_birth']);
  assert.equal(settings.file_retention_seconds, 0);
  await page.getByLabel('Largest response').fill('12');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a whole number from 1,024').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await bar.waitFor({ state: 'detached' });
  await closePage(page);
});

browserTest('a developer changes what the role allows, and a viewer is told why nothing can be changed', async () => {
  const developer = await makePerson(dashboard.server, dashboard.owner, 'developer');
  const page = await dashboard.open(`${project}/settings`, { as: developer });
  await waitForData(page);
  assert.equal(await page.getByLabel('Environment').isDisabled(), true);
  await page.getByLabel('MCP server name').fill('Shop tools');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved').waitFor();
  assert.equal((await dashboard.api('GET', `${project}/settings`)).mcp_server_name, 'Shop tools');
  await closePage(page);
  const viewer = await makePerson(dashboard.server, dashboard.owner, 'viewer');
  const view = await dashboard.open(`${project}/settings`, { as: viewer });
  await waitForData(view);
  assert.equal(await view.getByLabel('Project name').isDisabled(), true);
  for (const path of pages) {
    await goTo(view, `${project}/${path}`);
    await waitForData(view);
    assert.equal(await view.getByRole('alert').count(), 0, `${path}: nothing that a viewer may not read is asked for`);
    await expectAccessible(view, `${path} of a viewer`);
  }
  await closePage(view);
});

browserTest('a failing server is shown on every page with its request id', async () => {
  const page = await dashboard.open('/');
  await waitForData(page);
  const error = { code: 'INTERNAL', message: 'It broke', details: {}, request_id: 'req_of_the_failure' };
  const response = { status: 500, contentType: 'application/json', body: JSON.stringify({ error }) };
  await page.route(/\/(integrations|oauth-providers|assertion-keys|members)\?/, (route) => route.fulfill(response));
  for (const path of ['integrations', 'oauth', 'assertion-keys', 'members']) {
    await goTo(page, `${project}/${path}`);
    await page.getByRole('alert').getByText('req_of_the_failure').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  }
  await closePage(page);
});

browserTest('a project is deleted only after its name was typed', async () => {
  const { id } = await dashboard.api('POST', '/projects', { name: 'To delete' });
  const page = await dashboard.open(`/projects/${id}/settings`);
  await page.getByRole('button', { name: 'Delete project' }).click();
  const dialog = page.getByRole('alertdialog');
  const button = dialog.getByRole('button', { name: 'Delete project' });
  assert.equal(await button.isDisabled(), true);
  await dialog.getByLabel('Type the name to confirm').fill('To delete');
  await button.click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  const { data } = await dashboard.api('GET', '/projects');
  assert.ok(data.every((project: { id: string }) => project.id !== id));
  await closePage(page);
});

browserTest('settings that somebody else changed are shown, and saving does not take them back', async () => {
  const { id } = await dashboard.api('POST', '/projects', { name: 'Of two people' });
  const page = await dashboard.open(`/projects/${id}/settings`);
  await waitForData(page);
  await page.getByLabel('MCP server name').fill('Mine');
  await dashboard.api('PATCH', `/projects/${id}`, { name: 'Named by the other' });
  await comeBack(page);
  await waitForValue(page.getByLabel('Project name'), 'Named by the other');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await bar.getByText('1 change not saved').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await bar.waitFor({ state: 'detached' });
  const { name, settings } = await dashboard.api('GET', `/projects/${id}`);
  assert.deepEqual([name, settings.mcp_server_name], ['Named by the other', 'Mine']);
  await closePage(page);
});
