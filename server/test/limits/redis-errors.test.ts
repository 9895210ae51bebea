// A Redis that is up, but answers with errors.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { connectRedis } from '../../src/limits/redis.ts';
import { createRedisLimits, redisScripts } from '../../src/limits/redis-limits.ts';
import { startRedis, withoutRedis } from '../support/database/redis-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const skip = withoutRedis;

async function open() {
  const server = await startRedis();
  const client = new Redis(server.url);
  after(() => client.disconnect());

  /** What a process has. `lines` is its log. */
  async function startOne() {
    const lines: string[] = [];
    const write = (line: string) => {
      const { msg, err } = JSON.parse(line);
      lines.push(err ? `${msg} ${err.message}` : msg);
    };
    // Long, so that nothing is decided without Redis on a slow machine.
    const redis = await connectRedis({
      url: server.url,
      timeout_ms: 10_000,
      ...redisScripts,
      log: pino({}, { write }),
    });
    after(redis.close);
    return { lines, redis, limits: createRedisLimits(redis) };
  }
  return { client, startOne };
}

test('processes share their limits also when Redis has forgotten its scripts', { skip }, async () => {
  const { client, startOne } = await open();
  const processes = [await startOne(), await startOne(), await startOne()];
  for (const { redis } of processes) await waitUntil(async () => redis.isUp(), 20_000, 'it is used');
  /** All processes at once, each 20 times. */
  async function countAllowed(): Promise<number> {
    const taken = processes.flatMap(({ limits }) =>
      Array.from({ length: 20 }, async () => limits.take('prj_1', 40, Date.now())),
    );
    return (await Promise.all(taken)).filter(({ allowed }) => allowed).length;
  }
  assert.equal(await countAllowed(), 40);
  for (const { lines } of processes) lines.length = 0;
  await client.script('FLUSH');
  assert.equal(await countAllowed(), 0);
  for (const { lines } of processes) assert.deepEqual(lines, [], 'Redis was available all the time');
});

const isReadOnly = (line: string) =>
  line.startsWith('Redis is unavailable: this process counts the limits alone READONLY');
const isAnnounced = (line: string) => line === 'Redis counts the limits';

test('a process that starts with a Redis that takes no writes counts on its own', { skip }, async () => {
  const { client, startOne } = await open();
  await client.replicaof('127.0.0.1', 1); // as after a failover: the address is that of a replica
  const { lines, redis, limits } = await startOne();
  await waitUntil(async () => lines.some(isReadOnly), 20_000, 'the log says why Redis is not used');
  assert.equal(redis.isUp(), false);
  const take = async () => (await limits.take('prj_1', 1, Date.now())).allowed;
  assert.deepEqual([await take(), await take()], [true, false]);
});

test('a Redis that takes no writes any more is not used, nor announced in the log, until it takes them again', {
  skip,
}, async () => {
  const { client, startOne } = await open();
  const { lines, redis, limits } = await startOne();
  await waitUntil(async () => redis.isUp(), 20_000, 'it is used');
  lines.length = 0;
  await client.replicaof('127.0.0.1', 1);
  const hasRefusedOften = async () => {
    await limits.take('prj_1', 1_000_000, Date.now());
    const refused = /errorstat_READONLY:count=(\d+)/.exec(await client.info('errorstats'))?.[1];
    return Number(refused) >= 4;
  };
  await waitUntil(hasRefusedOften, 20_000, 'Redis refused to count several times');
  assert.equal(redis.isUp(), false);
  await waitUntil(async () => lines.some(isReadOnly), 20_000, 'the log says why it is not used');
  assert.deepEqual(lines.filter(isAnnounced), []);
  await client.replicaof('NO', 'ONE');
  await waitUntil(async () => redis.isUp(), 5_000, 'it is used again');
  assert.equal(lines.filter(isAnnounced).length, 1);
});
