import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFailures } from './failures.ts';

const START = 1_790_000_000_000;
const MINUTE_MS = 60_000;

test('an address may fail 60 times a minute; then it must wait for exactly the returned seconds', async () => {
  const failures = createFailures();
  for (let i = 0; i < 60; i += 1) {
    assert.equal(await failures.count('unknown', '192.0.2.1', START + i * 100), null);
  }
  assert.equal(await failures.count('unknown', '192.0.2.1', START + 10_000), 50);
  assert.equal(await failures.count('unknown', '192.0.2.1', START + MINUTE_MS - 1), 1);
  assert.equal(await failures.count('unknown', '192.0.2.1', START + MINUTE_MS), null);
});

test('malformed and unknown tokens are counted separately', async () => {
  const failures = createFailures();
  for (let i = 0; i < 60; i += 1) await failures.count('malformed', '192.0.2.1', START);
  assert.equal(await failures.count('malformed', '192.0.2.1', START), 60);
  assert.equal(await failures.count('unknown', '192.0.2.1', START), null);
});

test('failures of one address do not limit another', async () => {
  const failures = createFailures();
  for (let i = 0; i < 60; i += 1) await failures.count('unknown', '192.0.2.1', START);
  assert.equal(await failures.count('unknown', '192.0.2.2', START), null);
});

test('all addresses of an IPv6 /64 share one count', async () => {
  const failures = createFailures();
  for (let i = 0; i < 60; i += 1) await failures.count('unknown', `2001:db8:1:2::${i.toString(16)}`, START);
  assert.equal(await failures.count('unknown', '2001:db8:1:2:ffff:ffff:ffff:ffff', START), 60);
  assert.equal(await failures.count('unknown', '2001:db8:1:3::1', START), null);
});

test('failures from ever new addresses use bounded memory', async () => {
  const failures = createFailures();
  for (let i = 0; i < 50_000; i += 1) {
    await failures.count('unknown', `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, START);
  }
  assert.ok(failures.size() <= 20_000);
});
