// OAuth clients: the apps that send users here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findClient, isClientSecret } from '../../src/features/oauth/clients/find.ts';
import { isWellFormed } from '../../src/secrets/tokens.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeIntegration } from '../support/make/make-members.ts';
import { makeClient } from '../support/make/make-oauth.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api, app } = server;
const tenant = await makeTenant(server);
const integration = await makeIntegration(server, tenant.id);
const path = `/projects/${tenant.id}/oauth-clients`;
const fields = { name: 'Shop', redirect_uris: ['https://shop.example.com/callback'], integration_id: integration.id };
const post = (body: object, key = tenant.keys.webhook) => api('POST', path, { key, body });

/** Whether the secret is accepted for this client now. */
async function accepts(client_id: string, secret: string): Promise<boolean> {
  const client = await findClient(app, client_id);
  return client !== null && isClientSecret(app, client, secret);
}

test('a client can be registered, read, listed, changed and deleted; its secret is shown once', async () => {
  const { client_secret, ...made } = expectResponse(await post(fields), 201);
  assert.ok(isWellFormed(client_secret, ['svc_ocs_']));
  const { id, created_at, created_by, updated_at, ...rest } = made;
  assert.match(id, /^oac_[0-9A-Za-z]{22}$/);
  assert.deepEqual(rest, {
    object: 'oauth_client',
    project_id: tenant.id,
    client_id: id,
    ...fields,
    toolset_ids: null,
    is_public: false,
    grant_types: ['authorization_code', 'refresh_token'],
    jwks: null,
    jwks_uri: null,
    secret_last4: client_secret.slice(-4),
    previous_secret_ends_at: null,
  });
  assert.deepEqual(expectResponse(await api('GET', `${path}/${id}`, { key: tenant.keys.read }), 200), made);
  assert.deepEqual(expectResponse(await api('GET', path, { key: tenant.keys.read }), 200).data, [made]);

  const body = { redirect_uris: ['http://127.0.0.1/cb'], is_public: false, integration_id: null };
  const changed = expectResponse(await api('PATCH', `${path}/${id}`, { key: tenant.keys.webhook, body }), 200);
  assert.deepEqual([changed.redirect_uris, changed.integration_id], [['http://127.0.0.1/cb'], null]);
  assert.deepEqual((await findClient(app, id))?.redirect_uris, ['http://127.0.0.1/cb']);

  expectResponse(await api('DELETE', `${path}/${id}`, { key: tenant.keys.admin }), 204);
  expectRefusal(await api('GET', `${path}/${id}`, { key: tenant.keys.read }), 404);
  assert.equal(await findClient(app, id), null);

  const { rows } = await app.pool.query('select t::text as row from audit_entries t where target_id = $1', [id]);
  assert.equal(rows.length, 3);
  for (const { row } of rows) assert.ok(!row.includes(client_secret));
});

test('a secret is accepted for its own client only, and stored as a hash', async () => {
  const [one, two] = [await makeClient(server, tenant.id), await makeClient(server, tenant.id)];
  assert.equal(await accepts(one.id, one.client_secret), true);
  assert.equal(await accepts(two.id, one.client_secret), false);
  assert.equal(await accepts(one.id, ''), false);
  const { rows } = await app.pool.query('select t::text as row from oauth_clients t where id = $1', [one.id]);
  assert.ok(!rows[0].row.includes(one.client_secret));
});

test('a public client has no secret, and no secret is accepted for it', async () => {
  const client = await makeClient(server, tenant.id, { is_public: true });
  assert.equal(client.client_secret, null);
  assert.equal(await accepts(client.id, ''), false);
  const rotated = await api('POST', `${path}/${client.id}/rotate-secret`, { key: tenant.keys.webhook });
  assert.equal(expectRefusal(rotated, 422).details.field, 'is_public');
  const body = { is_public: false };
  const patched = await api('PATCH', `${path}/${client.id}`, { key: tenant.keys.webhook, body });
  assert.equal(expectRefusal(patched, 422).details.field, 'is_public');
});

test('during a rotation both secrets are accepted, afterwards only the new one', async () => {
  const client = await makeClient(server, tenant.id);
  const rotate = async (body?: object) =>
    expectResponse(await api('POST', `${path}/${client.id}/rotate-secret`, { key: tenant.keys.webhook, body }), 201);
  const second = await rotate({ overlap_seconds: 60 });
  assert.notEqual(second.client_secret, client.client_secret);
  assert.equal(second.previous_secret_ends_at !== null, true);
  assert.equal(await accepts(client.id, client.client_secret), true);
  assert.equal(await accepts(client.id, second.client_secret), true);
  server.advance(61_000);
  assert.equal(await accepts(client.id, client.client_secret), false);
  assert.equal(await accepts(client.id, second.client_secret), true);
  const shown = expectResponse(await api('GET', `${path}/${client.id}`, { key: tenant.keys.read }), 200);
  assert.equal(shown.previous_secret_ends_at, null);
  const third = await rotate({ overlap_seconds: 0 });
  assert.equal(await accepts(client.id, second.client_secret), false);
  assert.equal(await accepts(client.id, third.client_secret), true);
  await rotate();
  assert.equal(await accepts(client.id, third.client_secret), true);
});

test('a wrong field is refused by name', async () => {
  const other = await makeIntegration(server, (await makeTenant(server)).id);
  const wrong: [object, string][] = [
    [{ ...fields, redirect_uris: [] }, 'redirect_uris'],
    [{ ...fields, redirect_uris: ['http://shop.example.com/'] }, 'redirect_uris.0'],
    [{ ...fields, redirect_uris: ['https://shop.example.com/#a'] }, 'redirect_uris.0'],
    [{ ...fields, redirect_uris: ['https://a.example.com/', 'https://a.example.com/'] }, 'redirect_uris'],
    [{ ...fields, name: '' }, 'name'],
    [{ ...fields, integration_id: 'int_0000000000000000000000' }, 'integration_id'],
    [{ ...fields, integration_id: other.id }, 'integration_id'],
    [{ ...fields, client_secret: 'mine' }, 'client_secret'],
  ];
  for (const [body, field] of wrong) assert.equal(expectRefusal(await post(body), 422).details.field, field);
});

test('a client of a deleted integration or project is gone', async () => {
  const own = await makeTenant(server);
  const { id: integration_id } = await makeIntegration(server, own.id);
  const [bound, free] = [await makeClient(server, own.id, { integration_id }), await makeClient(server, own.id)];
  assert.ok(await findClient(app, bound.id));
  expectResponse(
    await api('DELETE', `/projects/${own.id}/integrations/${integration_id}`, { key: own.keys.admin }),
    204,
  );
  assert.equal(await findClient(app, bound.id), null);
  assert.ok(await findClient(app, free.id));
  expectResponse(await api('DELETE', `/projects/${own.id}`, { key: ROOT_KEY }), 204);
  assert.equal(await findClient(app, free.id), null);
});
