// The first set-up: the link, who gets to use it, and what it creates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSetupLink } from '../../src/features/identity/accounts/setup-link.ts';
import { expectResponse, makeProject } from '../support/make/make.ts';
import { cookieOf, PASSWORD, setupToken, withCookie } from '../support/make/make-accounts.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;

const body = (token: string, fields: object = {}) => ({
  token,
  name: 'Olivia Owner',
  email: 'Olivia@Example.com',
  password: PASSWORD,
  project_name: 'Shop',
  ...fields,
});

test('without an owner the set-up is needed, and nobody gets in without the link', async () => {
  assert.deepEqual(expectResponse(await api('GET', '/account/setup'), 200), { object: 'setup', needed: true });
  const wrong = await api('POST', '/account/setup', { body: body('a'.repeat(43)) });
  expectResponse(wrong, 410, 'This setup link has expired or was already used');
  assert.equal(cookieOf(wrong), null);
});

test('the link has its token in the fragment, and only its hash is stored', async () => {
  const link = (await makeSetupLink(server.app)) ?? '';
  const { pathname, search, hash } = new URL(link);
  assert.deepEqual([pathname, search], ['/setup', '']);
  assert.match(hash, /^#token=[\w-]{43}$/);
  const rows = await server.app.database.selectFrom('setup_links').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(hash.slice('#token='.length)));
});

test('a link works for 30 minutes', async () => {
  const token = await setupToken(server);
  server.advance(30 * 60_000);
  const late = await api('POST', '/account/setup', { body: body(token) });
  assert.equal(expectResponse(late, 410).error.code, 'SETUP_LINK_INVALID');
});

test('a set-up with a wrong field names the field, and the link still works', async () => {
  const token = await setupToken(server);
  for (const [field, value] of [
    ['email', 'not an address'],
    ['password', 'short'],
    ['password', 'password123'],
    ['password', '1234567890'],
    ['password', 'olivia@example.com'],
    ['name', ' '],
    ['project_name', ''],
  ] as const) {
    const response = await api('POST', '/account/setup', { body: body(token, { [field]: value }) });
    assert.equal(expectResponse(response, 422).error.details.field, field, value);
  }
  assert.equal((await api('GET', '/account/setup')).status, 200);
});

test('a page of another site cannot set up the installation', async () => {
  const token = await setupToken(server);
  const headers = { origin: 'https://evil.example.com' };
  const response = await api('POST', '/account/setup', { body: body(token), headers });
  assert.equal(expectResponse(response, 403).error.code, 'ORIGIN_NOT_ALLOWED');
});

test('of 50 set-ups at once one creates the owner; after it the route is gone and no link works', async () => {
  const { organization_id, id: older_project } = await makeProject(server, { name: 'made with the root key' });
  const tokens = [await setupToken(server), await setupToken(server)];
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      api('POST', '/account/setup', { body: body(tokens[i % 2] as string, { email: `owner${i}@example.com` }) }),
    ),
  );
  const created = responses.filter(({ status }) => status === 201);
  assert.equal(created.length, 1);
  const refused = responses.filter(({ status }) => status === 404 || status === 410);
  assert.equal(refused.length, 49, responses.map(({ status }) => status).join(' '));
  const owners = await server.app.database.selectFrom('accounts').select('id').execute();
  assert.equal(owners.length, 1);

  const [response] = created;
  assert.ok(response);
  const { account, project } = response.body;
  assert.equal(account.role, 'owner');
  assert.equal(account.is_operator, true);
  assert.equal(account.organization.id, organization_id);
  assert.deepEqual([project.name, project.environment, project.plan], ['Shop', 'development', 'enterprise']);
  assert.equal((await api('GET', '/account/setup')).status, 404);
  expectResponse(await api('POST', '/account/setup', { body: body(tokens[0] as string) }), 404);
  assert.equal(await makeSetupLink(server.app), null);

  const person = withCookie(server, cookieOf(response) ?? '');
  const { data } = expectResponse(await person('GET', '/projects'), 200);
  assert.deepEqual(data.map(({ id }: any) => id).sort(), [older_project, project.id].sort());
});
