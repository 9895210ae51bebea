// The tab "Response" of a tool: what a rule leaves of a real answer is seen before the rule is saved.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { browserTest, closePage, comeBack, expectAccessible, expectScreen, startDashboard } from './open-browser.ts';

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tools = `/projects/${dashboard.project_id}/custom-tools`;
const ITEMS = 40;

async function makeTool(name: string, fields: object = {}) {
  customer.respond(`/${name}`, {
    body: {
      items: Array.from({ length: ITEMS }, (_, at) => ({
        id: at,
        email: `person${at}@example.com`,
        _links: { self: `https://api.acme.example/people/${at}` },
      })),
      meta: { next: 'page-2' },
    },
  });
  const { id } = await dashboard.api('POST', '/custom-tools', {
    name,
    method: 'GET',
    base_url: customer.url,
    endpoint_path: `/${name}`,
    input_schema: { type: 'object', properties: { cursor: { type: 'string' } } },
    ...fields,
  });
  return { id, path: `${tools}/${id}?tab=response` };
}
const side = (page: Page, name: 'Raw' | 'Shaped') => page.getByRole('region', { name, exact: true });
const tokensOf = async (page: Page, name: 'Raw' | 'Shaped') =>
  Number(/([\d,]+) tokens/.exec(await side(page, name).innerText())?.[1]?.replaceAll(',', ''));
const runHere = async (page: Page) => {
  await page.getByRole('button', { name: 'Run as in Try it' }).click();
  await side(page, 'Shaped').getByText('person0@example.com').waitFor();
};
const add = async (page: Page, label: string, path: string) => {
  await page.getByLabel(label, { exact: true }).fill(path);
  await page.keyboard.press('Enter');
};

browserTest(
  'an unsaved rule shows raw and shaped with the tokens of both, what is cut and what a model reads',
  async () => {
    const { id, path } = await makeTool('people');
    const page = await dashboard.open(path);
    await page.getByText('No response yet').waitFor();
    await runHere(page);
    assert.equal(await tokensOf(page, 'Raw'), await tokensOf(page, 'Shaped'), 'nothing is left out yet');

    await page.getByRole('button', { name: /^items\[\]\._links\.self/ }).click();
    await add(page, 'Drop', '**._links');
    await page.getByLabel('Email addresses').check();
    await page.getByRole('button', { name: 'Add list' }).click();
    await page.getByLabel('List 1: path').fill('items');
    await page.getByLabel('List 1: maximum number of items').fill('3');
    await side(page, 'Shaped').getByText('[redacted]').first().waitFor();
    await page.getByRole('list', { name: 'What is cut' }).getByText(`items: 3 of ${ITEMS}`).waitFor();
    await page.getByText(`[Not everything is shown (3 of ${ITEMS} of items)`).waitFor();
    await side(page, 'Raw').getByText('person39@example.com').waitFor();
    assert.ok((await tokensOf(page, 'Shaped')) < (await tokensOf(page, 'Raw')) / 4);
    assert.equal((await dashboard.api('GET', `/custom-tools/${id}`)).response, null, 'nothing is saved yet');

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as version 2').waitFor();
    assert.deepEqual((await dashboard.api('GET', `/custom-tools/${id}`)).response, {
      drop: ['items[]._links.self', '**._links'],
      max_items: { items: 3 },
      redact: ['@email'],
    });

    // The same counts as a real call has.
    const shaped = await tokensOf(page, 'Shaped');
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result', exact: true });
    await result.getByText(new RegExp(`^${shaped} of [\\d,]+ tokens`)).waitFor();
    await result.getByText(`Not everything is shown: 3 of ${ITEMS} of items.`).waitFor();
    await result.getByRole('tab', { name: 'Raw' }).click();
    await result.getByText('person39@example.com').waitFor();
    await closePage(page);
  },
);

browserTest(
  'what the API refuses of a rule is said at its field before it is saved; a failing call is explained',
  async () => {
    const output_schema = {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object' } } },
      additionalProperties: true,
    };
    const { path } = await makeTool('refused', { output_schema });
    const page = await dashboard.open(path);
    await runHere(page);
    await add(page, 'Select', 'a..b');
    await page.getByText('A path must be a path such as items[].id').waitFor();
    await page.getByLabel('Select', { exact: true }).fill('');
    const argument = page.getByLabel('Argument that takes it');
    await page.getByLabel('Cursor in the response').fill('meta.next');
    await argument.fill('page');
    await page.getByText('is not a property of input_schema').first().waitFor();
    assert.equal(await argument.getAttribute('aria-invalid'), 'true');
    await argument.fill('cursor');
    await page.getByText('is not a property of input_schema').first().waitFor({ state: 'detached' });
    await page.getByText('set to "page-2"').waitFor();
    await page.getByLabel('Maximum tokens').fill('1');
    await side(page, 'Shaped').getByText('RESULT_TOO_LARGE').waitFor();
    await expectAccessible(page, 'a rule with which a call fails');
    await closePage(page);
  },
);

browserTest('a call of the log is the sample where payloads are kept, and says where they are not', async () => {
  const { id, path } = await makeTool('logged');
  const call = async () => (await dashboard.api('POST', `/custom-tools/${id}/execute`, {})).call_id;
  const without = await call();
  await dashboard.api('PATCH', `/projects/${dashboard.project_id}/settings`, { record_payloads: true });
  const kept = await call();
  await waitUntil(
    async () =>
      (await dashboard.api('GET', `/projects/${dashboard.project_id}/tool-calls?tool_id=${id}`)).data.length === 2,
    20_000,
    'both calls are in the log',
  );
  const page = await dashboard.open(path);
  const sample = page.getByLabel('Sample response', { exact: true });
  await page
    .getByRole('option', { name: /^Log, / })
    .first()
    .waitFor({ state: 'attached' });
  await sample.selectOption(kept);
  await side(page, 'Raw').getByText('person0@example.com').waitFor();
  await page.getByText('Recorded payloads are shaped and redacted').waitFor();
  await add(page, 'Redact', 'items[].email');
  await side(page, 'Shaped').getByText('[redacted]').first().waitFor();
  await sample.selectOption(without);
  await page.getByText('The payload of this call was not kept.').waitFor();
  await closePage(page);
});

browserTest('edits stay in another tab, and what somebody else saved meanwhile is taken over', async () => {
  const { id, path } = await makeTool('meanwhile');
  const page = await dashboard.open(path);
  await add(page, 'Drop', 'meta');
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('tab', { name: 'Response' }).click();
  await page.getByRole('list', { name: 'Drop: chosen' }).getByText('meta').waitFor();
  await dashboard.api('PATCH', `/custom-tools/${id}`, { response: { select: ['items', 'meta'] } });
  await comeBack(page);
  await page.getByRole('list', { name: 'Select: chosen' }).getByText('items').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 3').waitFor();
  assert.deepEqual((await dashboard.api('GET', `/custom-tools/${id}`)).response, {
    select: ['items', 'meta'],
    drop: ['meta'],
  });
  await closePage(page);
});

browserTest('a tool that may change something is not run from here, and a viewer changes nothing', async () => {
  const { path } = await makeTool('writes', { method: 'POST' });
  const page = await dashboard.open(path);
  const run = page.getByRole('button', { name: 'Run as in Try it' });
  await run.waitFor();
  assert.equal(await run.getAttribute('aria-disabled'), 'true');
  await closePage(page);
  const viewer = await makePerson(dashboard.server, dashboard.owner, 'viewer');
  const seen = await dashboard.open(path, { as: viewer });
  await seen.getByText('No response yet').waitFor();
  assert.ok(await seen.getByLabel('Maximum tokens').isDisabled());
  await closePage(seen);
});

browserTest('the tab Response: no violation in light and dark, and no wider than a phone', async () => {
  const { path } = await makeTool('screen', {
    response: { select: [`${'x'.repeat(200)}.y`, 'items'], max_items: { items: 2 }, redact: ['@token'] },
  });
  const page = await dashboard.open(path);
  await page.getByRole('button', { name: 'Run as in Try it' }).click();
  await page.getByRole('list', { name: 'What is cut' }).waitFor();
  await page.getByLabel('Maximum tokens').fill('100');
  await page.getByText('1 change not saved').waitFor();
  await expectScreen(page, 'the response', [375, 768, 1600]);
  await closePage(page);
});
