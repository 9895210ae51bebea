// A member is deleted from their page.

import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { makeMemberSessions } from '../../server/test/support/make/make-members.ts';
import {
  browserTest,
  closePage,
  confirmByName,
  expectAccessible,
  startDashboard,
  waitForData,
} from './open-browser.ts';

const dashboard = await startDashboard();
const { server, project_id, api } = dashboard;
const members = `/projects/${project_id}/members`;
const { session } = await makeMemberSessions(server, project_id);

async function makeMember(external_id: string): Promise<{ id: string }> {
  await session(external_id);
  return (await api('GET', `/members?external_id=${external_id}`)).data[0];
}

const EXPLAINED = [
  'Sessions, connected accounts',
  'The call log keeps the calls',
  "Older entries can't be changed",
  'cannot be undone',
];

browserTest(
  'deleting a member says what happens, goes on until everything is erased, and leads to the list',
  async () => {
    const { id } = await makeMember('user-to-forget');
    const page = await dashboard.open(`${members}/${id}`);
    await page.getByRole('button', { name: 'Delete member' }).click();
    const dialog = page.getByRole('alertdialog');
    for (const text of EXPLAINED) await dialog.getByText(text).waitFor();
    await expectAccessible(page, 'delete a member');
    let sent = 0;
    let isDeleted = false;
    page.on('response', (response) => {
      if (response.status() === 204) isDeleted = true;
    });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (isDeleted) asked.push(request.url());
    });
    await page.route(
      ({ pathname }) => pathname === `/api/v1/members/${id}`,
      (route: Route) => {
        if (route.request().method() !== 'DELETE') return route.fallback();
        sent += 1;
        if (sent > 1) return route.fallback();
        const error = { code: 'MEMBER_DELETION_UNFINISHED', message: 'Not finished', details: {}, request_id: 'req_1' };
        return route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: { error } });
      },
    );
    await confirmByName(dialog, 'user-to-forget', 'Delete member');
    await page.getByText('Member deleted').waitFor();
    // Not the URL: it changes while the page of the member is still shown.
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await waitForData(page);
    assert.equal(page.url(), server.url + members);
    assert.equal(sent, 2);
    assert.deepEqual(
      asked.filter((url) => url.includes(id)),
      [],
      'nothing is asked about a member who is gone',
    );
    assert.equal(await page.getByText('user-to-forget').count(), 0);
    assert.deepEqual((await api('GET', '/members?external_id=user-to-forget')).data, []);
    await closePage(page);
  },
);

browserTest('a member whom somebody else has deleted meanwhile counts as deleted', async () => {
  const { id } = await makeMember('user-already-gone');
  const page = await dashboard.open(`${members}/${id}`);
  await page.getByRole('button', { name: 'Delete member' }).click();
  await api('DELETE', `/members/${id}`);
  await confirmByName(page.getByRole('alertdialog'), 'user-already-gone', 'Delete member');
  await page.getByText('Member deleted').waitFor();
  await closePage(page);
});
