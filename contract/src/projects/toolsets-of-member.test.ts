import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimsToKeep, type MemberAccess, toolsetsOfMember } from './toolsets-of-member.ts';

const support = { claim: 'role', equals: 'support', toolsets: ['refunds'] };
const admin = { claim: 'groups', equals: 'admins', toolsets: ['refunds', 'reports'] };
const level = { claim: 'level', equals: 3, toolsets: ['reports'] };

for (const [title, access, claims, expected] of [
  ['no default and no rules: every tool', { default: null, rules: [] }, { role: 'support' }, null],
  ['an empty default: no tool', { default: [], rules: [] }, {}, []],
  ['a default', { default: ['orders'], rules: [] }, {}, ['orders']],
  ['rules and no default: nothing unless one matches', { default: null, rules: [support] }, { role: 'x' }, []],
  ['a rule that matches', { default: null, rules: [support] }, { role: 'support' }, ['refunds']],
  ['the default and a rule', { default: ['orders'], rules: [support] }, { role: 'support' }, ['orders', 'refunds']],
  [
    'all rules that match',
    { default: null, rules: [support, level] },
    { role: 'support', level: 3 },
    ['refunds', 'reports'],
  ],
  [
    'a list that contains the value',
    { default: null, rules: [admin] },
    { groups: ['a', 'admins'] },
    ['refunds', 'reports'],
  ],
  ['a list that does not', { default: null, rules: [admin] }, { groups: ['administrators'] }, []],
  ['a number is no text', { default: null, rules: [level] }, { level: '3' }, []],
  ['a claim that every object has', { default: null, rules: [{ ...support, claim: 'constructor' }] }, {}, []],
] as [string, MemberAccess, Record<string, unknown>, string[] | null][])
  test(title, () => assert.deepEqual(toolsetsOfMember(access, claims), expected));

test('only claims that rules name are kept, if they are plain values or lists of texts of a bearable size', () => {
  const access = {
    default: null,
    rules: [support, admin, level, { ...support, claim: 'nested' }, { ...support, claim: 'long' }],
  };
  const claims = { role: 'x', groups: ['a'], level: 3, email: 'a@b.example', nested: {}, long: 'x'.repeat(3_000) };
  assert.deepEqual(claimsToKeep(access, claims, false), { role: 'x', groups: ['a'], level: 3 });
  assert.deepEqual(claimsToKeep(access, { role: 'a\0b', groups: ['\ud800'] }, true), {}, 'what cannot be stored');
});

test('with hooks the other claims of a person are kept too, not those of the token, and no more than 2 KiB of them', () => {
  const access = { default: null, rules: [support] };
  const claims = {
    iss: 'https://login.example.com',
    exp: 1,
    email: 'a@example.com',
    role: 'x',
    address: { street: 'y' },
  };
  assert.deepEqual(claimsToKeep(access, claims, true), { email: 'a@example.com', role: 'x' });
  assert.deepEqual(claimsToKeep(access, claims, false), { role: 'x' });
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`claim${i}`, 'v'.repeat(100)]));
  const kept = claimsToKeep(access, { ...many, role: 'x' }, true);
  assert.ok(JSON.stringify(kept).length < 2_300);
  assert.equal(kept.role, 'x', 'what rules compare is kept in any case');
});
