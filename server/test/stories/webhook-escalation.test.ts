// A `webhook` key gets no event that it could not read: not by a filter, and not through a webhook an administrator made.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const receiver = await startCustomer();
after(() => receiver.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: receiver.address });
const { api } = server;

const types = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(String(body)).type as string);

const administrative = ['*', 'api_key.*', 'api_key.created', 'member_session.*', 'member_session.revoked'];

for (const filter of administrative) {
  test(`a webhook key cannot subscribe to ${filter}, an admin key can`, async () => {
    const { id, keys } = await makeTenant(server);
    const path = `/projects/${id}/webhooks`;
    const body = { url: `${receiver.url}/hook`, events: ['project.updated', filter] };
    const { error } = expectResponse(await api('POST', path, { key: keys.webhook, body }), 403);
    assert.equal(error.code, 'INSUFFICIENT_PERMISSIONS');
    assert.partialDeepStrictEqual(error.details, { field: 'events', value: filter, required: 'admin' });
    const own = { ...body, events: ['project.updated'] };
    const webhook = expectResponse(await api('POST', path, { key: keys.webhook, body: own }), 201);
    const change = { events: body.events };
    const refused = await api('PATCH', `${path}/${webhook.id}`, { key: keys.webhook, body: change });
    assert.partialDeepStrictEqual(expectResponse(refused, 403).error.details, { field: 'events', value: filter });
    expectResponse(await api('PATCH', `${path}/${webhook.id}`, { key: keys.admin, body: change }), 200);
  });
}

test('a webhook key can subscribe to every kind that a read key can read', async () => {
  const { id, keys } = await makeTenant(server);
  const events = [
    'project.*',
    'custom_tool.created',
    'assertion_key.*',
    'integration.*',
    'tool_call.*',
    'webhook.disabled',
  ];
  const body = { url: `${receiver.url}/hook`, events };
  expectResponse(await api('POST', `/projects/${id}/webhooks`, { key: keys.webhook, body }), 201);
});

test('a webhook that gets events for admin only is changed, rotated, recovered and redelivered by admin only', async () => {
  const { id, keys } = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, id);
  await makeKey(server, id);
  await server.runJobs();
  const path = `/projects/${id}/webhooks/${webhook.id}`;
  const [delivery] = expectResponse(await api('GET', `${path}/deliveries`, { key: keys.read }), 200).data;
  const calls: [method: string, path: string, body?: object][] = [
    ['PATCH', path, { url: `${receiver.url}/elsewhere` }],
    ['PATCH', path, { events: ['project.*'] }],
    ['PATCH', path, { is_enabled: false }],
    ['POST', `${path}/rotate-secret`, {}],
    ['POST', `${path}/recover`, { since: '2026-01-01T00:00:00Z' }],
    ['POST', `${path}/deliveries/${delivery.id}/redeliver`],
  ];
  for (const [method, to, body] of calls) {
    const { error } = expectResponse(await api(method, to, { key: keys.webhook, ...(body && { body }) }), 403);
    assert.partialDeepStrictEqual(error.details, { field: 'events', value: '*' });
  }
  expectResponse(await api('POST', `${path}/ping`, { key: keys.webhook }), 201);
  for (const [method, to, body] of calls.slice(3))
    assert.ok((await api(method, to, { key: keys.admin, ...(body && { body }) })).status < 300);
});

test('what was pending for admin only does not go to the URL that a webhook key sets once the filter is narrowed', async () => {
  const { id, keys } = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, id, { url: `${receiver.url}/down` });
  receiver.respond('/down', { status: 500 });
  await makeKey(server, id);
  await server.runJobs();
  assert.deepEqual(types('/down'), ['api_key.created']);

  const path = `/projects/${id}/webhooks/${webhook.id}`;
  expectResponse(await api('PATCH', path, { key: keys.admin, body: { events: ['project.*'] } }), 200);
  expectResponse(await api('PATCH', path, { key: keys.webhook, body: { url: `${receiver.url}/theirs` } }), 200);
  server.advance(60_000);
  await server.runJobs();
  const [delivery] = expectResponse(await api('GET', `${path}/deliveries`, { key: keys.read }), 200).data;
  assert.deepEqual([delivery.event_type, delivery.status], ['api_key.created', 'failed']);

  const again = await api('POST', `${path}/deliveries/${delivery.id}/redeliver`, { key: keys.webhook });
  assert.partialDeepStrictEqual(expectResponse(again, 403).error.details, {
    field: 'event_type',
    value: 'api_key.created',
  });
  expectResponse(
    await api('POST', `${path}/recover`, { key: keys.webhook, body: { since: '2026-01-01T00:00:00Z' } }),
    200,
  );
  await server.runJobs();
  assert.deepEqual(types('/theirs'), []);
});

test('what a receiver answered to an event for admin only is not shown to a reader: it may repeat the event', async () => {
  const { id, keys } = await makeTenant(server);
  const webhook = await makeWebhook(server, receiver, id, { url: `${receiver.url}/echo` });
  receiver.respond('/echo', { status: 200, headers: { 'x-said': 'api_key' }, body: 'you said: api_key.created' });
  await makeKey(server, id);
  await server.runJobs();
  const path = `/projects/${id}/webhooks/${webhook.id}/deliveries`;
  const [{ id: delivery }] = expectResponse(await api('GET', path, { key: keys.read }), 200).data;
  const shown = async (key: string) => expectResponse(await api('GET', `${path}/${delivery}`, { key }), 200);
  const [read] = (await shown(keys.read)).attempts;
  assert.deepEqual([read.response_headers, read.response_body], [null, null]);
  const [full] = (await shown(keys.admin)).attempts;
  assert.deepEqual([full.response_headers['x-said'], full.response_body], ['api_key', 'you said: api_key.created']);
});

test('deliveries of a deleted project stop; only its end is still delivered, with its retries', async () => {
  const { id } = await makeProject(server);
  await makeWebhook(server, receiver, id, { url: `${receiver.url}/last` });
  receiver.respond('/last', { status: 500 });
  await makeKey(server, id);
  await server.runJobs();
  assert.deepEqual(types('/last'), ['api_key.created']);
  await makeKey(server, id);
  expectResponse(await api('DELETE', `/projects/${id}`, { key: ROOT_KEY }), 204);
  for (let i = 0; i < 2; i += 1) {
    await server.runJobs();
    server.advance(60_000);
  }
  await server.runJobs();
  assert.deepEqual(types('/last'), ['api_key.created', 'project.deleted', 'project.deleted']);
});
