import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeDomain } from './sso-rules.ts';

for (const [given, domain] of [
  ['example.com', 'example.com'],
  ['EXAMPLE.Com', 'example.com'],
  [' example.com\t', 'example.com'],
  ['example.com.', 'example.com'],
  ['ｅｘａｍｐｌｅ。com', 'example.com'],
  ['münchen.example', 'xn--mnchen-3ya.example'],
  ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
  ['mu\u0308nchen.example', 'xn--mnchen-3ya.example'],
  ['XN--MNCHEN-3YA.example', 'xn--mnchen-3ya.example'],
] as const)
  test(`the domain ${JSON.stringify(given)} is ${domain}`, () => assert.equal(normalizeDomain(given), domain));

for (const given of [
  '',
  '.',
  'localhost',
  '.example.com',
  'example..com',
  'example.com..',
  'exa mple.com',
  'exa\tmple.com',
  'example.com/path',
  'example.com\\path',
  'example.com?query',
  'example.com#hash',
  'example.com:443',
  'user@example.com',
  'ex%61mple.com',
  'exa\u00admple.com',
  'exa\u200dmple.com',
  'a\0.example',
  '_toolgate.example.com',
  '127.0.0.1',
  '0x7f.1',
  '[::1]',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(130)}com`,
])
  test(`${JSON.stringify(given.slice(0, 40))} is no domain`, () => assert.equal(normalizeDomain(given), null));
