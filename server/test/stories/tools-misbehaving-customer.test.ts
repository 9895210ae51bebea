// A customer's API that hangs, drips, resets, bombs, redirects, lies about its length, speaks garbage or shows a bad
// certificate: one call fails in a bounded time, is made once, and no other call is affected.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { callAndDisconnect, execute, makeTool } from '../support/make/make-tools.ts';
import { type CustomerResponse, startCustomer, startSilentPort } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const MAX_PER_ORIGIN = 10;

const customer = await startCustomer();
const stranger = await startCustomer({ trusted: false });
const stuckCustomer = await startCustomer();
let isFull = () => {};
const full = new Promise<void>((resolve) => (isFull = resolve));
stuckCustomer.respond('*', () => {
  if (stuckCustomer.requests.length === MAX_PER_ORIGIN) isFull();
  return { hang: true };
});
const silent = await startSilentPort();
after(() => Promise.all([customer.close(), stuckCustomer.close(), stranger.close(), silent.close()]));
const allowed = [customer.address, stuckCustomer.address, stranger.address, `127.0.0.1:${silent.port}`];
// No address in a response is the server's own.
const TOOLGATE_PUBLIC_URL = 'https://tools.example.com';
const server = await startServer({ TOOLGATE_PUBLIC_URL, TOOLGATE_EGRESS_ALLOW: allowed.join(',') });
const tenant = await makeTenant(server);
const key = tenant.keys.read;
const make = (fields: object = {}, base: { url: string } = customer) =>
  makeTool(server, tenant.keys.write, base, fields);

const TIMED_OUT = 'Tool execution timed out';
const NON_2XX = 'Upstream tool call failed - non-2xx response';
const NO_CONNECTION = 'Upstream tool call failed - connection error';

const cases: [what: string, response: CustomerResponse, status: number, message: string][] = [
  ['hangs', { hang: true }, 500, TIMED_OUT],
  ['drips without end', { drip_ms: 50 }, 500, TIMED_OUT],
  ['resets the connection', { reset: true }, 502, NO_CONNECTION],
  ['speaks garbage', { raw: 'SSH-2.0-OpenSSH_9.2\r\n' }, 502, NO_CONNECTION],
  ['ends the connection without a word', { raw: '' }, 502, NO_CONNECTION],
  ['promises more than it sends', { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort' }, 502, NO_CONNECTION],
  [
    'has two lengths',
    { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\nok' },
    502,
    NO_CONNECTION,
  ],
  ['has headers of 64 KiB', { raw: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(65_536)}\r\n\r\n` }, 502, NO_CONNECTION],
  ['packs its body in a way nobody knows', { headers: { 'content-encoding': 'zip' }, body: 'x' }, 502, NO_CONNECTION],
  ['says gzip and sends none', { headers: { 'content-encoding': 'gzip' }, body: 'no gzip' }, 502, NO_CONNECTION],
  ['redirects to itself', { status: 302, headers: { location: '/redirected' }, body: '' }, 502, NON_2XX],
  [
    'redirects to the inside',
    { status: 307, headers: { location: 'https://169.254.169.254/' }, body: '' },
    502,
    NON_2XX,
  ],
];
for (const [what, response, status, message] of cases) {
  test(`a customer that ${what} is ${status}, and was called once`, async () => {
    const tool = await make({ timeout_ms: 1000 });
    customer.respond(tool.endpoint_path, response);
    const refused = await execute(server, key, tool.id);
    expectResponse(refused, status, message);
    assert.equal(customer.at(tool.endpoint_path).length, 1);
    assert.ok(!/127\.0\.0\.1|ECONN|HPE_|UND_ERR|certificate/i.test(refused.text), refused.text);
    assert.deepEqual(customer.at('/redirected'), []);
  });
}

test('an error has its status, even if its body does not end, is truncated, or has another charset', async () => {
  const tool = await make({ timeout_ms: 1000 });
  const head = 'HTTP/1.1 503 Unavailable\r\ncontent-length: 4096';
  const latin1 = { headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body: Buffer.from('café', 'latin1') };
  for (const [response, body] of [
    [{ status: 503, drip_ms: 50 }, ''],
    [{ raw: `${head}\r\n\r\nbusy` }, 'busy'],
    [{ raw: `${head}\r\ncontent-encoding: gzip\r\n\r\nbusy` }, ''],
    [{ status: 503, ...latin1 }, 'café'],
  ] as [CustomerResponse, string][]) {
    customer.respond(tool.endpoint_path, response);
    const { error } = expectResponse(await execute(server, key, tool.id), 502, NON_2XX);
    assert.deepEqual([error.details.upstream_status, error.details.body.trim()], [503, body]);
  }
});

test('a certificate of an unknown authority is 502, and nothing is sent', async () => {
  expectResponse(await execute(server, key, (await make({}, stranger)).id), 502, NO_CONNECTION);
  assert.deepEqual(stranger.requests, []);
});

test('a port that accepts the connection and sends nothing ends with the timeout', async () => {
  const tool = await make({ timeout_ms: 1000 }, { url: `https://127.0.0.1:${silent.port}` });
  expectResponse(await execute(server, key, tool.id), 500, TIMED_OUT);
});

test('JSON beyond the limit is truncated and marked, compressed or not, and text beyond it becomes a file', async () => {
  const tool = await make();
  const bombs: CustomerResponse[] = [
    {
      headers: { 'content-type': 'application/json' },
      repeat: { part: Buffer.from('[1,2,3],'.repeat(8192)), times: 160 },
    },
    {
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
      body: gzipSync(Buffer.alloc(64 << 20, ' ')),
    },
  ];
  for (const bomb of bombs) {
    customer.respond(tool.endpoint_path, bomb);
    const { body, truncated } = expectResponse(await execute(server, key, tool.id), 200);
    assert.deepEqual([truncated, typeof body, body.length], [true, 'string', 1_048_576]);
  }
  const text = { headers: { 'content-type': 'text/plain' }, repeat: { part: Buffer.alloc(65_536, 'x'), times: 160 } };
  customer.respond(tool.endpoint_path, text);
  const { body, truncated, file } = expectResponse(await execute(server, key, tool.id), 200);
  assert.deepEqual([truncated, body, file.size], [false, null, 160 * 65_536]);
});

test('JSON of 500,000 levels is passed on as text, and JSON of 90,000 members as it is', async () => {
  const tool = await make();
  const deep = '['.repeat(500_000) + ']'.repeat(500_000);
  const wide = `{${Array.from({ length: 90_000 }, (_, i) => `"${i.toString(36)}":1`).join()}}`;
  for (const [text, body] of [
    [deep, deep],
    [wide, JSON.parse(wide)],
  ]) {
    customer.respond(tool.endpoint_path, { headers: { 'content-type': 'application/json' }, body: text });
    assert.deepEqual(expectResponse(await execute(server, key, tool.id), 200).body, body);
  }
});

test('a token in a response of 30,000 levels is not used', async () => {
  const deep = `{"access_token":"secret","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  customer.respond('/deep-token', { headers: { 'content-type': 'application/json' }, body: deep });
  const tool = await make({
    auth_strategy: 'oauth2_client_credentials',
    auth_config: { client_id: 'me', token_url: `${customer.url}/deep-token` },
    encrypted_auth_secret: 'the-client-secret',
  });
  expectResponse(await execute(server, key, tool.id), 500);
  assert.deepEqual(customer.at(tool.endpoint_path), []);
});

test('the limit is the setting of the project', async () => {
  const small = await makeTenant(server);
  const body = { max_response_bytes: 1024 };
  expectResponse(await server.api('PATCH', `/projects/${small.id}/settings`, { key: small.keys.write, body }), 200);
  const tool = await makeTool(server, small.keys.write, customer);
  customer.respond(tool.endpoint_path, { body: 'é'.repeat(2000), headers: { 'content-type': 'text/plain' } });
  const { file } = expectResponse(await execute(server, small.keys.read, tool.id), 200);
  assert.equal(file.size, 4000);
  const settings = { file_retention_seconds: 0 };
  expectResponse(
    await server.api('PATCH', `/projects/${small.id}/settings`, { key: small.keys.admin, body: settings }),
    200,
  );
  const response = expectResponse(await execute(server, small.keys.read, tool.id), 200);
  assert.deepEqual([response.truncated, response.body], [true, 'é'.repeat(512)], 'a project without files cuts text');
});

test('a customer that hangs takes no slot from the other tools of the project', async () => {
  const [slow, quick] = [await make({ timeout_ms: 55_000 }, stuckCustomer), await make()];
  let leave = () => {};
  const isOver = new Promise<void>((resolve) => (leave = resolve));
  const waiting = Array.from({ length: 40 }, () => callAndDisconnect(server, key, slow, isOver));
  await full;
  expectResponse(await execute(server, key, quick.id), 200);
  leave();
  await Promise.all(waiting);
});
