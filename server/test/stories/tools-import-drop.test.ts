// An import proposes what results may be without, and saves what was accepted of it with the tools.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();

const order = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    _links: { type: 'object', properties: { self: { type: 'string', format: 'uri' } } },
    created_by: { type: 'string' },
  },
  additionalProperties: false,
};
const respondsWith = (schema: object) => ({ 200: { description: 'OK', content: { 'application/json': { schema } } } });
const document = {
  openapi: '3.1.0',
  servers: [{ url: 'https://shop.example.com' }],
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        responses: respondsWith({ type: 'object', properties: { items: { type: 'array', items: order } } }),
      },
    },
    '/order': { get: { operationId: 'getOrder', responses: respondsWith(order) } },
  },
};
const importInto = (key: string, options: object) =>
  server.api('POST', '/custom-tools/import', { key, body: { document, ...options } });
const responses = async (key: string) => {
  const { data } = expectResponse(await server.api('GET', '/custom-tools', { key }), 200);
  return Object.fromEntries(data.map(({ name, response }: any) => [name, response]));
};

test('accepted proposals become the drop of the tools, and nothing more is proposed for those', async () => {
  const { keys } = await makeTenant(server);
  const { created } = expectResponse(await importInto(keys.write, { dry_run: true }), 200);
  const [list, one] = created;
  assert.ok(list.proposed_drop.length > 0 && one.proposed_drop.length > 0);
  const drop = { listOrders: list.proposed_drop.map(({ path }: any) => path) };
  const imported = expectResponse(await importInto(keys.write, { drop }), 201);
  assert.deepEqual(imported.created[0].proposed_drop, []);
  assert.ok(imported.created[1].proposed_drop.length > 0);
  assert.deepEqual(await responses(keys.read), { listOrders: { drop: drop.listOrders }, getOrder: null });
});

test('a tool that is there gets a drop only if it has no response, and importing again without one keeps it', async () => {
  const { keys } = await makeTenant(server);
  const { created } = expectResponse(await importInto(keys.write, {}), 201);
  const response = { select: ['id'] };
  await server.api('PATCH', `/custom-tools/${created[1].id}`, { key: keys.write, body: { response } });
  const drop = { listOrders: ['items[].created_by'], getOrder: ['created_by'] };
  const again = expectResponse(await importInto(keys.write, { drop, on_conflict: 'update' }), 201);
  assert.deepEqual(
    again.updated.map(({ name, changed_fields }: any) => [name, changed_fields]),
    [['listOrders', ['response']]],
  );
  assert.deepEqual(await responses(keys.read), { listOrders: { drop: drop.listOrders }, getOrder: response });
  expectResponse(await importInto(keys.write, { on_conflict: 'update' }), 201);
  assert.deepEqual(await responses(keys.read), { listOrders: { drop: drop.listOrders }, getOrder: response });
});

test('a drop that is no path is refused with its field; one that the schema excludes skips the operation and says why', async () => {
  const { keys } = await makeTenant(server);
  for (const [drop, field] of [
    [{ getOrder: ['a..b'] }, 'drop.getOrder.0'],
    [{ getOrder: [] }, 'drop.getOrder'],
    [{ getOrder: Array.from({ length: 11 }, (_, at) => `**.a${at}`) }, 'drop.getOrder'],
    [{ getOrder: ['\0'] }, 'drop.getOrder.0'],
    [['id'], 'drop'],
  ] as const) {
    const refused = expectResponse(await importInto(keys.write, { drop }), 422);
    assert.equal(refused.error.details.field, field);
  }
  assert.deepEqual(await responses(keys.read), {});
  const { created, skipped } = expectResponse(await importInto(keys.write, { drop: { getOrder: ['id.part'] } }), 201);
  assert.deepEqual(
    created.map(({ name }: any) => name),
    ['listOrders'],
  );
  assert.match(skipped[0].reason, /response\.drop\.0: .*output_schema excludes/);
});

test('a form has the drop as JSON', async () => {
  const { keys } = await makeTenant(server);
  const form = new FormData();
  form.set('document', JSON.stringify(document));
  form.set('drop', JSON.stringify({ getOrder: ['created_by'] }));
  const response = await fetch(`${server.url}/api/v1/custom-tools/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.write}` },
    body: form,
  });
  assert.equal(response.status, 201);
  assert.deepEqual(await responses(keys.read), { listOrders: null, getOrder: { drop: ['created_by'] } });
});
