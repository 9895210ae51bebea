import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimsForRules, type MemberAccess, toolsetsOfMember } from './toolsets-of-member.ts';

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
  assert.deepEqual(claimsForRules(access, claims), { role: 'x', groups: ['a'], level: 3 });
  assert.deepEqual(claimsForRules(access, { role: 'a\0b', groups: ['\ud800'] }), {}, 'what cannot be stored');
});
