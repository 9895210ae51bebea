// Limits that several processes count in one store: the same rules in PostgreSQL and in Redis.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { Redis } from 'ioredis';
import { openPool } from '../../src/database/connection.ts';
import { createRequestLog } from '../../src/database/request-log.ts';
import { HOUR_MS, type Limits, type RateLimitDecision } from '../../src/limits/limits.ts';
import { createPostgresLimits } from '../../src/limits/postgres-limits.ts';
import { connectRedis } from '../../src/limits/redis.ts';
import { createRedisLimits, redisScripts } from '../../src/limits/redis-limits.ts';
import { createLog } from '../../src/log/log.ts';
import { startRedis, withoutRedis } from '../support/database/redis-server.ts';
import { openTestDatabase } from '../support/database/test-database.ts';

const PROCESSES = 3;

type Store = {
  /** The limits of several processes. */
  processes: Limits[];
  /** Makes all counted requests of the group older. */
  age(group: string, ms: number): Promise<void>;
};

/** Longer than anything that the tests count. */
const FAR_MS = 1e12;

async function openPostgres(): Promise<Store> {
  const { pool, url, close } = await openTestDatabase();
  const pools = Array.from({ length: PROCESSES }, () => openPool({ connectionString: url }, { size: 2 }));
  after(async () => {
    for (const each of pools) await each.end();
    await close();
  });
  return {
    processes: pools.map((each) => createPostgresLimits(createRequestLog(each), 2)),
    async age(group, ms) {
      const text = 'update request_log set first_ms = first_ms - $2, last_ms = last_ms - $2 where quota_group_id = $1';
      // In two steps, the first of which leaves no row where another one was: first_ms is part of the primary key.
      for (const part of [ms + FAR_MS, -FAR_MS]) await pool.query(text, [group, part]);
    },
  };
}

async function openRedis(): Promise<Store> {
  const server = await startRedis();
  const log = createLog('silent');
  // Long, so that nothing is decided without Redis on a slow machine.
  const connections = await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      connectRedis({ url: server.url, timeout_ms: 10_000, ...redisScripts, log }),
    ),
  );
  const client = new Redis(server.url);
  after(async () => {
    for (const each of connections) await each.close();
    client.disconnect();
  });
  return {
    processes: connections.map(createRedisLimits),
    async age(group, ms) {
      const key = `toolgate:{${group}}:requests`;
      const entries = await client.lrange(key, 0, -1);
      const older = entries.map((entry) => entry.replace(/^\d+/, (time) => String(Number(time) - ms)));
      await client
        .multi()
        .del(key)
        .rpush(key, ...older)
        .exec();
    },
  };
}

// All of them before the first test: the tests run as soon as they are declared.
const stores = [{ name: 'PostgreSQL', ...(await openPostgres()) }];
if (withoutRedis) test('limits in Redis', { skip: withoutRedis });
else stores.push({ name: 'Redis', ...(await openRedis()) });

for (const { name, processes, age } of stores) {
  const [first] = processes as [Limits];
  const newGroup = () => `prj_${randomUUID()}`;
  const take = async (limits: Limits, group: string, limit: number) => limits.take(group, limit, Date.now());
  /** Each process has 20 requests in progress at a time. */
  async function takeFromAll(group: string, limit: number, many: number): Promise<RateLimitDecision[]> {
    const decisions: RateLimitDecision[] = [];
    let sent = 0;
    const client = async (limits: Limits) => {
      while (sent < many) {
        sent += 1;
        decisions.push(await take(limits, group, limit));
      }
    };
    await Promise.all(processes.flatMap((limits) => Array.from({ length: 20 }, () => client(limits))));
    return decisions;
  }
  const countAllowed = (decisions: RateLimitDecision[]) => decisions.filter(({ allowed }) => allowed).length;

  for (const limit of [1, 100, 1000, 1500]) {
    test(`${name}: of many requests of three processes at once exactly ${limit} pass, each with its own remaining number`, async () => {
      const group = newGroup();
      const decisions = await takeFromAll(group, limit, limit + 200);
      const allowed = decisions.filter((decision) => decision.allowed);
      assert.equal(allowed.length, limit);
      const remaining = allowed.map((decision) => decision.remaining).sort((a, b) => a - b);
      assert.deepEqual(
        remaining,
        Array.from({ length: limit }, (_, i) => i),
      );
    });
  }

  test(`${name}: groups do not share their limits, also when they are counted together`, async () => {
    const groups = Array.from({ length: 30 }, newGroup);
    const decisions = await Promise.all(groups.map((group) => takeFromAll(group, 3, 5)));
    assert.deepEqual(decisions.map(countAllowed), Array(30).fill(3));
  });

  test(`${name}: all processes report the same remaining number and the same reset`, async () => {
    const group = newGroup();
    const { resets_at } = await take(first, group, 10);
    for (const limits of processes) {
      const read = await limits.read(group, 10, Date.now());
      assert.deepEqual([read.allowed, read.remaining, read.resets_at], [true, 9, resets_at]);
    }
    assert.equal((await take(first, group, 10)).remaining, 8, 'reading counts nothing');
  });

  test(`${name}: nothing counted has no reset`, async () => {
    const { allowed, remaining, reset_ms } = await first.read(newGroup(), 5, Date.now());
    assert.deepEqual([allowed, remaining, reset_ms], [true, 5, 0]);
  });

  test(`${name}: a request passes when the oldest is an hour old, and not before`, async () => {
    const group = newGroup();
    await take(first, group, 2);
    await age(group, 1_800_000);
    await take(first, group, 2);
    const refused = await take(first, group, 2);
    assert.equal(refused.allowed, false);
    assert.ok(refused.reset_ms > 1_790_000 && refused.reset_ms <= 1_800_000, String(refused.reset_ms));
    await age(group, refused.reset_ms - 1_000);
    assert.equal((await take(first, group, 2)).allowed, false);
    await age(group, 1_000);
    assert.equal((await take(first, group, 2)).allowed, true);
    assert.equal((await take(first, group, 2)).allowed, false, 'only one has expired');
  });

  test(`${name}: above 1,000 the requests of a second share an entry, which expires with the last of them`, async () => {
    const group = newGroup();
    const decisions = await takeFromAll(group, 1_001, 300);
    const { reset_ms } = decisions.at(-1) as RateLimitDecision;
    assert.ok(reset_ms > HOUR_MS - 2_000 && reset_ms <= HOUR_MS, String(reset_ms));
    await age(group, HOUR_MS - 3_000);
    assert.equal((await take(first, group, 1_001)).remaining, 700);
    await age(group, 3_000);
    assert.equal((await take(first, group, 1_001)).remaining, 999);
  });

  test(`${name}: after the limit was lowered, Retry-After waits until enough have expired`, async () => {
    const group = newGroup();
    for (let i = 0; i < 6; i += 1) {
      await take(first, group, 6);
      await age(group, 60_000);
    }
    // Used 6 of 3: the four oldest must expire. The fourth is three minutes old.
    const refused = await take(first, group, 3);
    assert.deepEqual([refused.allowed, refused.remaining], [false, 0]);
    assert.ok(Math.abs(refused.reset_ms - (HOUR_MS - 180_000)) < 5_000, String(refused.reset_ms));
    await age(group, refused.reset_ms);
    assert.equal((await take(first, group, 3)).allowed, true);
    assert.equal((await take(first, group, 3)).allowed, false);
  });

  test(`${name}: when its clock is set back, the requests before still count`, async () => {
    const group = newGroup();
    await take(first, group, 2);
    await age(group, -600_000);
    assert.equal((await take(first, group, 2)).allowed, true);
    const refused = await take(first, group, 2);
    assert.equal(refused.allowed, false);
    assert.ok(refused.reset_ms <= HOUR_MS);
  });

  test(`${name}: the first refusal in an hour is reported once by a process`, async () => {
    const group = newGroup();
    await take(first, group, 1);
    const refusals = [await take(first, group, 1), await take(first, group, 1)];
    assert.deepEqual(
      refusals.map(({ is_first_refusal }) => is_first_refusal),
      [true, false],
    );
  });

  test(`${name}: the clock of the process has no effect`, async () => {
    const group = newGroup();
    await take(first, group, 1);
    for (const now of [0, Date.now() + 3 * HOUR_MS])
      assert.equal((await first.take(group, 1, now)).allowed, false, String(now));
  });
}
