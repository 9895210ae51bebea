// "Try it": the request before it is sent, the answer, its stages, the same call over MCP, and where a refused call ended.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { SAMPLE_SECRET } from '../../server/src/features/tools/sample-shop/shop.ts';
import { browserTest, closePage, expectAccessible, startDashboard } from './open-browser.ts';

const dashboard = await startDashboard();
const { tools } = await dashboard.api('POST', `/projects/${dashboard.project_id}/sample-tools`);
const tryIt = (name: string) =>
  `/projects/${dashboard.project_id}/custom-tools/${tools.find((tool: any) => tool.name === name).id}?tab=try-it`;

browserTest('the preview shows what is signed, and the signature is that of the secret', async () => {
  const page = await dashboard.open(tryIt('find_products'));
  await page.getByLabel('Arguments').fill('{"search":"green tea"}');
  await page.getByText('https://sample-shop.toolgate.invalid/v1/products?search=green%20tea').waitFor();
  const canonical = await page.getByLabel('Canonical string').inputValue();
  assert.match(
    canonical,
    /^v1\n\d+\ncall_\w+\nGET\nsample-shop\.toolgate\.invalid\n\/v1\/products\nsearch=green%20tea/,
  );
  const signature = createHmac('sha256', SAMPLE_SECRET).update(canonical).digest('hex');
  await page.getByText(`v1=${signature}`).first().waitFor();
  assert.ok(!(await page.content()).includes(SAMPLE_SECRET));
  await closePage(page);
});

browserTest(
  'a field and the JSON of the arguments are the same, and Run shows the answer, its stages and the MCP view',
  async () => {
    const page = await dashboard.open(tryIt('find_products'));
    await page.getByLabel('search', { exact: true }).fill('mug');
    assert.deepEqual(JSON.parse(await page.getByLabel('Arguments').inputValue()), { search: 'mug' });
    await page.getByLabel('Arguments').fill('{"search":"pot"}');
    assert.equal(await page.getByLabel('search', { exact: true }).inputValue(), 'pot');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const result = page.getByRole('region', { name: 'Result', exact: true });
    await result.getByText('"Tea pot, 1 l"').waitFor();
    await page.getByRole('list', { name: 'History' }).locator('time[title$=UTC]').waitFor();
    await result.getByRole('tab', { name: 'Timing' }).click();
    await result.getByRole('table', { name: 'Stages' }).getByRole('rowheader', { name: 'Your API' }).waitFor();
    const steps = result.getByRole('list', { name: 'Steps' });
    await result.getByRole('tab', { name: 'Trace' }).click();
    await steps.getByRole('listitem').filter({ hasText: 'Response to the caller' }).getByText('passed').waitFor();
    await result.getByRole('tab', { name: 'MCP' }).click();
    const response = JSON.parse(await result.getByRole('region', { name: 'MCP response' }).innerText());
    assert.equal(response.result.structuredContent.products[0].id, 'pot');

    await page.getByRole('tab', { name: 'Calls' }).click();
    const row = page.getByRole('table', { name: 'Calls' }).getByRole('row').nth(1);
    await row.getByText('test', { exact: true }).waitFor();
    await row.getByRole('link').click();
    await page.getByRole('dialog', { name: 'Call of find_products' }).getByRole('list', { name: 'Steps' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Try it' }).click();
    await result.getByText('"Tea pot, 1 l"').waitFor();
    await result.getByRole('link', { name: 'In the log' }).click();
    await page.waitForURL(/\/logs\?call=call_/);
    await page.getByRole('dialog', { name: 'Call of find_products' }).getByRole('table', { name: 'Stages' }).waitFor();
    await closePage(page);
  },
);

browserTest('a member tool runs as a test member', async () => {
  const page = await dashboard.open(tryIt('place_order'));
  assert.equal(await page.getByLabel('Run as').inputValue(), 'member');
  await page.getByLabel('External id').fill('test_grace');
  await page.getByLabel('Arguments').fill('{"product_id":"mug","quantity":2}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('region', { name: 'Result', exact: true }).getByText('"total_cents": 2500').waitFor();
  await page.getByText('as test_grace').waitFor();
  // The log is up to 2 seconds behind the answer.
  const missing = { status: 404, contentType: 'application/json', body: '{"error":{"code":"NOT_FOUND","details":{}}}' };
  await page.route('**/tool-calls/call_*', (route) => route.fulfill(missing), { times: 2 });
  await page.getByRole('link', { name: 'In the log' }).click();
  await page.getByRole('dialog', { name: 'Call of place_order' }).getByRole('table', { name: 'Stages' }).waitFor();
  await closePage(page);
});

browserTest('a refused call shows what the API said, the request id and the step that failed', async () => {
  const page = await dashboard.open(tryIt('place_order'));
  await page.getByLabel('Run as').selectOption('The project');
  await page.getByLabel('Arguments').fill('{"product_id":"mug","quantity":2}');
  await page.getByRole('list', { name: 'Why a call would be refused' }).getByText('MEMBER_CONTEXT_REQUIRED').waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await result.getByRole('alert').getByText('Member context required for this tool').waitFor();
  await result
    .getByRole('alert')
    .getByText(/req_\w+/)
    .waitFor();
  const steps = result.getByRole('list', { name: 'Steps' });
  await steps.getByRole('listitem').filter({ hasText: 'Member' }).getByText('failed').waitFor();
  await result.getByRole('tab', { name: 'MCP' }).click();
  const response = JSON.parse(await result.getByRole('region', { name: 'MCP response' }).innerText());
  assert.equal(response.error.data.code, 'MEMBER_CONTEXT_REQUIRED');

  await page.getByLabel('Run as').selectOption('A test member');
  await page.getByLabel('Arguments').fill('{"product_id":"mug"}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const quantity = page.getByRole('spinbutton', { name: 'quantity', description: /is required/ });
  await quantity.fill('2');
  assert.equal(await quantity.count(), 0, 'the error goes with what it was about');
  await closePage(page);
});

browserTest('the history brings arguments back, and an example is saved with the tool', async () => {
  const page = await dashboard.open(tryIt('find_products'));
  await page.getByLabel('Arguments').fill('{"search":"tea"}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Use again' }).waitFor();
  await page.getByLabel('Arguments').fill('{');
  await page.getByText('This is not JSON').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).getAttribute('aria-disabled'), 'true');
  await page.getByRole('button', { name: 'Use again' }).click();
  await page.getByRole('button', { name: 'Save as example' }).click();
  await page.getByText('Saved as the example of the tool').waitFor();
  await page.reload();
  assert.deepEqual(JSON.parse(await page.getByLabel('Arguments').inputValue()), { search: 'tea' });
  await closePage(page);
});

browserTest('the signature doctor finds the line of a received request that differs', async () => {
  const page = await dashboard.open(tryIt('find_products'));
  await page.getByRole('tab', { name: 'Verify' }).click();
  await page.getByRole('tab', { name: 'Python' }).waitFor();
  await page.getByRole('button', { name: 'Signature doctor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Signature doctor' });
  const received = dialog.getByLabel('Received request');
  const check = () => dialog.getByRole('button', { name: 'Check', exact: true }).click();
  await received.fill('no header');
  await check();
  await dialog.getByText('This line is not a header (name: value): no header').waitFor();
  assert.match((await received.getAttribute('aria-describedby')) ?? '', /error/);

  await dialog.getByRole('button', { name: 'Fill in the request' }).click();
  await dialog.getByText('This line is not a header').waitFor({ state: 'detached' });
  assert.match(await received.inputValue(), /^GET \/v1\/products\?search=.*\nhost: sample-shop/);
  await check();
  await dialog.getByText('A receiver accepts this request.').waitFor();

  const signed = dialog.getByLabel('Text that your code signed');
  const right = await signed.inputValue();
  await signed.fill(right.replace('\nGET\n', '\nget\n'));
  await check();
  await dialog.getByText('Line 4, method, is the first that differs.').waitFor();
  await dialog.getByRole('table', { name: 'Lines' }).getByRole('cell', { name: 'get', exact: true }).waitFor();
  await signed.fill('');
  await received.fill((await received.inputValue()).replace(/search=\w*/, 'search=changed'));
  await check();
  const failed = dialog.getByRole('list', { name: 'Checks' }).getByRole('listitem').filter({ hasText: 'Signature' });
  await failed.getByText("None of this tool's secrets signed this request.").waitFor();
  await expectAccessible(page, 'the report');
  await closePage(page);

  const listed = await dashboard.open(`/projects/${dashboard.project_id}/custom-tools`);
  await listed.getByRole('row').filter({ hasText: 'find_products' }).getByRole('button', { name: 'Actions' }).click();
  await listed.getByRole('menuitem', { name: 'Signature doctor' }).click();
  await listed.getByRole('dialog', { name: 'Signature doctor' }).waitFor();
  await closePage(listed);
});
