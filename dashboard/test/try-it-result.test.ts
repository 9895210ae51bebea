// "Try it": the result is beside the button, says that the call runs, and shows what the API answered to a failed call.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { browserTest, closePage, expectAccessible, startDashboard } from './open-browser.ts';

const customer = await startCustomer();
after(() => customer.close());
const dashboard = await startDashboard({ TOOLGATE_EGRESS_ALLOW: customer.address });
const properties = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`field_${i}`, { type: 'string' }]));

async function makeTool(name: string, fields: object = {}): Promise<string> {
  const body = { name, base_url: customer.url, endpoint_path: `/${name}`, input_schema: { type: 'object' }, ...fields };
  const { id } = await dashboard.api('POST', '/custom-tools', body);
  return `/projects/${dashboard.project_id}/custom-tools/${id}?tab=try-it`;
}

/** The part of the region's head that is inside of the window. */
async function expectInView(page: Page, text: string): Promise<void> {
  const place = await page.getByRole('region', { name: 'Result', exact: true }).getByText(text).first().boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  assert.ok(
    place && place.y >= 0 && place.y + place.height <= height && place.x + place.width <= width,
    `${text} is out of view`,
  );
}

for (const [where, size] of [
  ['a wide screen', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 800 }],
] as const) {
  browserTest(
    `on ${where} the result of a long form is in view as soon as Run is pressed, and says that it runs`,
    async () => {
      const name = `slow_${size.width}`;
      const path = await makeTool(name, { input_schema: { type: 'object', properties } });
      const { promise: hold, resolve: respond } = Promise.withResolvers<void>();
      customer.respond(`/${name}`, { hold, body: { found: 'the teapot' } });
      const page = await dashboard.open(path, size);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const result = page.getByRole('region', { name: 'Result', exact: true });
      await result.getByText('Running…').waitFor();
      assert.equal(await result.getAttribute('aria-busy'), 'true');
      await expectInView(page, 'Running…');
      respond();
      await result.getByText('"the teapot"').waitFor();
      await expectInView(page, 'Result');
      await expectAccessible(page, 'the answer');
      await closePage(page);
    },
  );
}

browserTest('the trace of a failed call has the body of the answer, and its caller got an answer', async () => {
  const path = await makeTool('missing');
  customer.respond('/missing', { status: 404, body: { error: 'no such order' } });
  const page = await dashboard.open(path);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const steps = page.getByRole('region', { name: 'Result', exact: true }).getByRole('list', { name: 'Steps' });
  const step = (name: string) => steps.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  await step('Response of your API').getByText('failed', { exact: true }).waitFor();
  await step('Response of your API').getByText('{"error":"no such order"}').waitFor();
  await step('Response to the caller').getByText('passed', { exact: true }).waitFor();
  await expectAccessible(page, 'the trace');
  await closePage(page);
});

browserTest('a name that does not resolve fails the step of the address', async () => {
  const page = await dashboard.open(await makeTool('nowhere', { base_url: 'https://no-such-host.toolgate.invalid' }));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const steps = page.getByRole('region', { name: 'Result', exact: true }).getByRole('list', { name: 'Steps' });
  const address = steps.getByRole('listitem').filter({ hasText: 'IP address of your API' });
  await address.getByText('failed', { exact: true }).waitFor();
  await address.getByText('host_not_resolved').waitFor();
  await closePage(page);
});
