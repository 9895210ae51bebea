// Test events: the example of an event type goes to one webhook on request, and is never taken for something that happened.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const receiver = await startCustomer();
after(() => receiver.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: receiver.address });
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeTenant>>;

const test_ = (tenant: Tenant, webhook_id: string, type: unknown, key = tenant.keys.admin) =>
  api('POST', `/projects/${tenant.id}/webhooks/${webhook_id}/test-event`, { key, body: { type } });
const send = async (tenant: Tenant, webhook_id: string, type: string) =>
  expectResponse(await test_(tenant, webhook_id, type), 201);
const types = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(String(body)).type);
const rename = async ({ id, keys }: Tenant, name: string) =>
  expectResponse(await api('PATCH', `/projects/${id}`, { key: keys.write, body: { name } }), 200);

test('the example of every type is sent as the catalogue shows it, signed and marked, with the id of the event', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, tenant.id, { events: ['project.updated'] });
  const catalogue = expectResponse(
    await api('GET', `/projects/${tenant.id}/event-types`, { key: tenant.keys.read }),
    200,
  ).data.filter(({ type }: { type: string }) => type !== 'ping');
  assert.ok(catalogue.length > 20);
  for (const { type, example } of catalogue) {
    const delivery = await send(tenant, webhook.id, type);
    assert.deepEqual([delivery.is_test, delivery.event_type, delivery.status], [true, type, 'pending']);
    await server.runJobs();
    const request = receiver.at(webhook.path).at(-1);
    const { id, timestamp, project_id, ...rest } = JSON.parse(String(request?.body));
    assert.deepEqual(rest, { type, data: example.data });
    assert.deepEqual([id, project_id], [delivery.event_id, tenant.id]);
    assert.ok(Math.abs(Date.parse(timestamp) - server.app.now()) < 60_000);
    assert.equal(request?.headers['x-webhook-test'], 'true');
    assert.equal(request?.headers['webhook-id'], id);
    assert.match(String(request?.headers['webhook-signature']), /^v1,/);
  }
});

test('a test event goes to the one webhook it is asked of, also before that is switched on', async () => {
  const tenant = await makeTenant(server);
  const other = await makeWebhook(server, receiver, tenant.id);
  const off = await makeWebhook(server, receiver, tenant.id, { is_enabled: false, events: ['project.updated'] });
  await send(tenant, off.id, 'api_key.created');
  await server.runJobs();
  assert.deepEqual([types(off.path), types(other.path)], [['api_key.created'], []]);
});

test('what really happened and a ping are not marked as tests', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, tenant.id, { events: ['project.updated'] });
  await rename(tenant, 'other');
  expectResponse(
    await api('POST', `/projects/${tenant.id}/webhooks/${webhook.id}/ping`, { key: tenant.keys.webhook }),
    201,
  );
  await server.runJobs();
  assert.deepEqual(types(webhook.path).sort(), ['ping', 'project.updated']);
  for (const { headers } of receiver.at(webhook.path)) assert.equal(headers['x-webhook-test'], undefined);
  const list = await api('GET', `/projects/${tenant.id}/webhooks/${webhook.id}/deliveries`, { key: tenant.keys.read });
  assert.deepEqual(
    expectResponse(list, 200).data.map(({ is_test }: { is_test: boolean }) => is_test),
    [false, false],
  );
});

test('a retry and a redelivery of a test event are marked too', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, tenant.id);
  receiver.respond(webhook.path, { status: 500 });
  const { id } = await send(tenant, webhook.id, 'project.updated');
  await server.runJobs();
  receiver.respond(webhook.path, { status: 200 });
  server.advance(60_000);
  await server.runJobs();
  const delivery = `/projects/${tenant.id}/webhooks/${webhook.id}/deliveries/${id}`;
  const again = expectResponse(await api('POST', `${delivery}/redeliver`, { key: tenant.keys.admin }), 200);
  assert.equal(again.is_test, true);
  await server.runJobs();
  assert.deepEqual(
    receiver.at(webhook.path).map(({ headers }) => headers['x-webhook-test']),
    ['true', 'true', 'true'],
  );
  const shown = expectResponse(await api('GET', delivery, { key: tenant.keys.read }), 200);
  assert.deepEqual([shown.is_test, shown.attempts[0].request_headers['x-webhook-test']], [true, 'true']);
});

test('a recovery of another webhook does not send it a test event', async () => {
  const tenant = await makeTenant(server);
  const since = new Date(server.app.now() - 1000).toISOString();
  const tried = await makeWebhook(server, receiver, tenant.id, { events: ['custom_tool.*'] });
  const other = await makeWebhook(server, receiver, tenant.id, { events: ['project.updated'], is_enabled: false });
  await send(tenant, tried.id, 'project.updated');
  await rename(tenant, 'missed');
  const path = `/projects/${tenant.id}/webhooks/${other.id}`;
  const key = tenant.keys.webhook;
  expectResponse(await api('PATCH', path, { key, body: { is_enabled: true } }), 200);
  assert.equal(expectResponse(await api('POST', `${path}/recover`, { key, body: { since } }), 200).recovered, 1);
  await server.runJobs();
  const [payload, ...more] = receiver.at(other.path).map(({ body }) => JSON.parse(String(body)));
  assert.deepEqual([payload.data.name, more.length], ['missed', 0]);
});

test('a test of rate_limit.exceeded does not replace the event of that hour', async () => {
  const tenant = await makeTenant(server, { plan: 'enterprise', requests_per_hour: 2 });
  const webhook = await makeWebhook(server, receiver, tenant.id, { events: ['rate_limit.exceeded'] });
  await send(tenant, webhook.id, 'rate_limit.exceeded');
  await server.runJobs();
  const ask = () => api('GET', '/projects', { key: tenant.keys.read });
  expectResponse(await ask(), 200);
  expectResponse(await ask(), 429);
  await server.runJobs();
  await server.runJobs();
  assert.deepEqual(
    receiver.at(webhook.path).map(({ headers }) => headers['x-webhook-test']),
    ['true', undefined],
  );
});

test('a test event is in the list of events, as a ping is, and marked there', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, tenant.id);
  const { event_id } = await send(tenant, webhook.id, 'project.updated');
  await rename(tenant, 'other');
  const events = `/projects/${tenant.id}/events`;
  const { data } = expectResponse(await api('GET', `${events}?type=project.updated`, { key: tenant.keys.read }), 200);
  assert.deepEqual(
    data.map(({ id, is_test }: { id: string; is_test?: true }) => [id === event_id, is_test]),
    [
      [false, undefined],
      [true, true],
    ],
  );
  const one = expectResponse(await api('GET', `${events}/${event_id}`, { key: tenant.keys.read }), 200);
  assert.equal(one.is_test, true);
});

test('a webhook key sends only types that it could subscribe to', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, tenant.id);
  const { webhook: key, admin } = tenant.keys;
  for (const type of ['api_key.created', 'member_session.revoked']) {
    const { error } = expectResponse(await test_(tenant, webhook.id, type, key), 403);
    assert.partialDeepStrictEqual(error.details, { field: 'type', value: type, required: 'admin' });
    expectResponse(await test_(tenant, webhook.id, type, admin), 201);
  }
  expectResponse(await test_(tenant, webhook.id, 'project.updated', key), 201);
  expectResponse(await test_(tenant, webhook.id, 'project.updated', tenant.keys.read), 403);
});

test('an unknown type, a filter and ping are refused, with the field type', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, tenant.id);
  for (const type of ['api_key.invented', 'api_key.*', '*', 'ping', 'toString', '', null, undefined])
    assert.equal(expectResponse(await test_(tenant, webhook.id, type), 422).error.details.field, 'type');
  assert.deepEqual(types(webhook.path), []);
});

test('a test of project.deleted is not sent for a project that is deleted', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, tenant.id, { events: ['project.updated'] });
  receiver.respond(webhook.path, { status: 500 });
  await send(tenant, webhook.id, 'project.deleted');
  await server.runJobs();
  expectResponse(await api('DELETE', `/projects/${tenant.id}`, { key: tenant.keys.admin }), 204);
  server.advance(60_000);
  await server.runJobs();
  assert.deepEqual(types(webhook.path), ['project.deleted']);
});
