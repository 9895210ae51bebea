// Connections through the operator's proxy: the address guard decides first, and the proxy cannot read what goes through it.

import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { startEgressProxy } from '../../test/support/peers/egress-proxy.ts';
import { startCustomer, testAuthority } from '../../test/support/peers/fake-customer.ts';
import { freePort } from '../../test/support/servers/free-port.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { parseAllowList } from './allow-list.ts';
import type { Lookup } from './connect.ts';
import { type EgressProxy, type ProxyUrl, parseDirectHosts, parseProxyUrl } from './egress-proxy.ts';
import { SendError } from './messages.ts';
import { createSend, type Sender, type SendOptions } from './send.ts';

const NAME = 'api.customer.example';
const customer = await startCustomer({ names: [NAME, 'localhost'] });
const plain = await startCustomer({ is_plain: true });
const impostor = await startCustomer({ trusted: false, names: [NAME] });
const proxy = await startEgressProxy();
const closing: (() => Promise<void>)[] = [customer, plain, impostor, proxy].map((each) => () => each.close());
after(async () => {
  for (const close of closing.reverse()) await close();
});
/** Of the current test: a connection that one keeps open is not another's. */
const senders: Sender[] = [];
afterEach(async () => {
  for (const send of senders.splice(0)) await send.close();
  proxy.asked.splice(0);
  proxy.behave({});
});
const ORIGIN = `https://${NAME}:${customer.port}`;

type Through = { url?: string; resolves_names?: boolean; no_proxy?: string };

function sendThrough(
  { url = proxy.url, resolves_names = false, no_proxy = '' }: Through = {},
  { allow = customer.address, ...options }: Partial<Omit<SendOptions, 'allow'>> & { allow?: string } = {},
) {
  const looked_up: string[] = [];
  const lookup: Lookup = async (hostname) => {
    looked_up.push(hostname);
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const { direct } = parseDirectHosts(no_proxy);
  const through: EgressProxy = { ...(parseProxyUrl(url) as ProxyUrl), resolves_names, direct };
  const { allowed } = parseAllowList(allow);
  const send = createSend({ allow: allowed, ca: [testAuthority.certificate], lookup, proxy: through, ...options });
  senders.push(send);
  const ask = (origin = ORIGIN, path = '/', timeout_ms = 10_000) =>
    send({
      origin,
      path,
      method: 'GET',
      headers: {},
      timeout_ms,
      max_response_bytes: 10_000_000,
      isolation_key: 'p',
    });
  return { ask, looked_up };
}

const failsAs = (kind: string, failure?: string) => (error: unknown) =>
  error instanceof SendError && error.kind === kind && error.failure === failure;

test('the proxy is told the address that was checked; TLS and Host keep the name', async () => {
  const { ask, looked_up } = sendThrough();
  assert.equal((await ask()).status, 200);
  assert.deepEqual(looked_up, [NAME]);
  assert.deepEqual(proxy.asked, [{ authority: `127.0.0.1:${customer.port}`, authorization: undefined }]);
  const { server_name, headers } = customer.requests.at(-1) ?? {};
  assert.deepEqual([server_name, headers?.host], [NAME, `${NAME}:${customer.port}`]);
  assert.ok(!('proxy-authorization' in (headers ?? {})));
});

test('a connection is used again, and a large response arrives whole', async () => {
  const part = Buffer.alloc(64 * 1024, 'x');
  customer.respond('/large', { headers: { 'content-type': 'text/plain' }, repeat: { part, times: 80 } });
  const { ask } = sendThrough();
  assert.equal((await ask()).status, 200);
  assert.equal((await ask(ORIGIN, '/large')).body.length, 80 * part.length);
  assert.equal((await ask()).status, 200);
  assert.equal(proxy.asked.length, 1);
});

test('a forbidden address is refused before the proxy is asked', async () => {
  const { ask } = sendThrough({}, { allow: '10.0.0.5:443' });
  for (const origin of [ORIGIN, 'https://169.254.169.254', 'https://localhost', `https://127.0.0.1:${customer.port}`])
    await assert.rejects(ask(origin), failsAs('blocked'));
  assert.deepEqual(proxy.asked, []);
});

test('with names resolved by the proxy, it gets the name, and private addresses and local names are still refused', async () => {
  const { ask, looked_up } = sendThrough({ resolves_names: true });
  assert.equal((await ask()).status, 200);
  assert.deepEqual(
    proxy.asked.map(({ authority }) => authority),
    [`${NAME}:${customer.port}`],
  );
  for (const origin of ['https://10.0.0.5', 'https://[::1]', 'https://intranet.internal', 'https://localhost'])
    await assert.rejects(ask(origin), failsAs('blocked'));
  assert.deepEqual([proxy.asked.length, looked_up], [1, []]);
});

test('the proxy gets its credentials, and the host does not', async () => {
  const { ask } = sendThrough({ url: proxy.url.replace('//', '//gate:s%20cret@') });
  await ask();
  const authorization = `Basic ${Buffer.from('gate:s cret').toString('base64')}`;
  assert.equal(proxy.asked[0]?.authorization, authorization);
  assert.ok(!JSON.stringify(customer.requests.at(-1)?.headers).includes('Basic'));
});

test('a proxy over TLS is verified like a host', async () => {
  const secure = await startEgressProxy({ is_secure: true });
  closing.push(() => secure.close());
  // Node itself trusts the authority of the proxy only with NODE_EXTRA_CA_CERTS, which this process does not have.
  await assert.rejects(sendThrough({ url: secure.url }).ask(), failsAs('connection', 'egress_proxy_unreachable'));
  assert.deepEqual(secure.asked, []);
});

test('plain HTTP to an allowed host goes through CONNECT too', async () => {
  const { ask } = sendThrough({}, { allow: plain.url });
  assert.equal((await ask(plain.url)).status, 200);
  assert.deepEqual(
    proxy.asked.map(({ authority }) => authority),
    [plain.address],
  );
});

test('a proxy that reads TLS with a certificate of its own is not accepted', async () => {
  proxy.behave({ port: impostor.port });
  await assert.rejects(sendThrough().ask(), failsAs('connection', 'certificate_not_accepted'));
  assert.deepEqual(impostor.requests, []);
});

test('bytes that the proxy adds before those of the host are refused', async () => {
  proxy.behave({ first_bytes: 'HTTP/1.1 200 OK\r\n\r\n' });
  const { ask } = sendThrough({}, { allow: plain.url });
  await assert.rejects(ask(plain.url), failsAs('connection', 'malformed_response'));
});

for (const status of [403, 407, 502])
  test(`a proxy that returns ${status} refuses the connection`, async () => {
    proxy.behave({ status });
    await assert.rejects(sendThrough().ask(), failsAs('connection', 'refused_by_egress_proxy'));
    await waitUntil(async () => proxy.open() === 0, 10_000, 'the connection with the proxy is closed');
  });

test('a proxy that does not listen is reported as such, not as a host that does not', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  await assert.rejects(sendThrough({ url }).ask(), failsAs('connection', 'egress_proxy_unreachable'));
});

test('a proxy that never responds is given up in the time for connecting, and its connection is closed', async () => {
  proxy.behave({ hang: true });
  const { ask } = sendThrough({}, { connect_timeout_ms: 100 });
  await assert.rejects(ask(), failsAs('connection', 'connect_timed_out'));
  await waitUntil(async () => proxy.open() === 0, 10_000, 'the connection with the proxy is closed');
});

test('a call whose time is up closes its connection with the proxy', async () => {
  proxy.behave({ hang: true });
  await assert.rejects(sendThrough().ask(ORIGIN, '/', 100), failsAs('timeout'));
  await waitUntil(async () => proxy.open() === 0, 10_000, 'the connection with the proxy is closed');
});

for (const [what, no_proxy] of [
  ['a name', NAME],
  ['a suffix', '*.customer.example'],
  ['a range that has the address of the name', '127.0.0.0/8'],
] as const)
  test(`${what} in TOOLGATE_EGRESS_NO_PROXY is reached directly, after the same checks`, async () => {
    assert.equal((await sendThrough({ no_proxy }).ask()).status, 200);
    await assert.rejects(sendThrough({ no_proxy }, { allow: '' }).ask(), failsAs('blocked'));
    assert.deepEqual(proxy.asked, []);
  });

test('loopback goes through the proxy unless it is listed', async () => {
  const origin = `https://127.0.0.1:${customer.port}`;
  assert.equal((await sendThrough().ask(origin)).status, 200);
  assert.equal(proxy.asked.length, 1);
  assert.equal((await sendThrough({ no_proxy: '127.0.0.1' }).ask(origin)).status, 200);
  assert.equal(proxy.asked.length, 1);
});
