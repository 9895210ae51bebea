import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startCustomer, testAuthority } from '../../../../test/support/peers/fake-customer.ts';
import { startNameServer } from '../../../../test/support/peers/name-server.ts';
import type { App } from '../../../app.ts';
import { createAppState } from '../../../app-state.ts';
import { ApiError } from '../../../errors/errors.ts';
import { parseAllowList } from '../../../outbound/allow-list.ts';
import { createLookup } from '../../../outbound/resolve-name.ts';
import { createSend } from '../../../outbound/send.ts';
import { fetchClientMetadata } from './client-metadata.ts';

const REDIRECT_URI = 'https://app.example.com/callback';
const host = await startCustomer({ names: ['good.example', 'later.example'] });
const names: Record<string, string[]> = { 'good.example': ['127.0.0.1'], 'later.example': [] };
const name_server = await startNameServer(names);
const send = createSend({
  allow: parseAllowList(host.address).allowed,
  ca: [testAuthority.certificate],
  lookup: createLookup({ servers: [name_server.address], hosts_path: '/dev/null' }),
});
const app = { send, now: Date.now, ...createAppState() } as unknown as App;
after(async () => {
  await send.close();
  await host.close();
  await name_server.close();
});

const { port } = new URL(host.url);

function serve(name: string, path: string): string {
  const client_id = `https://${name}:${port}${path}`;
  host.respond(path, { body: { client_id, client_name: 'Desk', redirect_uris: [REDIRECT_URI] } });
  return client_id;
}

const isNotFetched = (error: unknown) =>
  error instanceof ApiError && error.code === 'UNKNOWN_OAUTH_CLIENT' && /cannot be fetched/.test(error.remedy);

test('names that no name server answers for delay no other document, neither of this nor of another network', async () => {
  const bad = Array.from({ length: 9 }, (_, i) =>
    assert.rejects(fetchClientMetadata(app, `https://silent-${i}.example/client.json`, '192.0.2.1'), isNotFetched),
  );
  // All of them have asked: none waits for another.
  await name_server.waitForQuestions(18);
  const isEarlier = Symbol('still pending');
  for (const [ip, path] of [
    ['192.0.2.1', '/one.json'],
    ['198.51.100.1', '/two.json'],
  ] as const) {
    const found = fetchClientMetadata(app, serve('good.example', path), ip);
    const first = await Promise.race([found, Promise.all(bad).then(() => isEarlier)]);
    assert.notEqual(first, isEarlier);
    assert.equal((await found).name, 'Desk');
  }
  await Promise.all(bad);
});

test('a document whose name did not resolve is fetched when it does', async () => {
  const client_id = serve('later.example', '/later.json');
  await assert.rejects(fetchClientMetadata(app, client_id, '203.0.113.1'), isNotFetched);
  names['later.example'] = ['127.0.0.1'];
  assert.equal((await fetchClientMetadata(app, client_id, '203.0.113.1')).name, 'Desk');
});
