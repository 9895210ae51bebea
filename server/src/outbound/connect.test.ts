import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startCustomer, testAuthority } from '../../test/support/peers/fake-customer.ts';
import { parseAllowList } from './allow-list.ts';
import type { Lookup } from './connect.ts';
import { SendError } from './messages.ts';
import { createSend, type SendOptions } from './send.ts';

const customer = await startCustomer({ names: ['api.customer.example', 'localhost'] });
const { allowed } = parseAllowList(customer.address);
const closing: (() => Promise<void>)[] = [() => customer.close()];
after(async () => {
  for (const close of closing.reverse()) await close();
});

/** A sender where every name resolves to these addresses, one list after the other. */
function sendResolving(responses: string[][], options: Partial<SendOptions> = {}) {
  const asked: string[] = [];
  const lookup: Lookup = async (hostname) => {
    asked.push(hostname);
    const addresses = responses[Math.min(asked.length, responses.length) - 1] ?? [];
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  const send = createSend({ allow: allowed, ca: [testAuthority.certificate], lookup, ...options });
  closing.push(() => send.close());
  const ask = (origin = `https://api.customer.example:${customer.port}`) =>
    send({
      origin,
      path: '/',
      method: 'GET',
      headers: {},
      timeout_ms: 10_000,
      max_response_bytes: 1_000,
      isolation_key: 'p',
    });
  return { ask, asked };
}

const isBlocked = (error: unknown) => error instanceof SendError && error.kind === 'blocked';

test('a name is resolved once, and TLS and Host keep the name', async () => {
  const { ask, asked } = sendResolving([['127.0.0.1']]);
  assert.equal((await ask()).status, 200);
  assert.deepEqual(asked, ['api.customer.example']);
  const request = customer.requests.at(-1);
  assert.equal(request?.server_name, 'api.customer.example');
  assert.equal(request?.headers.host, `api.customer.example:${customer.port}`);
});

for (const address of [
  '10.0.0.1',
  '169.254.169.254',
  '127.0.0.2',
  '::1',
  '::ffff:127.0.0.1',
  'fd00::1',
  '0.0.0.0',
  'nonsense',
]) {
  test(`a name that resolves to ${address} is blocked`, async () => {
    const before = customer.counts.connections;
    await assert.rejects(sendResolving([[address]]).ask(), isBlocked);
    assert.equal(customer.counts.connections, before);
  });
}

test('one private address among good ones blocks them all', async () => {
  const before = customer.counts.connections;
  await assert.rejects(sendResolving([['127.0.0.1', '10.0.0.1']]).ask(), isBlocked);
  await assert.rejects(sendResolving([['93.184.216.34', '::1']]).ask(), isBlocked);
  assert.equal(customer.counts.connections, before);
});

test('a blocked address is reported as blocked every time: it never opens the circuit', async () => {
  const { ask } = sendResolving([['10.0.0.1']]);
  for (let call = 0; call < 8; call += 1) await assert.rejects(ask(), isBlocked);
});

test('a name that later resolves to a private address is blocked at the next connection', async () => {
  const { ask, asked } = sendResolving([['127.0.0.1'], ['127.0.0.2']]);
  customer.respond('/', { headers: { connection: 'close' } });
  assert.equal((await ask()).status, 200);
  await assert.rejects(ask(), isBlocked);
  assert.equal(asked.length, 2);
});

test('a name without an address, and one DNS does not know, are connection errors', async () => {
  const isConnection = (error: unknown) => error instanceof SendError && error.kind === 'connection';
  await assert.rejects(sendResolving([[]]).ask(), isConnection);
  const lookup = () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }));
  await assert.rejects(sendResolving([], { lookup }).ask(), isConnection);
});

test('a local name reaches only addresses on the allow list', async () => {
  const { ask } = sendResolving([['127.0.0.1']]);
  assert.equal((await ask(`https://localhost:${customer.port}`)).status, 200);
  const before = customer.counts.connections;
  const empty = sendResolving([['127.0.0.1']], { allow: [] });
  await assert.rejects(empty.ask(`https://localhost:${customer.port}`), isBlocked);
  await assert.rejects(empty.ask(), isBlocked);
  assert.equal(customer.counts.connections, before);
});

for (const origin of [
  'https://127.0.0.1:1',
  'https://169.254.169.254',
  'https://[::1]:8443',
  'http://127.0.0.1',
  'https://2130706433',
  'https://a.example/x',
  'x',
]) {
  test(`${origin} is blocked without a DNS query`, async () => {
    const { ask, asked } = sendResolving([['127.0.0.1']]);
    await assert.rejects(ask(origin), isBlocked);
    assert.deepEqual(asked, []);
  });
}

test('our own public address is blocked, as a literal and by name', async () => {
  const deny = new Set(['93.184.216.34:8443']);
  await assert.rejects(sendResolving([], { deny }).ask('https://93.184.216.34:8443'), isBlocked);
  await assert.rejects(sendResolving([['93.184.216.34']], { deny }).ask('https://us.example:8443'), isBlocked);
});

test('connections that are opened while a name is looked up share the lookup', async () => {
  let asked = 0;
  const lookup = async () => {
    asked += 1;
    // One connection is opened in each iteration of the event loop.
    for (let iteration = 0; iteration < 10; iteration += 1) await setImmediate();
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const { ask } = sendResolving([], { lookup });
  const responses = await Promise.all([ask(), ask(), ask()]);
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(asked, 1);
});
