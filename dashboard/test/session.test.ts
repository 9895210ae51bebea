// The session of a person: how it ends, and that pages of other origins cannot use it.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { makePerson, PASSWORD, type Person, signIn } from '../../server/test/support/make/make-accounts.ts';
import { browserTest, closePage, comeBack, startDashboard, waitForData } from './open-browser.ts';

const dashboard = await startDashboard();
const { server } = dashboard;
const path = `/projects/${dashboard.project_id}/custom-tools?search=none`;
const ENDED = 'Your session has expired. Sign in to continue.';
const IDLE_MS = 12 * 3_600_000;
/** The owner, with a session that no other test has ended. */
const signInOwner = () => signIn(server, dashboard.owner.email);

/** A page of another origin, on the same host: browsers send it the cookie's site, so only the Origin tells them apart. */
const foreign = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end('<title>Foreign</title>'),
);
await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
after(() => foreign.close());

browserTest(
  'a session that expires or is ended leads to the sign-in with the reason, and back to the page',
  async () => {
    const ends: [string, (person: Person) => unknown][] = [
      ['by its age', () => server.advance(IDLE_MS + 60_000)],
      ['elsewhere', (person) => person.api('DELETE', `/account/sessions/${person.account.session.id}`)],
    ];
    for (const [how, end] of ends) {
      const person = await makePerson(server, await signInOwner(), 'developer');
      const page = await dashboard.open(path, { as: person });
      await page.getByText('No tool matches').waitFor();
      await end(person);
      // On the open page, by its next request, and when the page is loaded again.
      for (const act of [
        () => page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Webhooks' }).click(),
        () => page.goto(server.url + path),
      ]) {
        await act();
        await page.getByText(ENDED).waitFor();
        assert.equal(new URL(page.url()).pathname, '/sign-in', how);
      }
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Custom tools', level: 1 }).waitFor();
      assert.equal(await page.getByLabel('Search tools').inputValue(), 'none', 'the filters are as before');
      await closePage(page);
    }
  },
);

browserTest('a person ends another session of theirs, and that browser is signed out', async () => {
  const owner = await signInOwner();
  const other = await signInOwner();
  const page = await dashboard.open('/account', { as: owner });
  const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
  await rows.filter({ hasText: 'This session' }).waitFor();
  const elsewhere = await dashboard.open('/', { as: other });
  await waitForData(elsewhere);
  while ((await rows.getByRole('button', { name: 'End session' }).count()) > 0) {
    const before = await rows.count();
    await rows.getByRole('button', { name: 'End session' }).first().click();
    await rows.nth(before - 1).waitFor({ state: 'detached' });
  }
  await elsewhere.reload();
  await elsewhere.getByText(ENDED).waitFor();
  await closePage(elsewhere);
  await page.reload();
  await rows.filter({ hasText: 'This session' }).waitFor();
  await closePage(page);
});

browserTest('a browser that has never signed in is not told that a session has ended', async () => {
  for (const address of ['/', path]) {
    const page = await dashboard.open(address, { as: null });
    await page.getByLabel('Email').waitFor();
    assert.equal(await page.getByText(ENDED).count(), 0, address);
    assert.equal(new URL(page.url()).searchParams.get('reason'), null);
    await closePage(page);
  }
});

browserTest('the link in next leads only to pages of this server', async () => {
  const page = await dashboard.open('/sign-in?next=//evil.example/', { as: null });
  await page.getByLabel('Email').fill(dashboard.owner.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  assert.equal(new URL(page.url()).origin, server.url);
  await closePage(page);
});

browserTest('a page of another origin cannot change or read anything with the cookie', async () => {
  const owner = await signInOwner();
  const page = await dashboard.open('/', { as: owner });
  await waitForData(page);
  const names = async () => (await owner.api('GET', '/projects')).body.data.map(({ name }: { name: string }) => name);
  const before = await names();
  const sent: Promise<Record<string, string>>[] = [];
  page.context().on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.allHeaders());
  });
  const attacker = await page.context().newPage();
  await attacker.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
  const projects = `${server.url}/api/v1/projects`;
  const attempt = (options: object) =>
    attacker.evaluate(
      `fetch(${JSON.stringify(projects)}, ${JSON.stringify({ credentials: 'include', ...options })}).then(
        async (response) => response.type + ' ' + response.status + ' ' + (await response.text()), () => 'refused')`,
    );
  const body = JSON.stringify({ name: 'Forged' });
  for (const type of ['text/plain', 'application/json']) {
    const headers = { 'content-type': type };
    await attempt({ method: 'POST', mode: 'no-cors', headers, body });
    assert.equal(await attempt({ method: 'POST', headers, body }), 'refused', type);
  }
  assert.equal(await attempt({}), 'refused', 'reading');
  // A form needs no permission of CORS. Its body is made to look like JSON.
  await attacker.evaluate(`{
    const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'text/plain', action: ${JSON.stringify(projects)} });
    form.append(Object.assign(document.createElement('input'), { name: '{"name":"Forged","x":"', value: '"}' }));
    document.body.append(form);
    form.submit();
  }`);
  await attacker.waitForURL(projects);
  assert.match(await attacker.content(), /ORIGIN_NOT_ALLOWED/);
  const headers = await Promise.all(sent);
  assert.ok(
    headers.some(({ cookie }) => cookie?.includes(owner.cookie)),
    'the browser did send the cookie, so the check of the Origin was needed',
  );
  assert.deepEqual(await names(), before);
  await closePage(page);
});

browserTest('a form outlives the session: its text stays, and is sent after a sign-in in another tab', async () => {
  const admin = await makePerson(server, await signInOwner(), 'admin');
  const page = await dashboard.open('/people?dialog=create', { as: admin });
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('Email').fill('ada@example.com');
  await admin.api('POST', '/account/sign-out');
  const [received] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/v1/account')),
    comeBack(page),
  ]);
  assert.equal(received.status(), 401, 'the page noticed it');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('alert').getByRole('link', { name: 'Sign in' }).click(),
  ]);
  await tab.getByLabel('Email').fill(admin.email);
  await tab.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  assert.equal(await dialog.getByLabel('Email').inputValue(), 'ada@example.com');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Invitation link').waitFor();
  await closePage(page);
});

browserTest('going back after signing out shows no page of before', async () => {
  const page = await dashboard.open('/', { as: await makePerson(server, await signInOwner(), 'viewer') });
  await waitForData(page);
  await page.goto(server.url + path);
  await page.getByText('No tool matches').waitFor();
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  // Every heading that is ever in the page, also for a moment.
  await page.evaluate(`{
    window.headings = new Set();
    new MutationObserver(() => document.querySelectorAll('h1').forEach(({ textContent }) => headings.add(textContent)))
      .observe(document, { childList: true, subtree: true });
  }`);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
  await page.evaluate('headings.clear()');
  const shown = async () => (await page.evaluate('[...(window.headings ?? [])]')) as string[];
  for (const step of ['the page that signed out', 'the page before it', 'a page that was loaded']) {
    await page.goBack();
    await page.getByLabel('Email').waitFor();
    assert.deepEqual(
      (await shown()).filter((heading) => heading !== 'Sign in'),
      [],
      step,
    );
    assert.equal(await page.getByText(ENDED).count(), 0, 'whoever signed out knows it');
  }
  await closePage(page);
});

browserTest('a page that the browser kept is shown again only while its session goes on', async () => {
  const person = await makePerson(server, await signInOwner(), 'viewer');
  const page = await dashboard.open(path, { as: person });
  await page.getByText('No tool matches').waitFor();
  const keep = (type: string) =>
    page.evaluate(`dispatchEvent(new PageTransitionEvent('${type}', { persisted: true }))`);
  const content = page.getByRole('heading', { name: 'Custom tools', level: 1 });
  await keep('pagehide');
  assert.equal(await content.isVisible(), false);
  await keep('pageshow');
  await content.waitFor();
  await keep('pagehide');
  await person.api('POST', '/account/sign-out');
  await keep('pageshow');
  await page.getByLabel('Email').waitFor();
  await closePage(page);
});

browserTest('a sign-out that fails says so with the request id', async () => {
  const page = await dashboard.open('/', { as: await makePerson(server, await signInOwner(), 'viewer') });
  await waitForData(page);
  const error = { code: 'OVERLOADED', message: 'Too busy', details: {}, request_id: 'req_of_the_failure' };
  await page.route('**/account/sign-out', (route) => route.fulfill({ status: 503, json: { error } }), { times: 1 });
  const signOut = async () => {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await signOut();
  await page.getByText('Too busy').waitFor();
  await page.getByText(/req_of_the_failure/).waitFor();
  await signOut();
  await page.getByText('You are signed out.').waitFor();
  await closePage(page);
});
