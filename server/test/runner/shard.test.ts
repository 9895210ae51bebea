import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shardOf } from './shard.ts';

const files = Array.from({ length: 10 }, (_, i) => `server/test/stories/${i}.test.ts`);

test('the shards are of equal size, and together they have every file once', () => {
  const shards = [1, 2, 3, 4].map((index) => shardOf(files, `${index}/4`));
  assert.deepEqual(
    shards.map((shard) => shard.length),
    [3, 3, 2, 2],
  );
  assert.deepEqual(shards.flat().sort(), files);
});

test('a shard that does not exist is refused', () => {
  for (const shard of ['0/4', '5/4', '1', '1/0', 'a/b', '1/4/2', '-1/4'])
    assert.throws(() => shardOf(files, shard), /such as 2\/4/, shard);
});
