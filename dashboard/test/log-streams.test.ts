// The page "Log streams": how streams of each kind are created, tried, changed and deleted, and what it says of one that fails.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { s3Credentials, startS3Store } from '../../server/test/support/peers/s3-store.ts';
import {
  browserTest,
  chooseAction,
  closePage,
  confirmByName,
  expectAccessible,
  expectGone,
  expectScreen,
  startDashboard,
  waitForData,
} from './open-browser.ts';

const receiver = await startCustomer();
const store = await startS3Store();
after(() => Promise.all([receiver.close(), store.close()]));
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: [receiver.address, store.address].join(',') });
const base = `/projects/${dashboard.project_id}`;
const streams = async () => (await dashboard.api('GET', `${base}/log-streams`)).data as any[];
const endpoint = `${receiver.url}/logs`;
receiver.respond('/logs', { body: {} });

browserTest(
  'a log stream over HTTPS is created with its secret shown once, edited, rotated, disabled and deleted by its name',
  async () => {
    const page = await dashboard.open(`${base}/settings`);
    await page.getByRole('link', { name: 'Log streams of this project' }).click();
    await page.getByRole('heading', { name: 'Log streams', level: 1 }).waitFor();
    await page.getByText('No log streams yet').waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Create log stream' });
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Enter a URL', { exact: true }).waitFor();
    await dialog.getByLabel('URL', { exact: true }).fill('https://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByRole('alert').first().waitFor();
    assert.deepEqual(await streams(), []);
    await expectAccessible(page, 'a refused log stream');
    await dialog.getByLabel('Name', { exact: true }).first().fill('Calls to the SIEM');
    await dialog.getByLabel('URL', { exact: true }).fill(endpoint);
    await dialog.getByRole('button', { name: 'Add header' }).click();
    const header = dialog.getByRole('group', { name: 'Header 1' });
    await header.getByLabel('Name').fill('Authorization');
    await header.getByLabel('Value').fill('Bearer of-the-collector');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const once = page.getByRole('dialog', { name: 'The log stream is ready' });
    const secret = await once.getByLabel('Secret', { exact: true }).inputValue();
    assert.match(secret, /^whsec_/);
    await expectAccessible(page, 'the secret of a log stream');
    await once.getByRole('button', { name: 'I have saved it' }).click();
    await expectGone(page, secret);
    const row = page.getByRole('row', { name: 'Calls to the SIEM' });
    for (const text of ['HTTPS', 'Call log', 'enabled', 'Nothing sent']) await row.getByText(text).first().waitFor();
    const [made] = await streams();
    assert.deepEqual(
      [made.kind, made.source, made.flush_seconds, made.header_names],
      ['https', 'tool_calls', 5, ['Authorization']],
    );

    await dashboard.api('PATCH', `${base}/log-streams/${made.id}`, { flush_seconds: 7 });
    await chooseAction(page, 'Calls to the SIEM', 'Edit');
    const edit = page.getByRole('dialog', { name: 'Edit log stream' });
    await edit.getByText('Call log, HTTPS.').waitFor();
    await edit.getByRole('list', { name: 'Stored headers' }).getByText('Authorization').waitFor();
    await edit.getByLabel('URL', { exact: true }).fill(`${endpoint}/again`);
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Log stream saved').waitFor();
    const [changed] = await streams();
    assert.deepEqual(
      [changed.endpoint, changed.flush_seconds, changed.header_names],
      [`${endpoint}/again`, 7, ['Authorization']],
      'only what was edited changes',
    );

    await chooseAction(page, 'Calls to the SIEM', 'Rotate');
    await page.getByRole('dialog', { name: 'Rotate' }).getByRole('button', { name: 'Rotate' }).click();
    assert.notEqual(await once.getByLabel('Secret', { exact: true }).inputValue(), secret);
    await once.getByRole('button', { name: 'I have saved it' }).click();
    assert.notEqual((await streams())[0].previous_secret_ends_at, null);
    await chooseAction(page, 'Calls to the SIEM', 'Disable');
    await row.getByText('disabled').waitFor();
    assert.equal((await streams())[0].is_enabled, false);
    await chooseAction(page, 'Calls to the SIEM', 'Enable');
    await row.getByText('enabled').waitFor();

    await chooseAction(page, 'Calls to the SIEM', 'Delete');
    const asked = page.getByRole('alertdialog', { name: 'Delete this log stream?' });
    await confirmByName(asked, 'Calls to the SIEM');
    await page.getByText('No log streams yet').waitFor();
    assert.deepEqual(await streams(), []);
    await closePage(page);
  },
);

browserTest(
  'streams to a bucket and to a collector are created with the fields of their kind, and the secret of a bucket stays',
  async () => {
    const page = await dashboard.open(`${base}/log-streams?dialog=create`);
    const dialog = page.getByRole('dialog', { name: 'Create log stream' });
    // What was typed for another kind is not sent.
    await dialog.getByLabel('URL', { exact: true }).fill(endpoint);
    await dialog.getByRole('radio', { name: 'S3 bucket' }).check();
    await dialog.getByRole('radio', { name: 'Audit log' }).check();
    await dialog.getByLabel('URL of the store').fill('');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Enter the name of the bucket').waitFor();
    await dialog.getByText('Enter the secret of the access key').waitFor();
    await expectAccessible(page, 'a stream to a bucket without its fields');
    await dialog.getByLabel('Bucket', { exact: true }).fill('example-logs');
    await dialog.getByLabel('Region', { exact: true }).fill('eu-central-1');
    await dialog.getByLabel('Access key ID', { exact: true }).fill(s3Credentials.access_key_id);
    await dialog.getByLabel('Secret access key', { exact: true }).fill(s3Credentials.secret_access_key);
    await dialog.getByLabel('Prefix', { exact: true }).fill('toolgate/');
    await dialog.getByLabel('URL of the store').fill(store.url);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Log stream created').waitFor();
    const row = page.getByRole('row', { name: 'audit_log to s3' });
    await row.getByText('S3 bucket').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await expectGone(page, s3Credentials.secret_access_key);

    await chooseAction(page, 'audit_log to s3', 'Edit');
    const edit = page.getByRole('dialog', { name: 'Edit log stream' });
    assert.equal(await edit.getByLabel('Secret access key', { exact: true }).inputValue(), '');
    await edit.getByLabel('Prefix', { exact: true }).fill('');
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Log stream saved').waitFor();
    const [bucket] = await streams();
    assert.deepEqual(
      [bucket.bucket, bucket.region, bucket.prefix, bucket.flush_seconds, bucket.access_key_id],
      ['example-logs', 'eu-central-1', '', 3600, 'AKIATEST'],
    );
    await chooseAction(page, 'audit_log to s3', 'Test');
    const test = page.getByRole('dialog', { name: 'Test log stream' });
    await test.getByRole('button', { name: 'Test', exact: true }).click();
    await test.getByText('The receiver accepted the entry.').waitFor();
    await test.getByRole('button', { name: 'Close', exact: true }).last().click();

    await page.getByRole('button', { name: 'Create log stream' }).click();
    await dialog.getByRole('radio', { name: 'OpenTelemetry' }).check();
    await dialog.getByLabel('URL', { exact: true }).fill(receiver.url);
    await dialog.getByLabel('Maximum wait (seconds)').fill('60');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('row', { name: 'tool_calls to otlp_http' }).getByText('OpenTelemetry').waitFor();
    const [collector] = await streams();
    assert.deepEqual([collector.kind, collector.flush_seconds, collector.bucket], ['otlp_http', 60, null]);
    for (const { id } of await streams()) await dashboard.api('DELETE', `${base}/log-streams/${id}`);
    await closePage(page);
  },
);

browserTest('a test shows each step, and a stream that fails shows why and how far it is behind', async () => {
  const made = await dashboard.api('POST', `${base}/log-streams`, {
    kind: 'https',
    source: 'audit_log',
    name: 'Changes',
    endpoint: `${receiver.url}/broken`,
  });
  receiver.respond('/broken', { status: 503 });
  const page = await dashboard.open(`${base}/log-streams`);
  await chooseAction(page, 'Changes', 'Test');
  const dialog = page.getByRole('dialog', { name: 'Test log stream' });
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await dialog.getByText('The receiver did not accept the entry.').waitFor();
  const steps = dialog.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  assert.equal(await steps.count(), 4);
  assert.deepEqual(await Promise.all([0, 1, 2].map((i) => steps.nth(i).getByLabel('Passed').count())), [1, 1, 1]);
  await steps.nth(3).getByLabel('Failed').waitFor();
  await steps.nth(3).getByText('The receiver returned 503.').waitFor();
  await expectAccessible(page, 'a failed test of a log stream');
  receiver.respond('/broken', { body: {} });
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await dialog.getByText('The receiver accepted the entry.').waitFor();
  assert.equal(await dialog.getByLabel('Passed').count(), 4);
  assert.equal(
    receiver.at('/broken').every(({ headers }) => headers['x-webhook-test'] === 'true'),
    true,
  );

  receiver.respond('/broken', { status: 503 });
  await dashboard.api('PATCH', base, { name: 'Another name' });
  for (let i = 0; i < 3; i += 1) {
    dashboard.server.advance(5_000);
    await dashboard.server.runJobs();
  }
  assert.notEqual((await streams())[0].failing_since, null);
  await closePage(page);
  const failing = await dashboard.open(`${base}/log-streams`);
  const row = failing.getByRole('row', { name: 'Changes' });
  await row.getByText('failing').waitFor();
  await row.getByText('The receiver returned 503.').waitFor();
  assert.match(await row.innerText(), /\d+ (second|minute)s?/);
  await dashboard.api('DELETE', `${base}/log-streams/${made.id}`);
  await closePage(failing);
});

browserTest(
  'the page of log streams, filled and failing: no violation, no wider than a phone; only admins see it',
  async () => {
    const make = (fields: object) =>
      dashboard.api('POST', `${base}/log-streams`, { kind: 'https', source: 'tool_calls', endpoint, ...fields });
    await make({ name: 'n'.repeat(100), endpoint: `${receiver.url}/${'a-long-path/'.repeat(40)}`, is_enabled: false });
    for (let i = 0; i < 4; i += 1) await make({ name: `Stream ${i}`, is_enabled: i > 1 });
    const page = await dashboard.open(`${base}/log-streams`);
    await waitForData(page);
    const create = page.getByRole('button', { name: 'Create log stream' });
    assert.equal(await create.getAttribute('aria-disabled'), 'true');
    await expectScreen(page, 'the log streams', [375, 768]);
    await closePage(page);
    const developer = await makePerson(dashboard.server, dashboard.owner, 'developer');
    const other = await dashboard.open(`${base}/log-streams`, { as: developer });
    await other.getByText('You cannot see the log streams').waitFor();
    await closePage(other);
    const failing = await dashboard.open(`${base}/log-streams`, {
      before: (each) =>
        each.route('**/log-streams', (route) =>
          route.request().resourceType() === 'document' ? route.continue() : route.abort(),
        ),
    });
    await failing.getByRole('button', { name: 'Try again' }).waitFor();
    await closePage(failing);
    for (const { id } of await streams()) await dashboard.api('DELETE', `${base}/log-streams/${id}`);
  },
);
