// How many connections a server may open, and the warning when PostgreSQL allows fewer.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { MAX_PER_PROCESS, maxConnections, poolSizes, readConnectionLimit, warnOfConnections } from './pool-sizes.ts';

const { pool, close } = await openTestDatabase();
after(close);

const [database_url, redis] = ['postgres://x', { url: null, timeout_ms: 50 }];
const with_redis = { ...redis, url: 'redis://x' };

test('every process of a server counts, and one more while its workers are replaced', () => {
  assert.equal(maxConnections({ database_url, redis, workers: 1 }), MAX_PER_PROCESS);
  assert.equal(maxConnections({ database_url, redis, workers: 4 }), 5 * MAX_PER_PROCESS);
});

test('with Redis, and in the only process of an embedded database, no connections are reserved for limits', () => {
  const without = MAX_PER_PROCESS - poolSizes.limits;
  assert.equal(maxConnections({ database_url, redis: with_redis, workers: 4 }), 5 * without);
  assert.equal(maxConnections({ database_url: null, redis, workers: 1 }), without);
  assert.equal(maxConnections({ database_url: null, redis, workers: 2 }), 3 * MAX_PER_PROCESS);
});

test('a server that may open more connections than PostgreSQL allows warns, and no other', async () => {
  const { rows } = await pool.query('show max_connections');
  const allowed = await readConnectionLimit(pool);
  assert.ok(allowed > 0 && allowed < Number(rows[0].max_connections), 'some are reserved');
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields) } as never;
  const enough = Math.floor(allowed / MAX_PER_PROCESS) - 1;
  await warnOfConnections(pool, { database_url, redis, workers: enough }, log);
  assert.deepEqual(warnings, []);
  await warnOfConnections(pool, { database_url, redis, workers: enough + 1 }, log);
  assert.deepEqual(warnings, [{ needed: (enough + 2) * MAX_PER_PROCESS, allowed, workers: enough + 1 }]);
});
