import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createResponses, LOST_AFTER_MS } from './redis-responses.ts';

const TIMEOUT_MS = 40;

/** Time passes only by `pass`. */
function open(t: TestContext) {
  let now = 0;
  let lost = 0;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => now);
  const responses = createResponses(TIMEOUT_MS, () => {
    lost += 1;
    responses.failAll();
  });

  /** Lets the time pass, and everything happen that is due. */
  async function pass(ms: number): Promise<void> {
    for (let i = 0; i < ms; i += 1) {
      now += 1;
      t.mock.timers.tick(1);
      await flush();
    }
  }

  /** The process runs nothing meanwhile, neither timers nor sockets. */
  function block(ms: number): void {
    now += ms;
    t.mock.timers.tick(ms);
  }

  /** A command. `result` is what its request got: undefined while it waits. */
  function send() {
    const { promise, resolve } = Promise.withResolvers<number[]>();
    const sent: { result: number[] | null | undefined; respond(): Promise<void> } = {
      result: undefined,
      async respond() {
        resolve([1]);
        await flush();
      },
    };
    const listeners = { onResponse: undefined, onError: (error: unknown) => assert.fail(String(error)) };
    responses.add(promise, listeners).then((result) => {
      sent.result = result;
    }, assert.ifError);
    return sent;
  }

  return { send, pass, block, failAll: responses.failAll, countLost: () => lost };
}

/** Everything that waits for a resolved promise runs. setImmediate is not mocked. */
const flush = () => new Promise((done) => setImmediate(done));

test('a request waits for an answer until it is late, and the next ones do not wait until it comes', async (t) => {
  const { send, pass } = open(t);
  const first = send();
  await pass(TIMEOUT_MS - 2);
  assert.equal(first.result, undefined);
  await pass(2);
  assert.equal(first.result, null);
  const second = send();
  await flush();
  assert.equal(second.result, null);
});

test('after a late answer a request waits as long as before it, and not until the late one would have been lost', async (t) => {
  const { send, pass } = open(t);
  const late = send();
  await pass(60);
  await late.respond();
  await pass(30);
  const next = send();
  await pass(TIMEOUT_MS - 2);
  assert.equal(next.result, undefined);
  await pass(2);
  assert.equal(next.result, null);
});

test('a command that was sent behind a late one is timed from when it was sent', async (t) => {
  const { send, pass, countLost } = open(t);
  const late = send();
  await pass(50);
  const behind = send();
  await pass(10);
  await late.respond();
  const next = send();
  await pass(TIMEOUT_MS - 10);
  assert.deepEqual([behind.result, next.result], [null, null], 'the one before it is late again');
  await pass(LOST_AFTER_MS - 2);
  assert.equal(countLost(), 0);
  await pass(4);
  assert.equal(countLost(), 1);
});

test('after a connection was given up a request on the next one waits as long as before', async (t) => {
  const { send, pass, failAll } = open(t);
  send();
  await pass(60);
  failAll();
  const next = send();
  await pass(TIMEOUT_MS - 2);
  assert.equal(next.result, undefined);
  await pass(2);
  assert.equal(next.result, null);
});

test('answers that come, one after the other, each of them late, do not end the connection', async (t) => {
  const { send, pass, countLost } = open(t);
  for (let i = 0; i < 20; i += 1) {
    const late = send();
    await pass(100);
    await late.respond();
  }
  assert.equal(countLost(), 0);
});

test('a connection without an answer is lost once', async (t) => {
  const { send, pass, countLost } = open(t);
  send();
  await pass(TIMEOUT_MS + LOST_AFTER_MS + 1_000);
  assert.equal(countLost(), 1);
});

test('a process that was blocked reads the socket before it calls an answer late', async (t) => {
  const { send, block } = open(t);
  const sent = send();
  block(1_000);
  await sent.respond();
  assert.deepEqual(sent.result, [1]);
});
