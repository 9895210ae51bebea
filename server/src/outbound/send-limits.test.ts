import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startCustomer, testAuthority } from '../../test/support/peers/fake-customer.ts';
import { freePort } from '../../test/support/servers/free-port.ts';
import { parseAllowList } from './allow-list.ts';
import { type OutboundRequest, SendError } from './messages.ts';
import { createRequester, leave } from './requester.ts';
import { createSend, type SendOptions } from './send.ts';

const [slow, other, third] = [await startCustomer(), await startCustomer(), await startCustomer()];
const dead = await freePort();
const { allowed } = parseAllowList([slow.address, other.address, third.address, `127.0.0.1:${dead}`].join(','));
const closing: (() => Promise<void>)[] = [slow, other, third].map((customer) => () => customer.close());
after(async () => {
  for (const close of closing.reverse()) await close();
});

function open(options: Partial<SendOptions> = {}) {
  const send = createSend({ allow: allowed, ca: [testAuthority.certificate], ...options });
  closing.push(() => send.close());
  const ask = (fields: Partial<OutboundRequest>) =>
    send({
      origin: slow.url,
      path: '/',
      method: 'POST',
      headers: {},
      timeout_ms: 20_000,
      max_response_bytes: 1_000,
      isolation_key: 'group_a',
      ...fields,
    });
  return { send, ask };
}

/** A path that responds only once `release` is called, and how many requests it holds at most. */
function gate(customer: typeof slow, path: string) {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const arrivals = new EventTarget();
  customer.respond(path, () => {
    queueMicrotask(() => arrivals.dispatchEvent(new Event('arrival')));
    return { hold };
  });
  const arrived = async (count: number) => {
    while (customer.at(path).length < count) {
      await new Promise((resolve) => arrivals.addEventListener('arrival', resolve, { once: true }));
    }
  };
  return { release, arrived };
}

const kindOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 'answered',
    (error: unknown) => (error instanceof SendError ? error.kind : String(error)),
  );
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

test('at most 10 calls of a group reach one origin at once, and the rest follow', async () => {
  const { ask } = open();
  const { release, arrived } = gate(slow, '/cap');
  const calls = times(25, () => kindOf(ask({ path: '/cap' })));
  await arrived(10);
  await ask({ origin: other.url });
  assert.equal(slow.at('/cap').length, 10);
  release();
  assert.deepEqual(new Set(await Promise.all(calls)), new Set(['answered']));
  assert.equal(slow.at('/cap').length, 25);
});

test('at most 20 calls of a group run at once, and another group is not delayed', async () => {
  const { ask } = open();
  const gates = [gate(slow, '/project'), gate(other, '/project')];
  const calls = [slow, other].flatMap(({ url }) => times(10, () => ask({ origin: url, path: '/project' })));
  await Promise.all(gates.map(({ arrived }) => arrived(10)));
  const waiting = ask({ origin: third.url, path: '/waiting' });
  assert.equal((await ask({ origin: third.url, path: '/free', isolation_key: 'group_b' })).status, 200);
  assert.equal((await ask({ origin: slow.url, path: '/free', isolation_key: 'group_b' })).status, 200);
  assert.equal(third.at('/waiting').length, 0);
  for (const { release } of gates) release();
  assert.equal((await waiting).status, 200);
  await Promise.all(calls);
});

test('a call that times out while it waits for a slot is never sent', async () => {
  const { ask } = open({ max_per_origin: 1 });
  const { release, arrived } = gate(slow, '/slot');
  const first = ask({ path: '/slot' });
  await arrived(1);
  assert.equal(await kindOf(ask({ path: '/late', timeout_ms: 50 })), 'timeout');
  release();
  await first;
  assert.equal((await ask({ path: '/after' })).status, 200);
  assert.equal(slow.at('/late').length, 0);
});

test('a call that times out while it connects is never sent', async () => {
  const { promise: resolved, resolve } = Promise.withResolvers<void>();
  const lookup = () => resolved.then(() => [{ address: '127.0.0.1', family: 4 }]);
  const { ask } = open({ max_per_origin: 1, lookup });
  const origin = `https://localhost:${slow.port}`;
  assert.equal(await kindOf(ask({ origin, path: '/too-late', timeout_ms: 50 })), 'timeout');
  const next = ask({ origin, path: '/in-time' });
  resolve();
  assert.equal((await next).status, 200);
  assert.equal(slow.at('/too-late').length, 0);
});

test('a thousand calls to an origin that hangs delay no other, end in time and hold no slot afterwards', async () => {
  const { ask } = open();
  slow.respond('/hang', { hang: true });
  const calls = times(1_000, () => kindOf(ask({ path: '/hang', timeout_ms: 500 })));
  assert.equal((await ask({ origin: other.url })).status, 200);
  assert.equal((await ask({ origin: slow.url, isolation_key: 'group_b' })).status, 200);
  assert.deepEqual(new Set(await Promise.all(calls)), new Set(['timeout']));
  assert.equal((await ask({})).status, 200);
});

test('more waiting calls than a group may have are refused at once', async () => {
  const { ask } = open({ max_per_origin: 1, max_waiting: 2 });
  const { release, arrived } = gate(slow, '/full');
  const calls = times(3, () => kindOf(ask({ path: '/full' })));
  await arrived(1);
  assert.equal(await kindOf(ask({ path: '/full' })), 'overloaded');
  release();
  assert.deepEqual(await Promise.all(calls), ['answered', 'answered', 'answered']);
});

test('a requester that leaves ends the call: before it begins, while it waits, and while it runs', async () => {
  const { ask } = open({ max_per_origin: 1 });
  assert.equal(await kindOf(ask({ path: '/gone', requester: { ...createRequester(), is_gone: true } })), 'aborted');
  assert.equal(slow.at('/gone').length, 0);

  const { arrived } = gate(slow, '/gone');
  const [running, waiting] = [createRequester(), createRequester()];
  const first = kindOf(ask({ path: '/gone', requester: running }));
  const second = kindOf(ask({ path: '/gone', requester: waiting }));
  await arrived(1);
  leave(waiting);
  assert.equal(await second, 'aborted');
  leave(running);
  assert.equal(await first, 'aborted');
  assert.equal((await ask({ path: '/next' })).status, 200);
  assert.equal(slow.at('/gone').length, 1);
});

test('after five failed connects the circuit is open for a while, then one probe is sent', async () => {
  let clock = 0;
  const { ask } = open({ now: () => clock });
  const origin = `https://127.0.0.1:${dead}`;
  const outcomes = [];
  for (let call = 0; call < 7; call += 1) outcomes.push(await kindOf(ask({ origin })));
  assert.deepEqual(outcomes, [...Array(5).fill('connection'), 'circuit_open', 'circuit_open']);
  clock = 5_000;
  const probes = await Promise.all(times(5, () => kindOf(ask({ origin }))));
  assert.deepEqual(probes, ['connection', ...Array(4).fill('circuit_open')]);
  clock = 14_999;
  assert.equal(await kindOf(ask({ origin })), 'circuit_open');
  clock = 15_000;
  assert.equal(await kindOf(ask({ origin })), 'connection');
});

test("an open circuit is one group's and one origin's", async () => {
  const { ask } = open({ now: () => 0 });
  const origin = `https://127.0.0.1:${dead}`;
  for (let call = 0; call < 6; call += 1) await kindOf(ask({ origin }));
  assert.equal(await kindOf(ask({ origin })), 'circuit_open');
  assert.equal(await kindOf(ask({ origin, isolation_key: 'group_b' })), 'connection');
  assert.equal(await kindOf(ask({ origin: other.url })), 'answered');
});

test('resets, timeouts and 500s never open the circuit', async () => {
  const { ask } = open();
  slow.respond('/reset', { reset: true });
  slow.respond('/500', { status: 500 });
  slow.respond('/mute', { hang: true });
  for (const path of ['/reset', '/500', '/mute']) {
    await Promise.all(times(10, () => kindOf(ask({ path, timeout_ms: path === '/mute' ? 50 : 20_000 }))));
    assert.equal(await kindOf(ask({ path: '/fine' })), 'answered');
  }
});

test('when one group uses all slots of the process, another group gets the next', async () => {
  const { ask } = open({ max_total: 3 });
  const { release, arrived } = gate(slow, '/total');
  const order: string[] = [];
  other.respond('/order', (request) => {
    order.push(String(request.headers['x-name']));
    return {};
  });
  const held = times(3, () => ask({ path: '/total' }));
  await arrived(3);
  const named = (name: string, isolation_key: string) =>
    ask({ origin: other.url, path: '/order', headers: { 'x-name': name }, isolation_key });
  const waiting = [...times(20, () => named('first', 'group_a')), named('second', 'group_b')];
  assert.equal(order.length, 0);
  release();
  await Promise.all([...held, ...waiting]);
  assert.ok(order.indexOf('second') < 3, order.join());
});

test('a webhook that hangs uses its own slots, not those of the tools or of other webhooks', async () => {
  const { ask } = open({ max_per_part: 2 });
  const { release, arrived } = gate(slow, '/part');
  const hanging = times(3, () => ask({ path: '/part', isolation_part: 'webhook_a' }));
  await arrived(2);
  assert.equal((await ask({ isolation_part: 'webhook_b' })).status, 200);
  assert.equal((await ask({})).status, 200);
  assert.equal(slow.at('/part').length, 2);
  release();
  await Promise.all(hanging);
});

test("a group that calls many origins closes its own idle connections, and not another group's", async () => {
  const fresh = await startCustomer();
  closing.push(() => fresh.close());
  const allow = parseAllowList([fresh, slow, other, third].map(({ address }) => address).join(',')).allowed;
  const send = open({ max_destinations_per_group: 2, allow });
  await send.ask({ origin: fresh.url, isolation_key: 'group_b' });
  for (const { url } of [slow, other, third, slow, other, third])
    assert.equal((await send.ask({ origin: url })).status, 200);
  assert.equal((await send.ask({ origin: fresh.url, isolation_key: 'group_b' })).status, 200);
  assert.equal(fresh.counts.connections, 1);
});

test('idle destinations are closed when there are many, busy ones stay', async () => {
  const { ask } = open({ max_destinations: 4 });
  const { release, arrived } = gate(slow, '/busy');
  const busy = ask({ path: '/busy' });
  await arrived(1);
  for (let project = 0; project < 20; project += 1) {
    assert.equal((await ask({ origin: other.url, isolation_key: `group_${project}` })).status, 200);
  }
  release();
  assert.equal((await busy).status, 200);
});

test('closing ends running and waiting calls, and refuses later ones', async () => {
  const { send, ask } = open({ max_per_origin: 1 });
  const { arrived } = gate(slow, '/closing');
  const calls = times(3, () => kindOf(ask({ path: '/closing' })));
  await arrived(1);
  await send.close();
  assert.deepEqual(await Promise.all(calls), ['aborted', 'aborted', 'aborted']);
  assert.equal(await kindOf(ask({ path: '/closing' })), 'aborted');
});
