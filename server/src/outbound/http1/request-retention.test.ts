// No request outlives its call: not in a pooled connection, and not in a connection attempt that goes on after the call.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { getHeapSnapshot, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { closing, kindOf, openTo, responseOf, startWire } from '../../../test/support/requests/wire.ts';
import type { OutboundRequest } from '../messages.ts';
import { createRequester, leave } from '../requester.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Does not match its own source. */
const SECRETS = /canary-(?:header|body)-[0-9a-f]{16}/g;

/** The request refers to nothing of the test, and the test to nothing of the request. */
function makeRequest(fields: Partial<OutboundRequest> = {}): Partial<OutboundRequest> {
  const authorization = `Bearer canary-header-${randomBytes(8).toString('hex')}`;
  const body = `canary-body-${randomBytes(8).toString('hex')}`;
  return { method: 'POST', headers: { authorization }, body, ...fields };
}

/** Returns the secrets among all strings that are reachable now. */
async function reachableSecrets(): Promise<string[]> {
  // V8 keeps the last string that a regular expression matched, until another one matches.
  assert.match('other', /other/);
  collectGarbage();
  let text = '';
  let found: string[] = [];
  for await (const part of getHeapSnapshot()) {
    text = text.slice(-64) + part;
    found = found.concat(text.match(SECRETS) ?? []);
  }
  return [...new Set(found)];
}

test('after the call no string of its request is reachable, while its connection is pooled', async () => {
  const { port, sockets } = await startWire((socket) => socket.write(responseOf('mine')));
  const { ask } = openTo(port);
  assert.equal(await ask(makeRequest()), 'mine');
  assert.equal(await ask(makeRequest()), 'mine');
  assert.deepEqual(await reachableSecrets(), []);
  assert.equal(await ask(), 'mine');
  assert.equal(sockets.length, 1);
});

test('while the call runs, its request is found: the search works', async () => {
  const { promise: received, resolve } = Promise.withResolvers<void>();
  const { port } = await startWire(() => resolve());
  const gone = createRequester();
  const request = makeRequest({ requester: gone });
  const outcome = kindOf(openTo(port).ask(request));
  await received;
  assert.equal((await reachableSecrets()).length, 2);
  leave(gone);
  assert.equal(await outcome, 'aborted');
  assert.equal(request.method, 'POST'); // referenced until here
});

test('after a call that ended while connecting its request is not reachable, while the connection attempt goes on', async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => silent.close(resolve)));
  const { ask, close } = openTo((silent.address() as AddressInfo).port, { connect_timeout_ms: 60_000 });
  const gone = createRequester();
  const outcome = kindOf(ask(makeRequest({ requester: gone })));
  const [socket] = await once(silent, 'connection');
  leave(gone);
  assert.equal(await outcome, 'aborted');
  assert.deepEqual(await reachableSecrets(), []);
  await close();
  await once(socket.on('error', () => {}).resume(), 'close');
});
