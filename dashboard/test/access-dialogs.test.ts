// The dialogs of API keys, integrations, OAuth, assertion keys and members, as axe sees them.

import { addAccessSamples } from './access-samples.ts';
import { browserTest, chooseAction, closePage, expectAccessible, startDashboard, waitForData } from './open-browser.ts';
import { goTo } from './turn-page.ts';

const dashboard = await startDashboard();
const { api } = dashboard;
const project = `/projects/${dashboard.project_id}`;
await addAccessSamples(dashboard);
await api('POST', `${project}/api-keys`, { name: 'Script', permissions: ['read'] });

browserTest('every dialog of a row has no violation, and closes by Escape', async () => {
  const dialogs = [
    ['api-keys', 'Script', ['Rename', 'Rotate', 'Delete']],
    ['integrations', 'Support desk', ['Edit', 'Delete']],
    ['oauth', 'Google', ['Set up and test', 'Edit', 'Delete']],
    ['oauth', 'Web shop', ['Edit', 'Rotate', 'Delete']],
    ['assertion-keys', 'backend-2026', ['Show public key', 'Deactivate', 'Delete']],
    ['members', 'user-17', ['Revoke sessions', 'Delete member']],
  ] as const;
  const page = await dashboard.open('/account', { theme: 'dark' });
  for (const [path, row, actions] of dialogs) {
    await goTo(page, `${project}/${path}`);
    await waitForData(page);
    for (const action of actions) {
      await chooseAction(page, row, action);
      const dialog = page.locator('[role=dialog], [role=alertdialog]');
      await dialog.waitFor();
      await expectAccessible(page, `${action} of ${row}`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  }
  for (const path of ['oauth?dialog=client', 'integrations?dialog=create', 'assertion-keys?dialog=debug']) {
    await goTo(page, `${project}/${path}`);
    await page.getByRole('dialog').waitFor();
    await waitForData(page);
    await expectAccessible(page, path);
  }
  await closePage(page);
});
