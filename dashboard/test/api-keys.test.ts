// Keys, from the first to the last: status, rotation, names that are confirmed, and a secret that is shown once.

import assert from 'node:assert/strict';
import { browserTest, closePage, expectAccessible, startDashboard, waitForData } from './open-browser.ts';

const dashboard = await startDashboard();
const path = `/projects/${dashboard.project_id}/api-keys`;
const makeKey = (name: string) => dashboard.api('POST', path, { name, permissions: ['read'] });
const keyStatus = async (id: string) => (await dashboard.api('GET', `${path}/${id}`)).status;

browserTest('a key is deactivated, and activated again with Undo', async () => {
  const { id, name } = await makeKey('To pause');
  const page = await dashboard.open(path);
  const row = page.getByRole('row', { name });
  await row.getByRole('button', { name: 'Actions' }).click();
  await expectAccessible(page, 'the menu');
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await row.getByText('inactive').waitFor();
  assert.equal(await keyStatus(id), 'inactive');
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('active', { exact: true }).waitFor();
  assert.equal(await keyStatus(id), 'active');
  await closePage(page);
});

browserTest('a key is revoked only after its name was typed', async () => {
  const { id, name } = await makeKey('To revoke');
  const page = await dashboard.open(path);
  const row = page.getByRole('row', { name });
  await row.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const dialog = page.getByRole('alertdialog');
  await expectAccessible(page, 'the confirmation');
  const revoke = dialog.getByRole('button', { name: 'Revoke' });
  assert.equal(await revoke.isDisabled(), true);
  await dialog.getByLabel('Type the name to confirm').fill('to revoke');
  assert.equal(await revoke.isDisabled(), true);
  await dialog.getByLabel('Type the name to confirm').fill(name);
  await revoke.click();
  await row.getByText('revoked').waitFor();
  assert.equal(await keyStatus(id), 'revoked');
  await closePage(page);
});

browserTest(
  'a name with spaces or a new line that nobody sees is confirmed as it is read, typed or pasted',
  async () => {
    const page = await dashboard.open(path);
    for (const [index, name] of ['two  spaces', ' in front', 'over\ntwo lines'].entries()) {
      const { id } = await makeKey(name);
      await page.reload();
      await page
        .getByRole('row', { name: name.trim().replace(/\s+/g, ' ') })
        .getByRole('button', { name: 'Actions' })
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('alertdialog');
      const field = dialog.getByLabel('Type the name to confirm');
      if (index === 0) {
        await field.fill('two');
        assert.equal(await dialog.getByRole('button', { name: 'Delete' }).isDisabled(), true);
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await dialog.getByRole('button', { name: 'Copy the name' }).click();
        await dialog.getByRole('button', { name: 'Copied' }).waitFor();
        await field.fill('');
        await page.keyboard.press('Control+v');
        await expectAccessible(page, 'the confirmation');
      } else await field.fill(name.trim().replace(/\s+/g, ' '));
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { data } = await dashboard.api('GET', path);
      assert.ok(!data.some((key: { id: string }) => key.id === id), `“${name}” is deleted`);
    }
    await closePage(page);
  },
);

browserTest('a rotated key gives its successor, with the secret shown once', async () => {
  const { id, name } = await makeKey('To rotate');
  const page = await dashboard.open(path);
  await page.getByRole('row', { name }).getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  const secret = await page.getByLabel('Secret').inputValue();
  const { rotated_to } = await dashboard.api('GET', `${path}/${id}`);
  assert.ok(rotated_to);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByLabel('Secret').waitFor({ state: 'detached' });
  assert.ok(!(await page.content()).includes(secret));
  await closePage(page);
});

browserTest('the page of a key shows its facts and what was done to it', async () => {
  const { name } = await makeKey('<b>"hostile" & name</b>');
  const page = await dashboard.open(path);
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Audit log' }).getByText('api_key.created').waitFor();
  await waitForData(page);
  await expectAccessible(page, 'a key');
  await closePage(page);
});

browserTest('a secret stays until "I have saved it": Ctrl+K, Back and a reload do not take it away', async () => {
  const page = await dashboard.open(`/projects/${dashboard.project_id}`);
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('To be saved');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const secret = page.getByLabel('Secret');
  const value = await secret.inputValue();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await page.keyboard.press('Control+k');
  const [asked] = await Promise.all([
    page.waitForEvent('dialog'),
    page.evaluate('void setTimeout(() => location.reload())'),
  ]);
  assert.equal(asked.type(), 'beforeunload');
  await asked.dismiss();
  assert.equal(await palette.count(), 0);
  await page.evaluate("new Promise((done) => { addEventListener('popstate', done, { once: true }); history.back(); })");
  await page.waitForURL(`**${path}`);
  assert.equal(await secret.inputValue(), value);
  // The title names the key until the dialog is gone.
  await page.evaluate(`{
    window.titles = [];
    const note = () => titles.push(document.querySelector('[role=dialog] h2')?.textContent ?? '');
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  }`);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await secret.waitFor({ state: 'detached' });
  const titles: string[] = await page.evaluate('titles');
  assert.deepEqual(new Set(titles.filter(Boolean)), new Set(['The key “To be saved” is ready']));
  await page.waitForURL(`**${path}`);
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  await closePage(page);
});
