// Every change that the service can make is an event and an audit entry; what happens often is told only to who asks.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { EventTypeName } from '@toolgate/contract/events/rules.ts';
import { eventKinds } from '@toolgate/contract/resources.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { FailedCall } from '../../src/errors/failed-call.ts';
import { loadKeyCaller } from '../../src/features/projects/api-keys/verify.ts';
import { lockIntegration } from '../../src/features/projects/integrations/store.ts';
import { lockStoredSettings } from '../../src/features/projects/projects/store.ts';
import { callTool } from '../../src/features/tools/calls/call-tool.ts';
import { expectResponse, makeKey, makeProject, unique } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { makeSigner } from '../support/make/sign-assertion.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;

const payloads = (path: string) => customer.at(path).map(({ body }) => JSON.parse(String(body)));
const types = (path: string) => payloads(path).map(({ type }) => type as string);

async function world() {
  const { id } = await makeProject(server);
  const call = async (method: string, path: string, status: number, body?: object) =>
    expectResponse(await api(method, path, { key: ROOT_KEY, project: id, ...(body && { body }) }), status);
  return { id: id as string, call };
}

const tool = () => ({ name: unique('tool'), base_url: customer.url, endpoint_path: '/orders' });

test('integrations, assertion keys, members and tools record the events of the catalogue', async () => {
  const { id, call } = await world();
  const webhook = await makeWebhook(server, customer, id);

  const integrations = `/projects/${id}/integrations`;
  const integration = await call('POST', integrations, 201, { name: 'Shop' });
  await call('PATCH', `${integrations}/${integration.id}`, 200, { name: 'Shop 2' });
  const key = await call('POST', `${integrations}/${integration.id}/api-keys`, 201, {
    name: 'k',
    permissions: ['read'],
  });

  const body = { kid: 'k1', public_key: makeSigner('ES256').pem, algorithm: 'ES256' };
  const assertionKey = await call('POST', '/assertion-keys', 201, body);
  await call('POST', `/assertion-keys/${assertionKey.id}/deactivate`, 200);
  await call('DELETE', `/assertion-keys/${assertionKey.id}`, 204);

  const exchange = { key: key.key, body: { member_external_id: 'user-1' } };
  const session = expectResponse(await api('POST', '/api/v1/mcp/session-token', exchange), 200);
  await call('POST', `/members/${session.member.id}/revoke-sessions`, 200);

  const made = await call('POST', '/custom-tools', 201, tool());
  await call('PATCH', `/custom-tools/${made.id}`, 200, { description: 'new' });
  await call('POST', `/custom-tools/${made.id}/disable`, 200);
  await call('POST', `/custom-tools/${made.id}/enable`, 200);
  await call('DELETE', `/custom-tools/${made.id}`, 204);
  await call('DELETE', `${integrations}/${integration.id}`, 204);
  await server.runJobs();

  assert.deepEqual(types(webhook.path).sort(), [
    'api_key.created',
    'api_key.deleted',
    'assertion_key.created',
    'assertion_key.deactivated',
    'assertion_key.deleted',
    'custom_tool.created',
    'custom_tool.deleted',
    'custom_tool.disabled',
    'custom_tool.enabled',
    'custom_tool.updated',
    'integration.created',
    'integration.deleted',
    'integration.updated',
    'member_session.created',
    'member_session.revoked',
  ]);
  for (const { type, data } of payloads(webhook.path)) {
    assert.deepEqual(eventKinds[type as EventTypeName].data.parse(data), data, type);
  }

  const audited = (await call('GET', `/projects/${id}/audit-log?limit=100`, 200)).data;
  const actions = new Set(audited.map(({ action }: { action: string }) => action));
  for (const type of types(webhook.path)) assert.equal(actions.has(type), type !== 'member_session.created', type);
  for (const entry of audited) assert.ok(entry.ip && entry.request_id, `${entry.action} does not say from where`);
});

test('a created session is an event, with or without a subscriber; a refused one is not', async () => {
  const { id, call } = await world();
  const integration = await call('POST', `/projects/${id}/integrations`, 201, { name: 'Shop' });
  const path = `/projects/${id}/integrations/${integration.id}/api-keys`;
  const { key } = await call('POST', path, 201, { name: 'k', permissions: ['read'] });
  const exchange = (member_external_id: string) =>
    api('POST', '/api/v1/mcp/session-token', { key, body: { member_external_id } });
  const first = expectResponse(await exchange('user-1'), 200);
  const again = expectResponse(await exchange('user-1'), 200);
  assert.equal(again.member.id, first.member.id);
  expectResponse(await exchange(''), 400);
  const told = () => call('GET', `/projects/${id}/events?type=member_session.created`, 200);
  const { data } = await told();
  assert.equal(data.length, 2);
  for (const event of data) {
    assert.deepEqual(eventKinds['member_session.created'].data.parse(event.data), event.data);
    assert.deepEqual([event.data.member_id, event.data.external_id], [first.member.id, 'user-1']);
  }

  const { database } = server.app;
  const sessions = async () =>
    (await database.selectFrom('member_sessions').select('id').where('project_id', '=', id).execute()).length;
  await sql`alter table events add constraint none check (type <> 'member_session.created') not valid`.execute(
    database,
  );
  expectResponse(await exchange('user-2'), 500);
  await sql`alter table events drop constraint none`.execute(database);
  assert.deepEqual([(await told()).data.length, await sessions()], [2, 2]);
});

test('why a tool call did not get through is in the log, and only there', async () => {
  const { id, call } = await world();
  customer.respond('/reset', { reset: true });
  const { name } = await call('POST', '/custom-tools', 201, { ...tool(), endpoint_path: '/reset' });
  const caller = await loadKeyCaller(server.app, (await makeKey(server, id, ['read'])).key);
  assert.ok(caller?.kind === 'api_key');
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const result = await callTool({ ...server.app, log }, caller, {
    name,
    arguments: {},
    argument_bytes: 2,
    request_id: 'req_1',
    transport: { name: 'rest', client_name: null, protocol_version: null },
  });
  assert.ok(result instanceof FailedCall);
  assert.ok(!result.refusal.message.includes('reset'));
  const [line, ...more] = lines.map((text) => JSON.parse(text));
  assert.deepEqual([line.project_id, line.request_id, more.length], [id, 'req_1', 0]);
  assert.match(line.reason, /^connection: ./);
});

test('a change of settings or of an integration that is under way holds up no event', { timeout: 30_000 }, async () => {
  const { id, call } = await world();
  const integration = await call('POST', `/projects/${id}/integrations`, 201, { name: 'Shop' });
  await server.app.database.transaction().execute(async (database) => {
    await lockStoredSettings(database, id);
    await lockIntegration(database, id, integration.id);
    const body = { name: 'k', permissions: ['read'] };
    await call('POST', `/projects/${id}/integrations/${integration.id}/api-keys`, 201, body);
  });
});

test('tool calls are delivered to a webhook that subscribes to them, and are not even written for a project where none does', async () => {
  const [loud, quiet] = [await world(), await world()];
  const webhook = await makeWebhook(server, customer, loud.id, { events: ['tool_call.*'] });
  for (const { id, call } of [loud, quiet]) {
    const made = await call('POST', '/custom-tools', 201, tool());
    const key = await makeKey(server, id, ['read']);
    const run = () => api('POST', `/custom-tools/${made.id}/execute`, { key: key.key, body: { arguments: {} } });
    customer.respond('/orders', { status: 200 });
    expectResponse(await run(), 200);
    customer.respond('/orders', { status: 500 });
    expectResponse(await run(), 502);
  }
  await server.runJobs();
  const told = payloads(webhook.path);
  assert.deepEqual(told.map(({ type }) => type).sort(), ['tool_call.failed', 'tool_call.succeeded']);
  for (const { type, data } of told) assert.deepEqual(eventKinds[type as EventTypeName].data.parse(data), data);
  const failed = told.find(({ type }) => type === 'tool_call.failed');
  assert.deepEqual([failed.data.status, failed.data.error_code], [500, 'UPSTREAM_STATUS']);
  const events = await quiet.call('GET', `/projects/${quiet.id}/events?type=tool_call.succeeded`, 200);
  assert.deepEqual(events.data, []);
});

test('what happens often is kept for a webhook that is off, and recovered once it is on', async () => {
  const { id, call } = await world();
  const webhook = await makeWebhook(server, customer, id, { events: ['tool_call.*'], is_enabled: false });
  const since = new Date(server.app.now() - 1000).toISOString();
  const made = await call('POST', '/custom-tools', 201, tool());
  const key = await makeKey(server, id, ['read']);
  customer.respond('/orders', { status: 200 });
  expectResponse(await api('POST', `/custom-tools/${made.id}/execute`, { key: key.key, body: { arguments: {} } }), 200);
  await server.runJobs();
  assert.deepEqual(types(webhook.path), []);
  const path = `/projects/${id}/webhooks/${webhook.id}`;
  await call('PATCH', path, 200, { is_enabled: true });
  await call('POST', `${path}/recover`, 200, { since });
  await server.runJobs();
  assert.deepEqual(types(webhook.path), ['tool_call.succeeded']);
});

test('a rate limit that is exceeded is recorded once an hour', async () => {
  const { id } = await makeProject(server, { plan: 'enterprise', requests_per_hour: 2 });
  const key = await makeKey(server, id, ['read']);
  const ask = () => api('GET', '/projects', { key: key.key });
  const meet = async () => {
    for (let i = 0; i < 2; i += 1) expectResponse(await ask(), 200);
    for (let i = 0; i < 3; i += 1) expectResponse(await ask(), 429);
    await server.runJobs();
  };
  const path = `/projects/${id}/events?type=rate_limit.exceeded`;
  const told = async () => expectResponse(await api('GET', path, { key: ROOT_KEY }), 200).data;
  await meet();
  const [event, ...more] = await told();
  assert.deepEqual([event.data, more.length], [{ requests_per_hour: 2, plan: 'enterprise' }, 0]);
  server.advance(3_600_001);
  await meet();
  assert.equal((await told()).length, 2);
});

test('the types of events are listed with an example that a webhook could receive', async () => {
  const { call, id } = await world();
  const { data, has_more } = await call('GET', `/projects/${id}/event-types`, 200);
  const recorded = Object.keys(eventKinds) as EventTypeName[];
  assert.equal(has_more, false);
  assert.ok(data.length > 30 && data.every(({ type }: { type: EventTypeName }) => recorded.includes(type)));
  for (const { type, description, readable_with, example } of data) {
    const kind = eventKinds[type as EventTypeName];
    assert.deepEqual([description, readable_with], [kind.description, kind.readable_with]);
    assert.deepEqual([example.type, kind.data.safeParse(example.data).error], [type, undefined]);
  }
});
