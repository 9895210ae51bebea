// The shop, the code that customers copy: what it accepts, what it refuses, and what it imports.

import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeSecret, signatureHeaders } from '../server/src/features/activity/webhooks/signature.ts';
import { canonicalString, signatureHeader } from '../server/src/features/tools/calls/https/signature.ts';
import { listenOnFreePort } from '../server/test/support/servers/free-port.ts';
import { createShop, WEBHOOK_PATH } from './shop/shop.ts';

const tool_secret = 'the secret of the tools';
const webhook_secret = makeSecret();
const events: string[] = [];
const server = createServer(
  createShop({ tool_secret, webhook_secret, log: () => {}, onEvent: ({ type }) => events.push(type) }),
);
const host = `127.0.0.1:${await listenOnFreePort(server)}`;
after(() => {
  server.closeAllConnections();
  server.close();
});

const now = () => Math.floor(Date.now() / 1000);

type ToolRequest = {
  method: string;
  path: string;
  member_id?: string | null;
  request_id?: string;
  body?: string;
  /** What is sent instead of the signed body and header. */
  sent_body?: string;
  sent_member_id?: string;
  secret?: string;
};

async function callTool(given: ToolRequest): Promise<{ status: number; body: any }> {
  const { method, path, member_id = null, request_id = 'call_1', body = '', secret = tool_secret } = given;
  const fields = { timestamp: now(), request_id, method, host, path, query: '', project_id: 'prj_1' };
  const canonical = canonicalString({ ...fields, body, integration_id: null, member_id });
  const member = given.sent_member_id ?? member_id;
  const sent = given.sent_body ?? body;
  const response = await fetch(`http://${host}${path}`, {
    method,
    headers: {
      'x-toolgate-timestamp': `${fields.timestamp}`,
      'x-toolgate-request-id': request_id,
      'x-toolgate-project-id': 'prj_1',
      'x-toolgate-signature': signatureHeader([createSecretKey(Buffer.from(secret))], canonical),
      ...(member === null ? {} : { 'x-toolgate-member-id': member }),
    },
    ...(sent === '' ? {} : { body: sent }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const tea = JSON.stringify({ product_id: 'tea', quantity: 1 });
const order = { method: 'POST', path: '/v1/orders', body: tea };

test('an order belongs to the member of the signature, and nobody else sees it', async () => {
  const placed = await callTool({ ...order, member_id: 'zoe', request_id: 'call_zoe' });
  assert.deepEqual([placed.status, placed.body.total_cents], [201, 890]);
  const list = (member_id: string) => callTool({ method: 'GET', path: '/v1/orders', member_id });
  assert.deepEqual((await list('zoe')).body.orders, [placed.body]);
  assert.deepEqual((await list('yan')).body.orders, []);
});

test('a repeated request makes one order', async () => {
  const repeated = { ...order, member_id: 'max', request_id: 'call_repeated' };
  const responses = [await callTool(repeated), await callTool(repeated)];
  assert.equal(responses[0]?.body.id, responses[1]?.body.id);
  assert.equal((await callTool({ method: 'GET', path: '/v1/orders', member_id: 'max' })).body.orders.length, 1);
});

test('a changed body, another member and another secret are refused with 401', async () => {
  const signed = { ...order, member_id: 'ivy', request_id: 'call_ivy' };
  for (const change of [{ sent_body: tea.replace('1', '9') }, { sent_member_id: 'eve' }, { secret: 'another' }])
    assert.deepEqual(await callTool({ ...signed, ...change }), { status: 401, body: { reason: 'mismatch' } });
  for (const member_id of ['ivy', 'eve'])
    assert.deepEqual((await callTool({ method: 'GET', path: '/v1/orders', member_id })).body.orders, []);
});

test('a request for nobody reads no orders and places none', async () => {
  assert.equal((await callTool(order)).status, 403);
  assert.equal((await callTool({ method: 'GET', path: '/v1/orders' })).status, 403);
});

test('an unknown product and an unknown path are 404', async () => {
  const body = JSON.stringify({ product_id: 'car', quantity: 1 });
  assert.equal((await callTool({ ...order, body, member_id: 'zoe', request_id: 'call_car' })).status, 404);
  assert.equal((await callTool({ method: 'GET', path: '/v1/nothing' })).status, 404);
});

test('a signed webhook is an event, and a changed one is refused with 401', async () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'tool_call.failed', data: {} });
  const headers = signatureHeaders({
    id: 'evt_1',
    timestamp: now(),
    body,
    secret: webhook_secret,
    previous_secret: null,
  });
  const deliver = (sent: string) =>
    fetch(`http://${host}${WEBHOOK_PATH}`, { method: 'POST', headers, body: sent }).then(({ status }) => status);
  assert.equal(await deliver(body.replace('failed', 'succeeded')), 401);
  assert.deepEqual(events, []);
  assert.equal(await deliver(body), 204);
  assert.deepEqual(events, ['tool_call.failed']);
});

test('the shop imports only Node, the SDK and its own files, so that it can be copied; the demo nothing of the server', () => {
  const importsOf = (folder: string) =>
    globSync('*.ts', { cwd: join(import.meta.dirname, folder) }).flatMap((file) =>
      [...readFileSync(join(import.meta.dirname, folder, file), 'utf8').matchAll(/(?:from |import\()'([^']+)'/g)].map(
        ([, path = '']) => path,
      ),
    );
  const shop = importsOf('shop').filter((path) => !/^(node:|\.\/)/.test(path));
  assert.deepEqual([...new Set(shop)], ['../../sdk/src/index.ts']);
  assert.deepEqual(
    importsOf('demo').filter((path) => path.includes('server/src')),
    [],
  );
});
