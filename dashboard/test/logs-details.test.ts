// The pages of logs and analytics beyond the journeys: refused requests, charts, filters, files, and who may not read them.

import assert from 'node:assert/strict';
import { insertCalls } from '../../server/src/features/activity/analytics/store.ts';
import { recordMany } from '../../server/test/support/database/record-many.ts';
import { makePerson } from '../../server/test/support/make/make-accounts.ts';
import { newCall } from '../../server/test/support/make/new-call.ts';
import { logs, newest, savedFile, startLogs } from './fill-logs.ts';
import { browserTest, closePage, expectAccessible, waitForData } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const { dashboard, server, api, project, key, search, order, call } = await startLogs();

browserTest(
  'once the bytes of a day are recorded, the settings say when it goes on, and a call why it has no payload',
  async () => {
    const page = await dashboard.open(`${project}/settings`);
    await page.getByText(/^[\d.]+ (bytes|KiB) of 256 MiB used today\. The count/).waitFor();
    await closePage(page);

    await server.app.pool.query(
      `insert into payload_bytes select $1, (now() at time zone 'UTC')::date, $2
     on conflict (project_id, day) do update set bytes = excluded.bytes`,
      [dashboard.project_id, 256 * 2 ** 20],
    );
    const request_id = await call(search, { q: 'shoes' });
    await server.app.batch_writer.flush();
    const log = await dashboard.open(`${project}/logs?request_id=${request_id}`);
    await newest(log).getByRole('link').click();
    const drawer = log.getByRole('dialog', { name: `Call of ${search.name}` });
    await drawer.getByText('Not recorded: the project reached its daily limit for payloads.').waitFor();
    await expectAccessible(log, 'the drawer of a call without a payload');
    await drawer.getByRole('link', { name: 'Settings' }).click();
    await log.getByText('256 MiB of 256 MiB used today; recording resumes at 00:00 UTC').waitFor();
    await expectAccessible(log, 'the settings with all bytes used');
    await closePage(log);
    await server.app.pool.query('delete from payload_bytes');
  },
);

browserTest('a refused request that is no call is explained by its id', async () => {
  const { headers } = await server.api('DELETE', `/custom-tools/${order.id}`, { key: key.key });
  // A trace is stored within two seconds after its answer.
  await server.app.batch_writer.flush();
  const page = await dashboard.open(`${project}/logs?request_id=${headers.get('x-request-id')}`);
  const steps = page.getByRole('list', { name: 'Steps' });
  await steps.getByRole('listitem').filter({ hasText: 'Permission' }).getByText('failed').waitFor();
  await page.getByText('No call matches').waitFor();
  await expectAccessible(page, 'the trace');
  await page.getByLabel('Request id').fill('req_unknown');
  await page.getByText('There is no trace of this request').waitFor();
  await closePage(page);
});

browserTest('members of an hour with very many calls are shown by hour, and the page says so', async () => {
  const { app } = server;
  const { id } = await api('POST', '/projects', { name: 'Busy', environment: 'development' });
  const since = app.now() - 20 * 60_000;
  await recordMany(app, id, { count: 20_001, since }, { member_id: `'mem_' || i % 3` });
  const page = await dashboard.open(`/projects/${id}/analytics?range=1h&group_by=member`);
  const table = page.getByRole('table', { name: 'Calls by Member' });
  await table.getByRole('row').nth(3).waitFor();
  await table.getByText('6,667').first().waitFor();
  await page.getByText('Too many calls to group by minute: these are whole hours').waitFor();
  await closePage(page);
});

browserTest('dragging over a chart zooms, a click shows the calls of an interval', async () => {
  const page = await dashboard.open(`${project}/analytics`);
  await waitForData(page);
  const box = await page.getByRole('img', { name: 'Calls, drawn over time' }).boundingBox();
  assert.ok(box);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 200, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 320, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/from=.+&to=/);
  await page.getByRole('button', { name: 'Reset zoom' }).click();
  await page.waitForURL((url) => !url.search.includes('from='));
  await page.mouse.click(box.x + 260, y);
  await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
  assert.match(page.url(), /from=.+&to=/);
  await closePage(page);
});

browserTest('a tap on a chart shows the calls of an interval', async () => {
  const page = await dashboard.open(`${project}/analytics`, { touch: true });
  await waitForData(page);
  const box = await page.getByRole('img', { name: 'Calls, drawn over time' }).boundingBox();
  assert.ok(box);
  await page.touchscreen.tap(box.x + 260, box.y + box.height / 2);
  await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
  assert.match(page.url(), /from=.+&to=/);
  await closePage(page);
});

browserTest(
  '"Previous" goes back one page after a call was opened, and the column says that times are UTC',
  async () => {
    const page = await dashboard.open(`${project}/logs`);
    await logs(page).getByRole('columnheader', { name: 'Time', exact: true }).waitFor();
    const next = page.getByRole('button', { name: 'Next' });
    const cursor = () => new URL(page.url()).searchParams.get('cursor');
    const cursors: (string | null)[] = [];
    for (let i = 0; i < 2; i += 1) {
      const before = cursor();
      await next.click();
      await page.waitForURL((url) => url.searchParams.get('cursor') !== before);
      // The rows are pale until those of the new page are there.
      await logs(page).locator('tbody:not(.opacity-60)').waitFor();
      cursors.push(cursor());
    }
    await newest(page).getByRole('link').click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(cursor(), cursors[1]);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.waitForURL((url) => url.searchParams.get('cursor') !== cursors[1]);
    assert.equal(cursor(), cursors[0]);
    await closePage(page);
  },
);

browserTest('a filter without a name is shown by its id, and a viewer asks for nothing that is refused', async () => {
  const viewer = await makePerson(server, dashboard.owner, 'viewer');
  const page = await dashboard.open('/account', { as: viewer });
  await waitForData(page);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await goTo(page, `${project}/logs?api_key_id=${key.id}&tool_id=tool_deleted&integration_id=int_deleted`);
  await page.getByText('No call matches').waitFor();
  await waitForData(page);
  for (const [label, id] of Object.entries({ 'API key': key.id, Tool: 'tool_deleted', Integration: 'int_deleted' })) {
    const filter = page.getByLabel(label, { exact: true });
    assert.equal(await filter.inputValue(), id);
    assert.equal(await filter.locator('option:checked').innerText(), id);
  }
  await page.getByLabel('Tool', { exact: true }).selectOption('Tool: all');
  await page.waitForURL((url) => !url.search.includes('tool_id'));
  assert.deepEqual(refused, []);
  await closePage(page);
});

browserTest('a start without an end is named as it is, and "Between" keeps it', async () => {
  const from = new Date(server.app.now() - 2 * 3_600_000).toISOString();
  const page = await dashboard.open(`${project}/logs?from=${from}`);
  const time = page.getByLabel('Time', { exact: true });
  await time
    .locator('option:checked')
    .getByText(`Since ${from.slice(0, 10)}`)
    .waitFor({ state: 'attached' });
  assert.equal(await page.getByLabel('From (UTC)').count(), 0);
  await time.selectOption('Between');
  await page.waitForURL(/to=/);
  assert.equal(new URL(page.url()).searchParams.get('from'), from);
  await page.getByLabel('From (UTC)').waitFor();
  await closePage(page);
});

browserTest('a name that a spreadsheet would run as a formula is text in the CSV', async () => {
  const hostile = '=HYPERLINK("https://evil.example","a")';
  const made = await api('POST', `${project}/api-keys`, { name: hostile, permissions: ['read', 'write'] });
  const called = newCall(dashboard.project_id, { api_key_id: made.id, created_at: server.app.now() });
  await insertCalls(server.app.background.pool, [called]);
  const page = await dashboard.open(`${project}/analytics?group_by=api_key`);
  await page.getByRole('table', { name: 'Calls by API key' }).getByRole('link', { name: hostile }).waitFor();
  const csv = await savedFile(page, () => page.getByRole('button', { name: 'Groups as CSV' }).click());
  assert.ok(csv.includes(`"'=HYPERLINK(""https://evil.example"",""a"")"`), csv);
  await closePage(page);
});

browserTest(
  'an audit entry stays open when newer ones push it away, and a link to one that is not there says so',
  async () => {
    const { data } = await api('GET', `${project}/audit-log?action=custom_tool.created`);
    const page = await dashboard.open('/account');
    await page.clock.install();
    await goTo(page, `${project}/audit-log?entry=${data[0].id}`);
    const drawer = page.getByRole('dialog', { name: 'custom_tool.created' });
    await drawer.waitFor();
    const nothing = { data: [], has_more: false, next_cursor: null };
    await page.route(/\/audit-log\?/, (route) => route.fulfill({ json: nothing }));
    // Whoever comes back to the tab sees the list read again.
    await page.clock.fastForward(60_000);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Nothing has changed yet').waitFor();
    await drawer.getByRole('table', { name: 'Changes' }).waitFor();
    await page.unroute(/\/audit-log\?/);

    await goTo(page, `${project}/audit-log?action=api_key.created&entry=${data[0].id}`);
    const missing = page.getByRole('dialog', { name: 'Audit entry' });
    await missing.getByText('This entry is not on this page').waitFor();
    await expectAccessible(page, 'a missing entry');
    await page.keyboard.press('Escape');
    await missing.waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /entry=/);
    await closePage(page);
  },
);

browserTest('a viewer is told why the audit log is not theirs to read', async () => {
  const viewer = await makePerson(server, dashboard.owner, 'viewer');
  const page = await dashboard.open(`${project}/audit-log`, { as: viewer });
  await page.getByText('You cannot read the audit log').waitFor();
  await page.getByText('does not have the permission “admin”').waitFor();
  await expectAccessible(page, 'the page');
  await closePage(page);
});
