import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { parseSentinelUrl } from './redis-url.ts';

test('a URL names several Sentinels, the master, and the passwords of both', () => {
  assert.deepEqual(parseSentinelUrl('redis-sentinel://user:p%40ss@a:26380,b,[::1]:1/main?sentinel_password=s%26'), {
    sentinels: [
      { host: 'a', port: 26_380 },
      { host: 'b', port: 26_379 },
      { host: '::1', port: 1 },
    ],
    name: 'main',
    username: 'user',
    password: 'p@ss',
    sentinel_password: 's&',
    is_tls: false,
  });
  const other = parseSentinelUrl('rediss-sentinel://:secret@a/main');
  assert.deepEqual([other?.is_tls, other?.username, other?.password], [true, null, 'secret']);
});

for (const url of [
  'redis-sentinel://:secret@a:26379',
  'redis-sentinel://:secret@a:x,b/main',
  'redis-sentinel://:secret@a,/main',
  'redis-sentinel://:secret@a/some/thing',
  'sentinel://:secret@a/main',
]) {
  test(`${url.replace('secret', '…')} is refused, and its password is not repeated`, () => {
    assert.throws(
      () => readConfig({ REDIS_URL: url }),
      (error: Error) => /^ {2}- REDIS_URL must /m.test(error.message) && !error.message.includes('secret'),
    );
  });
}
