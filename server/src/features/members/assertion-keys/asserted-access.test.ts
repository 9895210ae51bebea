// What an assertion says of the toolsets of a member: claims for the rules of the project, or the toolsets themselves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSigner, signAssertion } from '../../../../test/support/make/sign-assertion.ts';
import { type AssertionResult, verifyAssertion } from './verify-assertion.ts';

const project_id = 'prj_0000000000000000000001';
const now = 1_790_000_000_500;
const signer = makeSigner('ES256');
const key = { id: 'akey_1', algorithm: signer.algorithm, key: signer.publicKey };
const toolsets = new Map([
  ['support', 'tst_support'],
  ['reading', 'tst_reading'],
]);

const check = (claims: object) =>
  verifyAssertion({
    token: signAssertion(signer, project_id, now, { claims }),
    project_id,
    now,
    findKey: () => key,
    findToolsets: (slugs) => slugs.map((slug) => toolsets.get(slug)),
  });
const reasonOf = (result: AssertionResult) => (result.ok ? 'ok' : result.reason);

for (const [what, claims, outcome] of [
  ['an object of strings, numbers, booleans and lists of strings', { a: 'x', b: 1, c: true, d: ['x', 'y'] }, 'ok'],
  ['an empty object', {}, 'ok'],
  ['a list', ['a'], 'MALFORMED'],
  ['a string', 'a', 'MALFORMED'],
  ['null', null, 'MALFORMED'],
  ['an object in it', { a: {} }, 'MALFORMED'],
  ['null in it', { a: null }, 'MALFORMED'],
  ['a list of numbers in it', { a: [1] }, 'MALFORMED'],
  ['21 members', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`c${at}`, 1])), 'MALFORMED'],
  ['more than 2 KB', { a: 'x'.repeat(2048) }, 'MALFORMED'],
] as const)
  test(`the claim claims as ${what} is ${outcome}`, async () => {
    assert.equal(reasonOf(await check({ claims })), outcome);
  });

for (const [what, named, outcome] of [
  ['slugs of the project', ['support', 'reading'], 'ok'],
  ['an empty list', [], 'ok'],
  ['an unknown slug', ['support', 'nothing'], 'UNKNOWN_TOOLSET'],
  ['a slug twice', ['support', 'support'], 'MALFORMED'],
  ['an id', ['tst_support'], 'MALFORMED'],
  ['a number', [1], 'MALFORMED'],
  ['a string', 'support', 'MALFORMED'],
  ['null', null, 'MALFORMED'],
  ['21 slugs', Array.from({ length: 21 }, (_, at) => `s${at}`), 'MALFORMED'],
] as const)
  test(`the claim toolsets as ${what} is ${outcome}`, async () => {
    assert.equal(reasonOf(await check({ toolsets: named })), outcome);
  });

test('the toolsets and claims of an assertion are part of the result', async () => {
  const result = await check({ claims: { role: 'agent' }, toolsets: ['reading'] });
  assert.deepEqual(result.ok && result.access, {
    claims: { role: 'agent' },
    toolsets: { slugs: ['reading'], ids: ['tst_reading'] },
  });
});
