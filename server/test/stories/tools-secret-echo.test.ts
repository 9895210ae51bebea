// An API that repeats our request, with its credentials, in its answer: the secret reaches nobody.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { buildServer } from '../../src/routes.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { type ReceivedRequest, startCustomer } from '../support/peers/fake-customer.ts';
import { call } from '../support/requests/call-api.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { keys } = await makeTenant(server, { plan: 'pro' });

const secret = 'kY7/s3cret+value=9';
const token = 'tok-1234567890abcdef';
const strategies: [strategy: string, secret: string, more?: object][] = [
  ['bearer_token', secret],
  ['api_key_header', secret],
  ['basic', `shop:${secret}`],
  ['hmac_signature', secret],
  [
    'oauth2_client_credentials',
    secret,
    { auth_config: { token_url: `${customer.url}/token`, client_id: 'client-of-the-shop' } },
  ],
];
customer.respond('/token', { body: { access_token: token, expires_in: 300 } });

/** All of the request, once as it is and once as JSON and base64. */
const echo = ({ headers }: ReceivedRequest) => {
  const plain = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const known = [secret, Buffer.from(`shop:${secret}`).toString('base64')];
  return { headers, plain, known, base64: Buffer.from(JSON.stringify(headers)).toString('base64') };
};

function expectNoSecret(text: string): void {
  assert.match(text, /\*{6}/);
  const base64 = [0, 1, 2].map((n) =>
    Buffer.from('x'.repeat(n) + secret)
      .toString('base64')
      .slice(4, 16),
  );
  for (const form of [secret, secret.replaceAll('/', '\\/'), token, ...base64]) assert.ok(!text.includes(form), form);
}

for (const [auth_strategy, encrypted_auth_secret, more = {}] of strategies) {
  test(`${auth_strategy}: not in details.body, in a result, over MCP`, async () => {
    const tool = await makeTool(server, keys.write, customer, { auth_strategy, encrypted_auth_secret, ...more });
    const mcp = () =>
      server.api('POST', '/mcp', {
        key: keys.read,
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool.name, arguments: {} } },
      });
    for (const status of [401, 200]) {
      customer.respond(tool.endpoint_path, (request) => ({ status, body: echo(request) }));
      const rest = await execute(server, keys.read, tool.id);
      assert.equal(rest.status, status === 200 ? 200 : 502, rest.text);
      const response = await mcp();
      assert.equal(response.status, 200, response.text);
      assert.equal(response.body.result.isError ?? false, status !== 200);
      for (const { text } of [rest, response]) expectNoSecret(text);
    }
    assert.ok(JSON.stringify(customer.at(tool.endpoint_path)[0]?.headers).length > 0);
  });
}

test('the API did receive the credentials, and an answer without them is passed on unchanged', async () => {
  const tool = await makeTool(server, keys.write, customer, {
    auth_strategy: 'bearer_token',
    encrypted_auth_secret: secret,
  });
  const body = { text: '***', near: secret.slice(0, -1), number: 12345678901234567890n.toString() };
  customer.respond(tool.endpoint_path, { body });
  assert.deepEqual(expectResponse(await execute(server, keys.read, tool.id), 200).body, body);
  assert.equal(customer.at(tool.endpoint_path)[0]?.headers.authorization, `Bearer ${secret}`);
});

test('not in the log, at any level', async () => {
  const lines: string[] = [];
  const out = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logging = await buildServer({ ...server.app, log: pino({ level: 'trace' }, out) });
  await logging.listen({ host: '127.0.0.1', port: 0 });
  after(() => logging.close());
  const url = `http://127.0.0.1:${(logging.server.address() as { port: number }).port}`;
  const tool = await makeTool(server, keys.write, customer, {
    auth_strategy: 'bearer_token',
    encrypted_auth_secret: secret,
  });
  for (const response of [
    { status: 500, body: `Authorization: Bearer ${secret}` },
    { raw: `HTTP/1.1 200 OK\r\nbad header ${secret}\r\n\r\n` },
    { headers: { 'content-encoding': secret } },
  ]) {
    customer.respond(tool.endpoint_path, response);
    const responded = await call(url, 'POST', `/custom-tools/${tool.id}/execute`, { key: keys.write, body: {} });
    assert.equal(responded.status, 502, responded.text);
    assert.ok(!responded.text.includes(secret));
  }
  assert.ok(lines.length >= 3);
  assert.ok(!lines.join('').includes(secret), lines.join(''));
});
