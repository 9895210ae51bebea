import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors/errors.ts';
import { createOriginCheck } from './origin.ts';

const check = createOriginCheck('https://tools.example.com');
const isRefused = (error: unknown) =>
  error instanceof ApiError && error.code === 'HOST_NOT_ALLOWED' && error.status === 403;

test('a request to the public host name, to an IP address or to a name without a dot is accepted', () => {
  for (const host of [
    'tools.example.com',
    'TOOLS.example.com:443',
    '127.0.0.1:3000',
    '10.0.0.7',
    '[::1]:3000',
    'localhost:3000',
    'toolgate:3000',
  ]) {
    check({ host });
  }
});

test('a host name that an attacker may own is refused, as is a missing one', () => {
  for (const host of [
    'evil.example.com',
    'tools.example.com.evil.com',
    '127.0.0.1.nip.io',
    'localhost.evil.com',
    '',
    undefined,
    'a b',
    '@',
    'user@127.0.0.1',
    '127.0.0.1/../evil.example.com',
    '127.0.0.1?evil.example.com',
    '127.0.0.1\\evil.example.com',
  ]) {
    assert.throws(() => check(host === undefined ? {} : { host }), isRefused, String(host));
  }
});

test('an Origin of another site is refused; the own host and loopback are accepted', () => {
  const host = 'tools.example.com';
  for (const origin of ['https://tools.example.com', 'http://localhost:6274', 'http://127.0.0.1', 'http://[::1]:1'])
    check({ host, origin });
  for (const origin of ['https://evil.example.com', 'null', '', 'https://10.0.0.7', 'file://', 'x']) {
    assert.throws(() => check({ host, origin }), isRefused, origin);
  }
});
