// Files in "Try it": one is chosen or dropped and becomes the argument, and one that an API returns is shown and downloaded.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after } from 'node:test';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { browserTest, closePage, expectScreen, startDashboard } from './open-browser.ts';

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const make = (name: string, fields: object) =>
  dashboard.api('POST', '/custom-tools', { name, base_url: customer.url, endpoint_path: `/${name}`, ...fields });
const tryIt = ({ id }: { id: string }) => `/projects/${dashboard.project_id}/custom-tools/${id}?tab=try-it`;

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

browserTest('a file is chosen or dropped, becomes the argument, and its bytes are sent', async () => {
  const properties = { report: { type: 'string', format: 'file' }, note: { type: 'string' } };
  const tool = await make('send_report', {
    method: 'POST',
    body_format: 'multipart',
    input_schema: { type: 'object', properties, required: ['report'] },
  });
  customer.respond('/send_report', { body: { ok: true } });
  const page = await dashboard.open(tryIt(tool));
  const form = page.getByRole('form', { name: 'Try it' });
  assert.equal(await form.getByLabel('Arguments').inputValue(), '{}', 'no text stands for a file');
  const report = form.getByLabel('report', { exact: true });
  await report.setInputFiles({ name: 'report.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2') });
  await form.getByText('report.csv').waitFor();
  await form.getByText('text/csv · 7 bytes').waitFor();
  assert.match(JSON.parse(await form.getByLabel('Arguments').inputValue()).report, /^fil_\w+$/);
  await form.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('region', { name: 'Result', exact: true }).getByText('"ok": true').waitFor();
  assert.match(String(customer.at('/send_report')[0]?.body), /filename="report\.csv"[\s\S]*a,b\n1,2/);

  await form.getByRole('button', { name: 'Remove' }).click();
  assert.equal(await form.getByLabel('Arguments').inputValue(), '{}');
  const dropped = await page.evaluateHandle(
    "(() => { const data = new DataTransfer(); data.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' })); return data; })()",
  );
  await report.locator('..').dispatchEvent('drop', { dataTransfer: dropped });
  await form.getByText('dropped.txt').waitFor();
  await expectScreen(page, 'a file as an argument');

  await form.getByLabel('Arguments').fill('{"report":"fil_aaaaaaaaaaaaaaaaaaaaaa"}');
  await form.getByText('This file does not exist, or has been deleted.').waitFor();
  await form.getByRole('button', { name: 'Remove' }).click();
  await page.evaluate("Object.defineProperty(File.prototype, 'size', { get: () => 25_000_001 })");
  await report.setInputFiles({ name: 'large.bin', mimeType: '', buffer: Buffer.from('x') });
  await form.getByText('A file can have at most 25.0 MB').waitFor();
  await closePage(page);
});

browserTest('a picture that an API returns is shown, and every file has its name, size and download', async () => {
  const picture = await make('get_picture', { method: 'GET' });
  const invoice = await make('get_invoice', { method: 'GET' });
  customer.respond('/get_picture', { body: PNG, headers: { 'content-type': 'image/png' } });
  customer.respond('/get_invoice', {
    body: '%PDF-1.7',
    headers: { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="invoice 7.pdf"' },
  });
  const page = await dashboard.open(tryIt(picture));
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const shown = result.getByRole('img', { name: 'get_picture.png' });
  await shown.waitFor();
  assert.match((await shown.getAttribute('src')) ?? '', /^data:image\/png;base64,/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    result.getByRole('link', { name: 'Download' }).click(),
  ]);
  assert.deepEqual([download.suggestedFilename(), await readFile(await download.path())], ['get_picture.png', PNG]);
  await expectScreen(page, 'a picture as a result');
  await result.getByRole('tab', { name: 'MCP' }).click();
  await result.getByText('"mimeType": "image/png"').waitFor();
  await closePage(page);

  const other = await dashboard.open(tryIt(invoice));
  await other.getByRole('button', { name: 'Run', exact: true }).click();
  const file = other.getByRole('region', { name: 'Result', exact: true });
  await file.getByText('invoice 7.pdf').waitFor();
  await file.getByText('application/pdf · 8 bytes').waitFor();
  assert.equal(await file.getByRole('img').count(), 0);
  await closePage(other);
});
