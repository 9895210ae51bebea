// The page "Publish": what to fix for a directory and where, the listing, submissions and what changed since, and server.json.

import assert from 'node:assert/strict';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, closePage, expectAccessible, expectScreen, startDashboard, waitForData } from './open-browser.ts';

const dashboard = await startDashboard();
const base = `/projects/${dashboard.project_id}`;
const makeTool = (name: string, fields: object = {}) =>
  dashboard.api('POST', '/custom-tools', {
    name,
    base_url: 'https://api.example.com',
    endpoint_path: `/${name}`,
    ...fields,
  });
const good = {
  title: 'Find an order',
  description: 'Finds an order by its number, and says where it is.',
  method: 'GET',
};
const find = await makeTool('find_order', { ...good, title: null });
for (const name of ['a_tool', 'b_tool', 'c_tool', 'd_tool', 'e_tool', 'f_tool']) await makeTool(name, good);

browserTest('a rule that fails says what to do, and its button leads to the tool', async () => {
  const page = await dashboard.open(`${base}/publish`);
  await page.getByRole('heading', { name: 'Publish', level: 1 }).waitFor();
  assert.equal(await page.getByRole('tab', { name: 'Claude' }).getAttribute('aria-selected'), 'true');
  const titles = page.getByRole('list', { name: 'Titles' });
  await titles.getByText('find_order: it has no title').waitFor();
  await titles.getByText('Give the tool a title that people understand.').waitFor();
  const source = page.getByRole('link', { name: 'Source of the rule: Titles' });
  assert.match((await source.getAttribute('href')) ?? '', /^https:\/\//);
  await titles.getByRole('link', { name: 'Open tool' }).click();
  await page.waitForURL(`**/custom-tools/${find.id}*`);
  await closePage(page);
});

browserTest('buttons lead to the limits, the providers and the clients, with their dialogs open', async () => {
  for (const [list, link, dialog] of [
    ['Limits on tool calls', 'Create limit', 'Create limit'],
    ['Sign-in with OAuth', 'Add provider', 'Add provider'],
    ['Redirect to the directory', 'Create client', 'Create client'],
  ] as const) {
    const page = await dashboard.open(`${base}/publish`);
    await page.getByRole('list', { name: list, exact: true }).getByRole('link', { name: link }).click();
    await page.getByRole('dialog', { name: dialog }).waitFor();
    await closePage(page);
  }
});

browserTest('the hints of all enabled tools are confirmed from the rule, which then passes', async () => {
  const page = await dashboard.open(`${base}/publish`);
  const hints = page.getByRole('list', { name: 'Hints set by a person' });
  await hints.getByText('a_tool: nobody set').waitFor();
  assert.equal(await hints.getByRole('listitem').count(), 5);
  await page.getByRole('button', { name: 'Show all 7 entries' }).click();
  assert.equal(await hints.getByRole('listitem').count(), 7);
  await page.getByRole('button', { name: 'Confirm hints' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Confirm the hints of all enabled tools?' });
  await asked.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('7 tools confirmed').waitFor();
  await hints.waitFor({ state: 'hidden' });
  await page.getByText(/^Passed: \d+ rules?$/).click();
  await page.getByText('A person set every hint of every tool.').waitFor();
  await closePage(page);
});

browserTest(
  'the listing is filled in on the page: wrong values are named at their fields, and the rules pass',
  async () => {
    const page = await dashboard.open(`${base}/publish?for=registry`);
    await page.getByText("The entry can't be generated yet").waitFor();
    await page.getByRole('list', { name: 'Version in the listing' }).getByRole('button', { name: 'Fill in' }).click();
    const version = page.getByLabel('Version', { exact: true });
    assert.equal(await page.evaluate('document.activeElement.name'), 'listing.version');
    await version.fill('^1.0');
    await page.getByLabel('Privacy policy', { exact: true }).fill('http://example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter one version, such as 1.2.0').waitFor();
    await page.getByText('Enter a URL that starts with https://').waitFor();
    await version.fill('1.2.0');
    await page.getByLabel('Privacy policy', { exact: true }).fill('https://example.com/privacy');
    await page.getByLabel('Description', { exact: true }).fill('Find orders of the shop.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Listing saved').waitFor();
    const code = page.getByRole('region', { name: 'server.json' });
    await code.getByText('"version": "1.2.0"').waitFor();
    await page.getByRole('button', { name: 'Copy server.json' }).waitFor();
    const { listing } = await dashboard.api('GET', `${base}/settings`);
    assert.deepEqual(
      [listing.version, listing.privacy_url, listing.terms_url],
      ['1.2.0', 'https://example.com/privacy', null],
    );
    await closePage(page);
  },
);

browserTest('a submission is recorded, and what changed afterwards is named until the next one', async () => {
  const page = await dashboard.open(`${base}/publish`);
  await page.getByText('No submission was recorded').waitFor();
  const record = async () => {
    await page.getByRole('button', { name: 'Record a submission' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Record a submission to the Claude connectors directory?' });
    await asked.getByRole('button', { name: 'Record' }).click();
    await asked.waitFor({ state: 'hidden' });
  };
  await record();
  const rows = page.getByRole('table', { name: 'Submissions' }).getByRole('row');
  await rows.nth(1).waitFor();
  await dashboard.api('PATCH', '/custom-tools/a_tool', { description: 'Finds an order, and its parcel.' });
  await dashboard.api('DELETE', `/custom-tools/${(await dashboard.api('GET', '/custom-tools/f_tool')).id}`);
  await page.reload();
  const changes = page.getByRole('list', { name: 'Changes since the last submission' });
  await changes.getByText('a_tool: its definition changed').waitFor();
  await changes.getByText('f_tool: it was removed or disabled').waitFor();
  assert.equal(await changes.getByRole('link', { name: 'Open tool' }).count(), 1, 'what is gone has no page');
  await record();
  await changes.waitFor({ state: 'hidden' });
  await rows.nth(2).waitFor();
  await closePage(page);
});

browserTest('who may only read sees the report, and buttons that say what they need', async () => {
  const viewer = await makePerson(dashboard.server, dashboard.owner, 'viewer');
  const page = await dashboard.open(`${base}/publish`, { as: viewer });
  const button = page.getByRole('button', { name: 'Record a submission' });
  await button.waitFor();
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await page.getByRole('list', { name: 'Titles' }).waitFor();
  assert.equal(await page.getByLabel('Version', { exact: true }).isDisabled(), true);
  await closePage(page);
});

browserTest('a report that cannot be read says so, with a request id and another try', async () => {
  const page = await dashboard.open(`${base}/publish`, {
    before: (page) =>
      page.route('**/directory-report**', (route) =>
        route.fulfill({
          status: 500,
          json: { error: { code: 'INTERNAL_ERROR', message: 'Internal error', details: {}, request_id: 'req_1' } },
        }),
      ),
  });
  const alert = page.getByRole('alert');
  await alert.getByText('req_1').waitFor();
  await page.unroute('**/directory-report**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('list', { name: 'Titles' }).waitFor();
  await closePage(page);
});

browserTest('the page is accessible in both themes, and fits on a phone', async () => {
  for (const directory of ['claude', 'chatgpt', 'registry']) {
    const page = await dashboard.open(`${base}/publish?for=${directory}`);
    await page.getByText(/Rules of \d{4}-/).waitFor();
    await waitForData(page);
    await page.getByText(/^Passed: \d+ rules?$/).click();
    await expectScreen(page, directory);
    await page.setViewportSize({ width: 375, height: 800 });
    await expectAccessible(page, `${directory} in dark at 375 px`);
    await closePage(page);
  }
});
