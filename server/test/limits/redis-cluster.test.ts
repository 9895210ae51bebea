// Redis Cluster (docs/scaling.md): a real node that enforces hash slots.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Redis } from 'ioredis';
import { startRedis, withoutRedis } from '../support/database/redis-server.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

test('in Redis Cluster all keys of a project and its siblings are in one hash slot, and those of another project need not be', {
  skip: withoutRedis,
}, async () => {
  const bus_port = String(await freePort());
  const redis = await startRedis(['--cluster-enabled', 'yes', '--cluster-port', bus_port]);
  const client = new Redis(redis.url);
  after(() => client.disconnect());
  await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  const isReady = async () => String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok');
  await waitUntil(isReady, 30_000, 'the node serves all slots');

  const server = await startServer(
    { REDIS_URL: redis.url, TOOLGATE_REDIS_TIMEOUT_MS: '5000' },
    { has_local_limits: false },
  );
  const groups: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const { id } = await makeProject(server);
    const { key } = await makeKey(server, id, ['admin']);
    const sibling = expectResponse(await server.api('POST', '/projects', { key, body: { name: 'sibling' } }), 201);
    const made = await makeKey(server, sibling.id, ['read']);
    expectResponse(await server.api('GET', `/projects/${sibling.id}`, { key: made.key }), 200);
    groups.push(id);
  }
  await server.api('GET', '/projects', { key: 'unknown' });

  const keys = await client.keys('*');
  const slotOf = async (key: string) => Number(await client.call('CLUSTER', 'KEYSLOT', key));
  for (const group of groups) {
    const own = keys.filter((key) => key.includes(group));
    assert.ok(own.length > 0, 'the requests are counted in Redis');
    // The slot of a key with a hash tag is that of the tag alone.
    for (const key of own) assert.equal(await slotOf(key), await slotOf(group));
  }
  // Every key has a hash tag: none depends on how it is written.
  assert.deepEqual(
    keys.filter((key) => !/\{[^{}]+\}/.test(key)),
    [],
  );
});
