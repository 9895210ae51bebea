import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFailure, type Failures } from './failures.ts';

const START = 1_790_000_000_000;
const MINUTE_MS = 60_000;

test('an address may fail 60 times a minute; then it waits exactly as long as it is told', () => {
  const failures: Failures = new Map();
  for (let i = 0; i < 60; i += 1) {
    assert.equal(countFailure(failures, 'unknown', '192.0.2.1', START + i * 100), null);
  }
  assert.equal(countFailure(failures, 'unknown', '192.0.2.1', START + 10_000), 50);
  assert.equal(countFailure(failures, 'unknown', '192.0.2.1', START + MINUTE_MS - 1), 1);
  assert.equal(countFailure(failures, 'unknown', '192.0.2.1', START + MINUTE_MS), null);
});

test('malformed and unknown tokens are counted apart', () => {
  const failures: Failures = new Map();
  for (let i = 0; i < 60; i += 1) countFailure(failures, 'malformed', '192.0.2.1', START);
  assert.equal(countFailure(failures, 'malformed', '192.0.2.1', START), 60);
  assert.equal(countFailure(failures, 'unknown', '192.0.2.1', START), null);
});

test('one address that fails stops no other', () => {
  const failures: Failures = new Map();
  for (let i = 0; i < 60; i += 1) countFailure(failures, 'unknown', '192.0.2.1', START);
  assert.equal(countFailure(failures, 'unknown', '192.0.2.2', START), null);
});

test('an IPv6 customer cannot escape within its own /64', () => {
  const failures: Failures = new Map();
  for (let i = 0; i < 60; i += 1) countFailure(failures, 'unknown', `2001:db8:1:2::${i.toString(16)}`, START);
  assert.equal(countFailure(failures, 'unknown', '2001:db8:1:2:ffff:ffff:ffff:ffff', START), 60);
  assert.equal(countFailure(failures, 'unknown', '2001:db8:1:3::1', START), null);
});

test('an attack from ever new addresses takes bounded memory', () => {
  const failures: Failures = new Map();
  for (let i = 0; i < 50_000; i += 1) {
    countFailure(failures, 'unknown', `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, START);
  }
  assert.ok(failures.size <= 20_000);
});
