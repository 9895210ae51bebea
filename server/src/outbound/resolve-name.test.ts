import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startCustomer, testAuthority } from '../../test/support/peers/fake-customer.ts';
import { startNameServer } from '../../test/support/peers/name-server.ts';
import { parseAllowList } from './allow-list.ts';
import { SendError } from './messages.ts';
import { createLookup } from './resolve-name.ts';
import { createSend } from './send.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-names-'));
const hosts_path = join(folder, 'hosts');
writeFileSync(hosts_path, '127.0.0.1 listed.example\n');
const names = await startNameServer({
  'both.example': ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
  'four.example': ['192.0.2.1'],
  'six.example': ['2001:db8::1'],
  'listed.example': ['192.0.2.9'],
  'empty.example': [],
  'good.example': ['127.0.0.1'],
  'mixed.example': ['127.0.0.1', '10.0.0.1'],
  'mixed-six.example': ['127.0.0.1', 'fd00::1'],
});
const customer = await startCustomer({ names: ['good.example', 'mixed.example', 'mixed-six.example'] });
const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true }), names.close, () => customer.close()];
after(async () => {
  for (const close of closing.reverse()) await close();
});

const options = { servers: [names.address], hosts_path };
const lookup = createLookup(options);
const addresses = async (name: string) => (await lookup(name)).map(({ address }) => address);

function open(given: Partial<Parameters<typeof createSend>[0]> = {}) {
  const { allowed } = parseAllowList(customer.address);
  const send = createSend({ allow: allowed, ca: [testAuthority.certificate], lookup, ...given });
  closing.push(() => send.close());
  return (hostname: string, isolation_key: string) =>
    send({
      origin: `https://${hostname}:${customer.port}`,
      path: '/',
      method: 'GET',
      headers: {},
      timeout_ms: 20_000,
      max_response_bytes: 1_000,
      isolation_key,
    });
}

test('a name has all its addresses, IPv4 before IPv6', async () => {
  assert.deepEqual(await lookup('both.example'), [
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
  assert.deepEqual(await addresses('four.example'), ['192.0.2.1']);
  assert.deepEqual(await addresses('six.example'), ['2001:db8::1']);
});

test('a name in the hosts file, and localhost, are no questions for DNS', async () => {
  const before = names.questions.length;
  assert.deepEqual(await addresses('listed.example'), ['127.0.0.1']);
  for (const name of ['localhost', 'api.localhost']) assert.deepEqual(await addresses(name), ['127.0.0.1']);
  assert.equal(names.questions.length, before);
});

test('exactly the name is asked for, in both families: no search domain is appended, also to one without a dot', async () => {
  await assert.rejects(createLookup({ ...options, deadline_ms: 50 })('intranet'));
  const asked = names.questions.filter((question) => question.includes('intranet'));
  assert.deepEqual(new Set(asked), new Set(['A intranet', 'AAAA intranet']));
});

test('a name without addresses is an error, and so is one whose name server is silent, at the deadline', async () => {
  await assert.rejects(lookup('empty.example'), { code: 'ENODATA' });
  await assert.rejects(createLookup({ ...options, deadline_ms: 50 })('silent.example'), { code: 'ECANCELLED' });
});

test('one private address among those of a name blocks it, in either family', async () => {
  const ask = open();
  const isBlocked = (error: unknown) => error instanceof SendError && error.kind === 'blocked';
  await assert.rejects(ask('mixed.example', 'a'), isBlocked);
  await assert.rejects(ask('mixed-six.example', 'a'), isBlocked);
  assert.equal((await ask('good.example', 'a')).status, 200);
});

test("silent name servers of one group cost it its two lookups, and delay neither another group's nor any thread", async () => {
  // Nothing depends on how soon the other groups have their responses: until then the two lookups do not end, and nobody gives up.
  const finished = Promise.withResolvers<void>();
  const silent = createLookup({ ...options, deadline_ms: 200 });
  const ask = open({
    connect_timeout_ms: 20_000,
    async lookup(name) {
      if (!name.includes('silent')) return lookup(name);
      try {
        return await silent(name);
      } finally {
        await finished.promise;
      }
    },
  });
  const before = names.questions.length;
  const hanging = Array.from({ length: 10 }, (_, i) => assert.rejects(ask(`${i}.silent.example`, 'a')));
  await names.waitForQuestions(before + 4);
  const settled: string[] = [];
  const others = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(async (key) => {
    assert.equal((await ask('good.example', key)).status, 200);
    settled.push(key);
  });
  // A file is read on the threads that getaddrinfo would use.
  await Promise.race([Promise.all([...others, readFile(hosts_path)]), ...hanging]);
  assert.equal(settled.length, 8);
  const asked = new Set(names.questions.slice(before).filter((question) => question.includes('silent')));
  assert.equal(asked.size, 4); // two names, both families
  finished.resolve();
  await Promise.all(hanging);
});
