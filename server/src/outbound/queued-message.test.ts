import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startCustomer, testAuthority } from '../../test/support/peers/fake-customer.ts';
import { parseAllowList } from './allow-list.ts';
import { type BuildMessage, SendError } from './messages.ts';
import { createSend } from './send.ts';

const customer = await startCustomer();
const { allowed } = parseAllowList(customer.address);
const send = createSend({ allow: allowed, ca: [testAuthority.certificate], max_per_origin: 1 });
after(async () => {
  await send.close();
  await customer.close();
});

const ask = (build: BuildMessage, timeout_ms = 20_000) =>
  send({ origin: customer.url, method: 'GET', build, timeout_ms, max_response_bytes: 1_000, isolation_key: 'group_a' });
const message = (path: string) => ({ path, headers: {} });

/** Holds the only slot until `release` is called. */
async function holdSlot(path: string) {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  customer.respond(path, () => {
    arrive();
    return { hold };
  });
  const holding = ask(() => message(path));
  await arrived;
  return { release, holding };
}

test('a message is built only when the call has its slot, and its builder gets whether the call waited', async () => {
  const waits: boolean[] = [];
  const build: BuildMessage = (has_waited) => {
    waits.push(has_waited);
    return message('/waits');
  };
  await ask(build);
  const { release, holding } = await holdSlot('/slot');
  const waiting = ask(build);
  assert.deepEqual(waits, [false]);
  release();
  assert.equal((await waiting).status, 200);
  await holding;
  assert.deepEqual(waits, [false, true]);
});

test('if building throws or rejects, the call fails with that error, nothing is sent and the slot is released', async () => {
  const refusal = new Error('no longer allowed');
  for (const build of [() => Promise.reject(refusal), () => assert.fail(refusal)]) {
    const { release, holding } = await holdSlot('/refused');
    const before = customer.requests.length;
    const refused = assert.rejects(ask(build), refusal);
    release();
    await Promise.all([refused, holding]);
    await assert.rejects(ask(build), refusal);
    assert.equal(customer.requests.length, before);
    assert.equal((await ask(() => message('/after'))).status, 200);
  }
});

test('a call that times out while its message is being built is never sent, and its slot is released', async () => {
  const { promise: built, resolve } = Promise.withResolvers<ReturnType<typeof message>>();
  await assert.rejects(
    ask(() => built, 50),
    (error) => error instanceof SendError && error.kind === 'timeout',
  );
  resolve(message('/too-late'));
  assert.equal((await ask(() => message('/in-time'))).status, 200);
  assert.equal(customer.at('/too-late').length, 0);
});
