import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors.ts';
import { countFailure, type Failures, network, refuseAfterFailures } from './failures.ts';

const START = 1_790_000_000_000;
const MINUTE_MS = 60_000;

/** Retry-After of the refusal, or null when the address may go on. */
function refusedFor(failures: Failures, ip: string, now: number): number | null {
  try {
    refuseAfterFailures(failures, ip, now);
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 429);
    return Number(error.headers['retry-after']);
  }
}

test('an address may fail 60 times a minute; then it waits exactly as long as it is told', () => {
  const failures: Failures = new Map();
  for (let i = 0; i < 60; i += 1) {
    assert.equal(refusedFor(failures, '192.0.2.1', START + i * 100), null);
    countFailure(failures, '192.0.2.1', START + i * 100);
  }
  assert.equal(refusedFor(failures, '192.0.2.1', START + 10_000), 50);
  assert.equal(refusedFor(failures, '192.0.2.1', START + MINUTE_MS - 1), 1);
  assert.equal(refusedFor(failures, '192.0.2.1', START + MINUTE_MS), null);
});

test('one address that fails stops no other', () => {
  const failures: Failures = new Map();
  for (let i = 0; i < 60; i += 1) countFailure(failures, '192.0.2.1', START);
  assert.equal(refusedFor(failures, '192.0.2.2', START), null);
});

test('an IPv6 customer cannot escape within its own /64', () => {
  const failures: Failures = new Map();
  for (let i = 0; i < 60; i += 1) countFailure(failures, `2001:db8:1:2::${i.toString(16)}`, START);
  assert.equal(refusedFor(failures, '2001:db8:1:2:ffff:ffff:ffff:ffff', START), 60);
  assert.equal(refusedFor(failures, '2001:db8:1:3::1', START), null);
});

for (const [ip, expected] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
] as const) {
  test(`the network of ${ip} is ${expected}`, () => assert.equal(network(ip), expected));
}

test('an attack from ever new addresses takes bounded memory', () => {
  const failures: Failures = new Map();
  for (let i = 0; i < 50_000; i += 1) countFailure(failures, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, START);
  assert.ok(failures.size <= 20_000);
});
