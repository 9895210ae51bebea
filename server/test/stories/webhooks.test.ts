// A webhook's life: what it hears, how it is signed, how it is changed, and how one sends again what it missed.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const DAY_MS = 86_400_000;

const receiver = await startCustomer();
after(() => receiver.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: receiver.address });
const { api } = server;

const payloads = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(String(body)));
const types = (path: string) => payloads(path).map(({ type }) => type);

/** As standard-webhooks.test.ts checks with the official library, which knows no clock but the real one. */
function passesStandard(secret: string, headers: Record<string, unknown>, body: Buffer): boolean {
  const content = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), body]);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

const hex = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('hex');

test('a change is delivered to the webhook that subscribes to it, as the event log shows it', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, tenant.id, { events: ['api_key.*'] });
  const key = await makeKey(server, tenant.id);
  expectResponse(
    await api('PATCH', `/projects/${tenant.id}`, { key: tenant.keys.write, body: { name: 'other' } }),
    200,
  );
  await server.runJobs();

  const [payload, ...more] = payloads(webhook.path);
  assert.equal(more.length, 0);
  assert.equal(payload.type, 'api_key.created');
  assert.equal(payload.project_id, tenant.id);
  assert.equal(payload.data.id, key.id);
  assert.equal(payload.data.key, undefined);
  const event = await api('GET', `/projects/${tenant.id}/events/${payload.id}`, { key: tenant.keys.admin });
  assert.deepEqual(expectResponse(event, 200), { object: 'event', ...payload });
});

test('filters choose: everything, one thing, one kind', async () => {
  const { id } = await makeProject(server);
  const all = await makeWebhook(server, receiver, id);
  const things = await makeWebhook(server, receiver, id, { events: ['project.*'] });
  const kind = await makeWebhook(server, receiver, id, { events: ['api_key.revoked'] });
  const off = await makeWebhook(server, receiver, id, { is_enabled: false });
  const key = await makeKey(server, id);
  expectResponse(await api('PATCH', `/projects/${id}`, { key: ROOT_KEY, body: { name: 'other' } }), 200);
  expectResponse(await api('POST', `/projects/${id}/api-keys/${key.id}/revoke`, { key: ROOT_KEY }), 200);
  await server.runJobs();
  assert.deepEqual(types(all.path).sort(), ['api_key.created', 'api_key.revoked', 'project.updated']);
  assert.deepEqual(types(things.path), ['project.updated']);
  assert.deepEqual(types(kind.path), ['api_key.revoked']);
  assert.deepEqual(types(off.path), []);
});

test('a webhook hears nothing of another project, not even in the same organization', async () => {
  const [ours, theirs] = [await makeProject(server), await makeProject(server)];
  const webhook = await makeWebhook(server, receiver, ours.id);
  await makeKey(server, theirs.id);
  expectResponse(await api('DELETE', `/projects/${theirs.id}`, { key: ROOT_KEY }), 204);
  await makeKey(server, ours.id);
  await server.runJobs();
  assert.deepEqual(
    payloads(webhook.path).map(({ project_id }) => project_id),
    [ours.id],
  );
  const { database } = server.app;
  const made = await database
    .selectFrom('deliveries')
    .select('project_id')
    .where('webhook_id', '=', webhook.id)
    .execute();
  assert.deepEqual(made, [{ project_id: ours.id }]);
});

test('every change to a key and to a project is an event', async () => {
  const { id } = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, id);
  const keys = `/projects/${id}/api-keys`;
  const key = await makeKey(server, id);
  const call = async (method: string, path: string, status: number, body?: object) =>
    expectResponse(await api(method, path, { key: ROOT_KEY, ...(body && { body }) }), status);
  await call('PATCH', `${keys}/${key.id}`, 200, { is_active: false });
  await call('PATCH', `${keys}/${key.id}`, 200, { is_active: true });
  await call('POST', `${keys}/${key.id}/rotate`, 201, { overlap_seconds: 60 });
  await call('POST', `${keys}/${key.id}/revoke`, 200);
  await call('DELETE', `${keys}/${key.id}`, 204);
  await call('PATCH', `/projects/${id}/settings`, 200, { mcp_server_name: 'Shop' });
  await server.runJobs();
  await call('DELETE', `/projects/${id}`, 204);
  await server.runJobs();
  assert.deepEqual(types(webhook.path).sort(), [
    'api_key.created',
    'api_key.created',
    'api_key.deleted',
    'api_key.revoked',
    'api_key.rotated',
    'api_key.updated',
    'api_key.updated',
    'project.deleted',
    'project.updated',
  ]);
});

test('a key that runs out is an event, once', async () => {
  const { id } = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, id, { events: ['api_key.expired'] });
  const expires_at = new Date(server.app.now() + DAY_MS).toISOString();
  const key = await makeKey(server, id, ['read'], { expires_at });
  await server.runJobs();
  assert.deepEqual(payloads(webhook.path), []);
  server.advance(DAY_MS + 1000);
  await server.runJobs();
  server.advance(3_600_000);
  await server.runJobs();
  const [payload, ...more] = payloads(webhook.path);
  assert.deepEqual([payload.data.id, payload.data.status, more.length], [key.id, 'expired', 0]);
});

test('what is refused is no event, and neither is what was rolled back', async () => {
  const { id } = await makeProject(server);
  const before = expectResponse(await api('GET', `/projects/${id}/events`, { key: ROOT_KEY }), 200).data.length;
  const refused = { name: 'x', permissions: ['read'], expires_at: '2001-01-01T00:00:00Z' };
  expectResponse(await api('POST', `/projects/${id}/api-keys`, { key: ROOT_KEY, body: refused }), 422);
  const after = expectResponse(await api('GET', `/projects/${id}/events`, { key: ROOT_KEY }), 200).data.length;
  assert.equal(after, before);
});

test('for a day after a rotation both secrets sign, then only the new one', async () => {
  const { id } = await makeProject(server);
  const old = await makeWebhook(server, receiver, id);
  const path = `/projects/${id}/webhooks/${old.id}`;
  const fresh = expectResponse(await api('POST', `${path}/rotate-secret`, { key: ROOT_KEY }), 201);
  assert.notEqual(fresh.secret, old.secret);
  const pinged = async () => {
    expectResponse(await api('POST', `${path}/ping`, { key: ROOT_KEY }), 201);
    await server.runJobs();
    const request = receiver.at(old.path).at(-1);
    assert.ok(request);
    return request;
  };
  const during = await pinged();
  assert.equal(during.headers['x-webhook-signature'], hex(fresh.secret, during.body));
  assert.equal(during.headers['x-webhook-signature-previous'], hex(old.secret, during.body));
  assert.ok(passesStandard(fresh.secret, during.headers, during.body));
  assert.ok(passesStandard(old.secret, during.headers, during.body));
  server.advance(DAY_MS);
  const later = await pinged();
  assert.equal(later.headers['x-webhook-signature-previous'], undefined);
  assert.ok(passesStandard(fresh.secret, later.headers, later.body));
  assert.ok(!passesStandard(old.secret, later.headers, later.body));
});

test('a rotation without overlap ends the old secret at once', async () => {
  const { id } = await makeProject(server);
  const old = await makeWebhook(server, receiver, id);
  const path = `/projects/${id}/webhooks/${old.id}`;
  const body = { overlap_seconds: 0 };
  expectResponse(await api('POST', `${path}/rotate-secret`, { key: ROOT_KEY, body }), 201);
  expectResponse(await api('POST', `${path}/ping`, { key: ROOT_KEY }), 201);
  await server.runJobs();
  const request = receiver.at(old.path).at(-1);
  assert.ok(request && !passesStandard(old.secret, request.headers, request.body));
});

test('a ping goes to the one webhook it is asked of, also before that is switched on', async () => {
  const { id } = await makeProject(server);
  const other = await makeWebhook(server, receiver, id);
  const off = await makeWebhook(server, receiver, id, { is_enabled: false });
  expectResponse(await api('POST', `/projects/${id}/webhooks/${off.id}/ping`, { key: ROOT_KEY }), 201);
  await server.runJobs();
  assert.deepEqual([types(off.path), types(other.path)], [['ping'], []]);
});

test('recover sends what failed and what happened while the webhook was off, and nothing twice', async () => {
  const { id } = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, id, { events: ['project.updated'] });
  const path = `/projects/${id}/webhooks/${webhook.id}`;
  const rename = async (name: string) =>
    expectResponse(await api('PATCH', `/projects/${id}`, { key: ROOT_KEY, body: { name } }), 200);
  const since = new Date(server.app.now() - 1000).toISOString();
  await rename('arrives');
  await server.runJobs();
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { is_enabled: false } }), 200);
  await rename('missed');
  const recover = () => api('POST', `${path}/recover`, { key: ROOT_KEY, body: { since } });
  expectResponse(await recover(), 409, 'Webhook is not enabled');
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { is_enabled: true } }), 200);
  assert.deepEqual(expectResponse(await recover(), 200), { recovered: 1, has_more: false });
  await server.runJobs();
  assert.deepEqual(expectResponse(await recover(), 200), { recovered: 0, has_more: false });
  assert.deepEqual(
    payloads(webhook.path).map(({ data }) => data.name),
    ['arrives', 'missed'],
  );
});

test('a URL that is not public HTTPS, or not spelled as it will be read, is refused', async () => {
  const { id } = await makeProject(server);
  const refused = [
    'http://example.com/hook',
    'https://127.0.0.1/hook',
    'https://localhost/hook',
    'https://169.254.169.254/latest',
    'https://user:pass@example.com/hook',
    'https://example.com/hook#part',
    'https://example.com/a/../hook',
    'https://example.com\\hook',
    'https://example.com/a b',
    'https://exämple.com/',
    'https://example.com:22/hook',
    'ftp://example.com/',
    'hook',
    '',
  ];
  for (const url of refused) {
    const response = await api('POST', `/projects/${id}/webhooks`, { key: ROOT_KEY, body: { url, events: ['*'] } });
    assert.equal(expectResponse(response, 422, 'Validation error').error.details.field, 'url', url);
  }
  for (const url of [
    'https://example.com',
    'https://example.com/',
    'https://example.com/a?b=c',
    'https://example.com?b',
  ]) {
    const body = { url, events: ['*'], is_enabled: false };
    expectResponse(await api('POST', `/projects/${id}/webhooks`, { key: ROOT_KEY, body }), 201);
  }
});

test('an unknown event, a filter twice and an unknown field are refused and named', async () => {
  const { id } = await makeProject(server);
  const url = 'https://example.com/';
  for (const [body, field] of [
    [{ url, events: ['api_key.invented'] }, 'events.0'],
    [{ url, events: ['ping'] }, 'events.0'],
    [{ url, events: [] }, 'events'],
    [{ url, events: ['*', '*'] }, 'events'],
    [{ url, events: ['*'], secret: 'mine' }, 'secret'],
  ] as const) {
    const response = await api('POST', `/projects/${id}/webhooks`, { key: ROOT_KEY, body });
    assert.equal(expectResponse(response, 422).error.details.field, field);
  }
});
