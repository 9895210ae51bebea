// A Redis that is up, but answers with errors.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { connectRedis } from '../../src/limits/redis.ts';
import { createRedisLimits, redisScripts } from '../../src/limits/redis-limits.ts';
import { startRedis, withoutRedis } from '../redis-server.ts';

const skip = withoutRedis;

async function open() {
  const server = await startRedis();
  const client = new Redis(server.url);
  after(() => client.disconnect());

  /** What a process has. `lines` is its log. */
  async function startOne() {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) });
    // Long, so that nothing is decided without Redis on a slow machine.
    const redis = await connectRedis({ url: server.url, timeout_ms: 10_000, scripts: redisScripts, log });
    after(redis.close);
    return { lines, redis, limits: createRedisLimits(redis) };
  }
  return { client, startOne };
}

test('processes share their limits also when Redis has forgotten its scripts', { skip }, async () => {
  const { client, startOne } = await open();
  const processes = [await startOne(), await startOne(), await startOne()];
  const group = `prj_${randomUUID()}`;
  /** All processes at once, each 20 times. */
  async function countAllowed(): Promise<number> {
    const taken = processes.flatMap(({ limits }) =>
      Array.from({ length: 20 }, async () => limits.take(group, 40, Date.now())),
    );
    return (await Promise.all(taken)).filter(({ allowed }) => allowed).length;
  }
  assert.equal(await countAllowed(), 40);
  await client.script('FLUSH');
  assert.equal(await countAllowed(), 0);
  for (const { lines } of processes) assert.deepEqual(lines, ['Redis counts the limits'], 'it was not away');
});
