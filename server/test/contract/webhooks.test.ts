// Contract 3, 8 and 10: who may do what with webhooks, events and the audit log, and that no project sees another's.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Permission } from '@toolgate/contract/permissions.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeTenant>>;
type Place = { tenant: Tenant; webhook: string; delivery: string; event: string };

const url = 'https://example.com/hook';
let ours: Place;
let theirs: Place;

before(async () => {
  ours = await makePlace();
  theirs = await makePlace();
});

async function makePlace(events = ['project.*']): Promise<Place> {
  const tenant = await makeTenant(server);
  const path = `/projects/${tenant.id}/webhooks`;
  const webhook = expectResponse(await api('POST', path, { key: ROOT_KEY, body: { url, events } }), 201);
  const delivery = expectResponse(await api('POST', `${path}/${webhook.id}/ping`, { key: ROOT_KEY }), 201);
  return { tenant, webhook: webhook.id, delivery: delivery.id, event: delivery.event_id };
}

const routes: [method: string, path: (place: Place) => string, needs: Permission, body?: object][] = [
  ['GET', () => '/webhooks', 'read'],
  ['POST', () => '/webhooks', 'webhook', { url, events: ['project.*'] }],
  ['GET', ({ webhook }) => `/webhooks/${webhook}`, 'read'],
  ['PATCH', ({ webhook }) => `/webhooks/${webhook}`, 'webhook', { description: 'x' }],
  ['POST', ({ webhook }) => `/webhooks/${webhook}/rotate-secret`, 'webhook', {}],
  ['POST', ({ webhook }) => `/webhooks/${webhook}/ping`, 'webhook'],
  ['POST', ({ webhook }) => `/webhooks/${webhook}/test-event`, 'webhook', { type: 'project.updated' }],
  ['POST', ({ webhook }) => `/webhooks/${webhook}/recover`, 'webhook', { since: '2026-01-01T00:00:00Z' }],
  ['GET', ({ webhook }) => `/webhooks/${webhook}/deliveries`, 'read'],
  ['GET', ({ webhook, delivery }) => `/webhooks/${webhook}/deliveries/${delivery}`, 'read'],
  ['POST', ({ webhook, delivery }) => `/webhooks/${webhook}/deliveries/${delivery}/redeliver`, 'webhook'],
  ['GET', () => '/events', 'read'],
  ['GET', ({ event }) => `/events/${event}`, 'read'],
  ['GET', () => '/audit-log', 'admin'],
  ['DELETE', ({ webhook }) => `/webhooks/${webhook}`, 'admin'],
];

for (const [method, path, needs, body] of routes) {
  const name = `${method} ${path({ webhook: '{id}', delivery: '{id}', event: '{id}' } as Place)}`;
  const call = (project: string, below: string, key?: string) =>
    api(method, `/projects/${project}${below}`, { key, ...(body && { body }) });

  test(`${name} needs ${needs}`, async () => {
    const place = await makePlace();
    const { id, keys } = place.tenant;
    for (const permission of ['read', 'write', 'webhook'] as const) {
      if (permission !== needs) expectResponse(await call(id, path(place), keys[permission]), 403);
    }
    expectResponse(await call(id, path(place)), 401, 'Invalid or inactive API key');
    const allowed = await call(id, path(place), keys[needs]);
    assert.ok(allowed.status < 300, allowed.text);
    if (method !== 'DELETE') assert.ok((await call(id, path(place), keys.admin)).status < 300);
  });

  test(`${name} never reaches another project`, async () => {
    expectResponse(
      await call(theirs.tenant.id, path(theirs), ours.tenant.keys.admin),
      401,
      'Invalid or inactive API key',
    );
    if (path(theirs) === path(ours)) return;
    expectResponse(await call(ours.tenant.id, path(theirs), ours.tenant.keys.admin), 404, 'Not found');
  });
}

test('lists hold only what is of the project', async () => {
  for (const list of ['/webhooks', '/events', '/audit-log']) {
    const { data } = expectResponse(
      await api('GET', `/projects/${ours.tenant.id}${list}`, { key: ours.tenant.keys.admin }),
      200,
    );
    assert.ok(data.length > 0);
    for (const { project_id } of data) assert.equal(project_id, ours.tenant.id);
  }
});

test('the secret is shown by the answer that made it and by no other', async () => {
  const { tenant } = ours;
  const path = `/projects/${tenant.id}/webhooks`;
  const body = { url, events: ['project.*'], description: 'for the shop' };
  const headers = { 'idempotency-key': 'once' };
  const made = expectResponse(await api('POST', path, { key: tenant.keys.webhook, body, headers }), 201);
  assert.match(made.secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
  assert.deepEqual(expectResponse(await api('POST', path, { key: tenant.keys.webhook, body, headers }), 201), made);
  const { secret: _, ...shown } = made;
  assert.deepEqual(expectResponse(await api('GET', `${path}/${made.id}`, { key: tenant.keys.read }), 200), shown);
  const changed = await api('PATCH', `${path}/${made.id}`, {
    key: tenant.keys.webhook,
    body: { events: ['integration.*'] },
  });
  assert.deepEqual(Object.keys(expectResponse(changed, 200)).sort(), Object.keys(shown).sort());
  const list = await api('GET', path, { key: tenant.keys.read });
  assert.ok(!list.text.includes('whsec_'));
});

test('a project has at most 50 webhooks', async () => {
  const { id, keys } = await makeTenant(server);
  const make = () => api('POST', `/projects/${id}/webhooks`, { key: keys.admin, body: { url, events: ['*'] } });
  for (let i = 0; i < 50; i += 1) expectResponse(await make(), 201);
  expectResponse(await make(), 409, 'Limit reached');
});

test('webhooks made at the same moment are fifty too', async () => {
  const { id, keys } = await makeTenant(server);
  const make = () => api('POST', `/projects/${id}/webhooks`, { key: keys.admin, body: { url, events: ['*'] } });
  const statuses: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const responses = await Promise.all(Array.from({ length: 8 }, make));
    statuses.push(...responses.map(({ status }) => status));
  }
  assert.equal(statuses.filter((status) => status === 201).length, 50);
  assert.equal(statuses.filter((status) => status === 409).length, 22);
});

test('an overlap of more than seven days is refused', async () => {
  const path = `/projects/${ours.tenant.id}/webhooks/${ours.webhook}/rotate-secret`;
  const body = { overlap_seconds: 7 * 86_400 + 1 };
  expectResponse(await api('POST', path, { key: ours.tenant.keys.webhook, body }), 422);
});

test('the event log is filtered by kind, in pages', async () => {
  const { id, keys } = ours.tenant;
  const list = async (query: string) =>
    expectResponse(await api('GET', `/projects/${id}/events${query}`, { key: keys.admin }), 200);
  const first = await list('?type=api_key.created&limit=3');
  assert.equal(first.has_more, true);
  const rest = await list(`?type=api_key.created&limit=3&cursor=${first.next_cursor}`);
  const types = [...first.data, ...rest.data].map(({ type }) => type);
  assert.deepEqual(types, Array(4).fill('api_key.created'));
  expectResponse(await api('GET', `/projects/${id}/events?type=invented`, { key: keys.read }), 422);
});

test('events of keys and sessions are readable with admin only, as is their list', async () => {
  const { tenant } = await makePlace();
  const events = `/projects/${tenant.id}/events`;
  const list = async (key: string, query = '') => expectResponse(await api('GET', events + query, { key }), 200).data;
  const all = await list(tenant.keys.admin);
  const key = all.find(({ type }: { type: string }) => type === 'api_key.created');
  const shown = await list(tenant.keys.read);
  assert.deepEqual(
    shown,
    all.filter(({ type }: { type: string }) => !type.startsWith('api_key.')),
  );
  assert.ok(shown.length > 0 && shown.length < all.length);
  assert.deepEqual(await list(tenant.keys.read, '?type=api_key.created'), []);
  expectResponse(await api('GET', `${events}/${key.id}`, { key: tenant.keys.read }), 404, 'Not found');
  expectResponse(await api('GET', `${events}/${key.id}`, { key: tenant.keys.admin }), 200);
});

test('a delivery of such an event is shown to a reader without its body', async () => {
  const { tenant, webhook, delivery } = await makePlace(['*']);
  const { id, keys } = tenant;
  await makeKey(server, id);
  const deliveries = `/projects/${id}/webhooks/${webhook}/deliveries`;
  const [told] = expectResponse(
    await api('GET', `${deliveries}?event_type=api_key.created`, { key: keys.read }),
    200,
  ).data;
  const bodyFor = async (key: string, delivery_id: string) =>
    expectResponse(await api('GET', `${deliveries}/${delivery_id}`, { key }), 200).request_body;
  assert.equal(await bodyFor(keys.read, told.id), null);
  assert.equal(JSON.parse(await bodyFor(keys.admin, told.id)).type, 'api_key.created');
  assert.equal(JSON.parse(await bodyFor(keys.read, delivery)).type, 'ping');
});
