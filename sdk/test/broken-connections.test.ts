// A server that reads each request to its end and then breaks the connection: it may have done what was asked.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Toolgate } from '../src/client.ts';
import { ConnectionError } from '../src/errors.ts';
import { API_KEY } from './fake-api.ts';

type Received = { operation: string; key: string | undefined };
const received: Received[] = [];

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const key = request.headers['idempotency-key'] as string | undefined;
    received.push({ operation: `${request.method} ${request.url}`, key });
    response.destroy();
  });
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
after(() => {
  server.closeAllConnections();
  server.close();
});
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const toolgate = new Toolgate({ apiKey: API_KEY, baseUrl, projectId: 'an-id', maxRetries: 1 });

/** How often the server received each request of one call, and with which keys. */
async function receivedBy(call: () => Promise<unknown>): Promise<Received[]> {
  received.length = 0;
  await assert.rejects(call(), ConnectionError);
  return [...received];
}

const once: Record<string, () => Promise<unknown>> = {
  'a member session': () => toolgate.memberSessions.create({ memberAssertion: 'x' }),
  'a redelivery': () => toolgate.webhooks.deliveries.redeliver('wh_1', 'dlv_1'),
  'a recovery': () => toolgate.webhooks.recover('wh_1', { since: '2026-01-01T00:00:00Z' }),
  'a sign-in': () => toolgate.account.signIn({ email: 'a@b.example', password: 'x' }),
  'a resent invitation': () => toolgate.organization.invitations.resend('inv_1'),
  'new recovery codes': () => toolgate.account.totp.newRecoveryCodes({ password: 'x' } as never),
  'an idempotency key that the API does not take': () =>
    toolgate.memberSessions.create({ memberAssertion: 'x' }, { idempotencyKey: 'mine' }),
};

for (const [name, call] of Object.entries(once))
  test(`${name} is not sent again after a broken connection`, async () => {
    const requests = await receivedBy(call);
    assert.equal(requests.length, 1);
    assert.equal(requests[0]?.key, undefined);
  });

test('a tool call and a creation are sent again with the key of the first attempt', async () => {
  for (const call of [
    () => toolgate.customTools.execute('x', { n: 1 }),
    () => toolgate.apiKeys.create({ name: 'x', permissions: ['read'] }),
    () => toolgate.integrations.create({ name: 'x' }, { idempotencyKey: 'mine' }),
  ]) {
    const requests = await receivedBy(call);
    assert.equal(requests.length, 2);
    assert.ok(requests[0]?.key);
    assert.equal(requests[1]?.key, requests[0].key);
  }
});

/** They set a state or only read, so that a second one changes nothing. */
const repeatable =
  /\/(revoke|revoke-sessions|enable|disable|deactivate|assertion-keys\/debug|preview|preview-response|verify-signature|debug-id-jag|approve|decline|sync|tasks\/an-id\/cancel|(oauth-providers|log-streams)\/an-id\/test)$/;

test('no other POST without an Idempotency-Key is sent twice, whatever the method', async () => {
  received.length = 0;
  const calls: Promise<unknown>[] = [];
  const callAll = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(callAll);
    if (typeof value === 'function' && !['stream', 'watch'].includes(value.name))
      calls.push(assert.rejects(async () => value('an-id', 'an-id', {}), ConnectionError));
  };
  callAll(toolgate);
  await Promise.all(calls);
  const posts = received.filter(({ operation, key }) => operation.startsWith('POST') && key === undefined);
  const twice = posts.filter(({ operation }, at) => posts.findIndex((other) => other.operation === operation) !== at);
  assert.ok(posts.length > 20, `${posts.length}`);
  assert.deepEqual(
    twice.map(({ operation }) => operation).filter((operation) => !repeatable.test(operation)),
    [],
  );
});
