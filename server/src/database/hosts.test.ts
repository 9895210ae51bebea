import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitHosts } from '../engines/split-hosts.ts';
import { connectionOf } from './hosts.ts';

for (const [url, expected] of [
  ['postgres://db/name', ['postgres://db/name']],
  ['postgres://u:p@a:1,b:2/name?x=y', ['postgres://u:p@a:1/name?x=y', 'postgres://u:p@b:2/name?x=y']],
  ['postgres://a,b,c', ['postgres://a', 'postgres://b', 'postgres://c']],
  ['postgres://u:p,q@[::1]:1,[::2]/name', ['postgres://u:p,q@[::1]:1/name', 'postgres://u:p,q@[::2]/name']],
  ['postgres://u:p,q@db/name?options=a,b', ['postgres://u:p,q@db/name?options=a,b']],
  ['postgres://u@/name?host=%2Frun,x', ['postgres://u@/name?host=%2Frun,x']],
] as const) {
  test(`${url} names ${expected.length} host${expected.length === 1 ? '' : 's'}`, () => {
    assert.deepEqual(splitHosts(url), expected);
  });
}

test('one of several hosts is used, and another one later', () => {
  const connection = connectionOf('postgres://a,b/name');
  assert.equal(connection.hosts?.current.connectionString, 'postgres://a/name');
  assert.equal(connectionOf('postgres://a/name').hosts, undefined);
});
