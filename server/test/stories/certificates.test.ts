// /projects/{id}/certificates: who may use and change them, what is stored, where they are used, and the warning before they expire.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MAX_CERTIFICATES, MAX_PEM_LENGTH } from '@toolgate/contract/certificates/rules.ts';
import { sql } from 'kysely';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { clientFields, companyAuthority, makeCertificate } from '../support/make/make-certificate.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { makeLogStream } from '../support/make/make-log-stream.ts';
import { makeTool, toolFields } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { makeAuthority } from '../support/peers/certificates.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const DAY_MS = 86_400_000;
const customer = await startCustomer();
const plain = await startCustomer({ is_plain: true });
after(() => Promise.all([customer.close(), plain.close()]));
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${customer.address},${plain.url},192.0.2.1:443` });
const { api, app } = server;
const pathOf = ({ id }: { id: string }) => `/projects/${id}/certificates`;

test('a certificate is created, read, replaced and deleted by admins of its project only, and its key is never returned', async () => {
  const [tenant, other] = [await makeTenant(server), await makeTenant(server)];
  const key = tenant.keys.admin;
  const path = pathOf(tenant);
  const body = { name: 'Partner', ca: companyAuthority.certificate, ...clientFields('alpha') };
  const made = expectResponse(await api('POST', path, { key, body }), 201);
  assert.deepEqual([made.has_client_key, made.used_by, made.use_count], [true, [], 0]);
  assert.ok(!JSON.stringify(made).includes('PRIVATE KEY'));
  assert.ok(!('client_key' in made));
  for (const permission of ['read', 'write', 'webhook'] as const)
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/${made.id}`],
      ['POST', path],
      ['PATCH', `${path}/${made.id}`],
      ['DELETE', `${path}/${made.id}`],
      ['POST', `${path}/${made.id}/test`],
    ] as const)
      expectResponse(
        await api(method, at, { key: tenant.keys[permission], ...(method !== 'GET' && { body: {} }) }),
        403,
      );
  expectResponse(await api('GET', `${pathOf(other)}/${made.id}`, { key: other.keys.admin }), 404);
  expectResponse(
    await api('PATCH', `${pathOf(other)}/${made.id}`, { key: other.keys.admin, body: { name: 'x' } }),
    404,
  );

  const { rows } = await sql<{ client_key: string }>`select client_key from certificates where id = ${made.id}`.execute(
    app.database,
  );
  assert.match(rows[0]?.client_key ?? '', /^v1\./);

  const replaced = expectResponse(await api('PATCH', `${path}/${made.id}`, { key, body: { ca: null } }), 200);
  assert.deepEqual([replaced.ca, replaced.has_client_key, replaced.name], [null, true, 'Partner']);
  const without = { ca: companyAuthority.certificate, client_certificate: null };
  const cleared = expectResponse(await api('PATCH', `${path}/${made.id}`, { key, body: without }), 200);
  assert.deepEqual([cleared.client_certificate, cleared.has_client_key], [null, false]);
  expectResponse(await api('DELETE', `${path}/${made.id}`, { key }), 204);
  assert.deepEqual(expectResponse(await api('GET', path, { key }), 200).data, []);

  const entries = expectResponse(await api('GET', `/projects/${tenant.id}/audit-log?limit=100`, { key }), 200).data;
  const actions = entries
    .map(({ action }: { action: string }) => action)
    .filter((each: string) => /^certificate/.test(each));
  assert.deepEqual(actions, [
    'certificate.deleted',
    'certificate.updated',
    'certificate.updated',
    'certificate.created',
  ]);
  assert.ok(!JSON.stringify(entries).includes('-----BEGIN'), 'the audit log repeats PEM');
});

test('a request that repeats what is stored changes nothing', async () => {
  const tenant = await makeTenant(server);
  const fields = clientFields('alpha');
  const made = await makeCertificate(server, tenant.id, { name: 'Same', ...fields });
  const body = { name: 'Same', ca: companyAuthority.certificate, ...fields };
  const again = expectResponse(await api('PATCH', `${pathOf(tenant)}/${made.id}`, { key: ROOT_KEY, body }), 200);
  assert.equal(again.updated_at, made.updated_at);
});

test('a wrong content is refused with its field, and none of it is repeated', async () => {
  const { id, keys } = await makeTenant(server);
  const refused = async (body: object, field: string, reason: string) => {
    const response = await api('POST', pathOf({ id }), { key: keys.admin, body: { name: unique('name'), ...body } });
    const { error } = expectResponse(response, 422);
    assert.deepEqual([error.details.field, error.details.reason], [field, reason], response.text);
    assert.doesNotMatch(response.text, /[\w+/]{40}/);
    return response.text;
  };
  const { client_certificate } = clientFields('alpha');
  const { client_key } = clientFields('beta');
  const text = await refused({ client_certificate, client_key }, 'client_key', 'client_key_mismatch');
  assert.ok(!text.includes(client_key.slice(40, 80)));
  await refused({ ca: '- '.repeat(MAX_PEM_LENGTH) }, 'ca', 'invalid_value');
  await refused({ ca: 'none' }, 'ca', 'certificate_invalid');
  await refused({}, 'ca', 'invalid_value');
  const old = makeAuthority('old').issue([], { to: Date.now() - 60_000 });
  await refused({ ca: old.cert }, 'ca', 'certificate_expired');
  await refused({ ca: client_certificate, passphrase: 'x' }, 'passphrase', 'unknown_field');
});

test('names are unique in a project, which has at most 20', async () => {
  const tenant = await makeTenant(server);
  const first = await makeCertificate(server, tenant.id, { name: 'Partner' });
  const body = { name: 'Partner', ca: companyAuthority.certificate };
  const taken = await api('POST', pathOf(tenant), { key: tenant.keys.admin, body });
  assert.deepEqual([expectResponse(taken, 409).error.code, taken.body.error.details.field], ['NAME_TAKEN', 'name']);
  for (let count = 1; count < MAX_CERTIFICATES; count += 1) await makeCertificate(server, tenant.id);
  const { error } = expectResponse(
    await api('POST', pathOf(tenant), { key: tenant.keys.admin, body: { ...body, name: 'One more' } }),
    409,
  );
  assert.equal(error.details.reason, 'too_many_certificates');
  const renamed = await api('PATCH', `${pathOf(tenant)}/${first.id}`, { key: ROOT_KEY, body: { name: 'Gateway' } });
  assert.equal(expectResponse(renamed, 200).name, 'Gateway');
});

test('what uses a certificate is listed, and it cannot be deleted until nothing does', async () => {
  const tenant = await makeTenant(server);
  const { id: certificate_id } = await makeCertificate(server, tenant.id);
  const key = tenant.keys.admin;
  const tool = await makeTool(server, key, customer, { certificate_id });
  const slug = unique('up');
  const mcp = { slug, name: 'Upstream', url: `${customer.url}/mcp`, certificate_id };
  const mcpServer = expectResponse(await api('POST', `/projects/${tenant.id}/mcp-servers`, { key, body: mcp }), 201);
  const hook = await makeHook(server, customer, tenant.id, { certificate_id });
  const webhook = await makeWebhook(server, customer, tenant.id, { certificate_id });
  const stream = await makeLogStream(server, customer, tenant.id, { certificate_id });
  const provider = { provider: 'oidc', issuer: customer.url, client_id: 'a', client_secret: 'b', certificate_id };
  const oauth = expectResponse(
    await api('POST', `/projects/${tenant.id}/oauth-providers`, { key, body: provider }),
    201,
  );
  const users = { custom_tool: tool, mcp_server: mcpServer, hook, webhook, log_stream: stream, oauth_provider: oauth };
  for (const each of Object.values(users)) assert.equal(each.certificate_id, certificate_id);

  const path = `${pathOf(tenant)}/${certificate_id}`;
  const { used_by, use_count } = expectResponse(await api('GET', path, { key }), 200);
  const found = new Map(used_by.map(({ type, id }: { type: string; id: string }) => [type, id]));
  assert.deepEqual(
    Object.fromEntries(found),
    Object.fromEntries(Object.entries(users).map(([type, { id }]) => [type, id])),
  );
  assert.equal(use_count, 6);
  const refused = expectResponse(await api('DELETE', path, { key }), 409).error;
  assert.deepEqual([refused.code, refused.details.use_count], ['CERTIFICATE_IN_USE', 6]);
  assert.deepEqual(refused.details.used_by, used_by);

  const none = { certificate_id: null };
  const of = (resource: string, { id }: { id: string }) => `/projects/${tenant.id}/${resource}/${id}`;
  for (const at of [
    `/custom-tools/${tool.id}`,
    of('mcp-servers', mcpServer),
    of('hooks', hook),
    of('webhooks', webhook),
    of('log-streams', stream),
    of('oauth-providers', oauth),
  ])
    assert.equal(expectResponse(await api('PATCH', at, { key, body: none }), 200).certificate_id, null);
  expectResponse(await api('DELETE', path, { key }), 204);
});

test('only admins choose a certificate, take one away, or change the host of what has one', async () => {
  const tenant = await makeTenant(server);
  const { id: certificate_id } = await makeCertificate(server, tenant.id);
  const { write, webhook: hooks, admin } = tenant.keys;
  const lacks = (response: ApiResponse, field: string) =>
    assert.deepEqual([response.status, response.body.error.details.field], [403, field], response.text);
  lacks(
    await api('POST', '/custom-tools', { key: write, body: toolFields(customer.url, { certificate_id }) }),
    'certificate_id',
  );
  const auth = {
    auth_strategy: 'oauth2_client_credentials',
    auth_config: { token_url: `${customer.url}/token`, client_id: 'a' },
    encrypted_auth_secret: 'secret',
  };
  const tool = await makeTool(server, admin, customer, { certificate_id, ...auth });
  const change = (key: string, body: object) => api('PATCH', `/custom-tools/${tool.id}`, { key, body });
  lacks(await change(write, { certificate_id: null }), 'certificate_id');
  lacks(await change(write, { base_url: 'https://192.0.2.1', encrypted_auth_secret: 'secret' }), 'base_url');
  const moved = { auth_config: { ...auth.auth_config, token_url: 'https://192.0.2.1/token' } };
  lacks(await change(write, { ...moved, encrypted_auth_secret: 'secret' }), 'auth_config.token_url');
  // The same value, and what concerns no host, is for others too.
  expectResponse(await change(write, { certificate_id, title: 'Find', endpoint_path: '/other' }), 200);
  lacks(
    await api('POST', `/custom-tools/${tool.id}/duplicate`, { key: write, body: { name: unique('copy') } }),
    'certificate_id',
  );

  const webhook = await makeWebhook(server, customer, tenant.id, { certificate_id, events: ['custom_tool.*'] });
  const at = `/projects/${tenant.id}/webhooks/${webhook.id}`;
  lacks(await api('PATCH', at, { key: hooks, body: { url: 'https://192.0.2.1/x' } }), 'url');
  lacks(await api('PATCH', at, { key: hooks, body: { certificate_id: null } }), 'certificate_id');
  expectResponse(await api('PATCH', at, { key: hooks, body: { url: `${customer.url}/other` } }), 200);
  expectResponse(await api('PATCH', at, { key: admin, body: { url: 'https://192.0.2.1/x' } }), 200);
});

test("an unknown certificate, another project's, and one for plain HTTP are refused", async () => {
  const [tenant, other] = [await makeTenant(server), await makeTenant(server)];
  const foreign = await makeCertificate(server, other.id);
  const mine = await makeCertificate(server, tenant.id);
  const create = (fields: object, url = customer.url) =>
    api('POST', '/custom-tools', { key: tenant.keys.admin, body: toolFields(url, fields) });
  for (const certificate_id of [foreign.id, 'crt_0000000000000000000000', '']) {
    const { error } = expectResponse(await create({ certificate_id }), 422);
    assert.deepEqual([error.details.field, error.details.reason], ['certificate_id', 'certificate_unknown']);
  }
  const { error } = expectResponse(await create({ certificate_id: mine.id }, plain.url), 422);
  assert.deepEqual([error.details.field, error.details.reason], ['certificate_id', 'certificate_without_tls']);
});

test('a tool keeps its certificate in its versions, and an old version cannot bring back one that is gone', async () => {
  const tenant = await makeTenant(server);
  const key = tenant.keys.admin;
  const { id: certificate_id } = await makeCertificate(server, tenant.id);
  const tool = await makeTool(server, key, customer, { certificate_id });
  const changed = expectResponse(
    await api('PATCH', `/custom-tools/${tool.id}`, { key, body: { certificate_id: null } }),
    200,
  );
  assert.equal(changed.version, 2);
  const first = expectResponse(await api('GET', `/custom-tools/${tool.id}/versions/1`, { key }), 200);
  assert.equal(first.definition.certificate_id, certificate_id);
  expectResponse(await api('DELETE', `${pathOf(tenant)}/${certificate_id}`, { key }), 204);
  const { error } = expectResponse(
    await api('PATCH', `/custom-tools/${tool.id}`, { key, body: { certificate_id: first.definition.certificate_id } }),
    422,
  );
  assert.equal(error.details.reason, 'certificate_unknown');
});

test('an event comes 30, 7 and 1 days before the end, once each', async () => {
  const tenant = await makeTenant(server);
  const expiry = { to: Date.now() + 40 * DAY_MS };
  const ca = makeAuthority('expiring').issue([], expiry).cert;
  const made = await makeCertificate(server, tenant.id, { ca });
  /** Of all events so far: old ones are deleted meanwhile. */
  const found = new Map<string, number>();
  const daysOf = async () => {
    await server.runJobs();
    const events = await api('GET', `/projects/${tenant.id}/events?type=certificate.expiring`, {
      key: tenant.keys.admin,
    });
    for (const { id, data } of expectResponse(events, 200).data) {
      assert.equal(data.id, made.id);
      assert.ok(!JSON.stringify(data).includes('BEGIN'));
      found.set(id, data.days_left);
    }
    return [...found.values()];
  };
  assert.deepEqual(await daysOf(), []);
  server.advance(10.5 * DAY_MS);
  assert.deepEqual(await daysOf(), [29]);
  server.advance(5 * DAY_MS);
  assert.deepEqual(await daysOf(), [29]);
  server.advance(18 * DAY_MS);
  assert.deepEqual(await daysOf(), [29, 6]);
  server.advance(6 * DAY_MS);
  assert.deepEqual(await daysOf(), [29, 6, 0]);
  server.advance(3 * DAY_MS);
  assert.deepEqual(await daysOf(), [29, 6, 0]);
  // Members of the project who are no admins do not see it.
  const seen = await api('GET', `/projects/${tenant.id}/events?type=certificate.expiring`, { key: tenant.keys.read });
  assert.deepEqual(expectResponse(seen, 200).data, []);
});

test('one that is stored later than that has one event immediately, and a new end has its own', async () => {
  const tenant = await makeTenant(server);
  const now = app.now();
  const ending = (days: number) =>
    makeAuthority('soon').issue([], { from: now - DAY_MS, to: now + days * DAY_MS }).cert;
  const made = await makeCertificate(server, tenant.id, { ca: ending(5) });
  const events = async () => {
    server.advance(60_000);
    await server.runJobs();
    const page = await api('GET', `/projects/${tenant.id}/events?type=certificate.expiring`, {
      key: tenant.keys.admin,
    });
    return expectResponse(page, 200).data.map(({ data }: any) => data.days_left);
  };
  assert.deepEqual(await events(), [4]);
  const change = { key: ROOT_KEY, body: { ca: ending(20) } };
  expectResponse(await api('PATCH', `${pathOf(tenant)}/${made.id}`, change), 200);
  assert.deepEqual(await events(), [19, 4]);
});
