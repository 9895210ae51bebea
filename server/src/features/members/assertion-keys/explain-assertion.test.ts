import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { test } from 'node:test';
import { assertionRules } from '@toolgate/contract/assertion-keys/assertion-report.ts';
import fc from 'fast-check';
import {
  type AssertionParts,
  makeSigner,
  rawSignature,
  signAssertion,
} from '../../../../test/support/make/sign-assertion.ts';
import { refuseAssertion } from './assertion-refusals.ts';
import { explainAssertion } from './explain-assertion.ts';
import { type VerificationKey, verifyAssertion } from './verify-assertion.ts';

const project_id = 'prj_0000000000000000000001';
const now = 1_790_000_000_000;
const seconds = now / 1000;
const signer = makeSigner('ES256');
const stranger = makeSigner('ES256');

const key: VerificationKey = { id: 'akey_1', algorithm: 'ES256', key: signer.publicKey };
const findToolsets = (slugs: string[]) => slugs.map((slug) => (slug === 'support' ? 'tst_support' : undefined));
const findKey = (kid: string) => (kid === signer.kid ? key : null);
const explain = (token: unknown) =>
  explainAssertion({ token, project_id, now, findKey, findToolsets, isJtiUsed: (jti) => jti === 'used' });
const good = (parts?: AssertionParts) => signAssertion(signer, project_id, now, parts);
const forged = { signature: (signed: Buffer) => rawSignature(stranger, signed) };

async function rulesOf(token: unknown) {
  const { rules } = await explain(token);
  const named = (status: string) => rules.filter((rule) => rule.status === status).map(({ rule }) => rule);
  return {
    failed: named('fail'),
    skipped: named('skipped'),
    rules: Object.fromEntries(rules.map((rule) => [rule.rule, rule])),
  };
}

test('a good assertion passes every rule', async () => {
  const report = await explain(good());
  assert.deepEqual(
    report.rules.map(({ rule }) => rule),
    [...assertionRules],
  );
  assert.ok(
    report.rules.every(({ status, code, how_to_fix }) => status === 'pass' && code === null && how_to_fix === null),
  );
  assert.deepEqual([report.is_valid, report.code, report.message], [true, null, null]);
});

test('wrong signature, wrong aud, expired and no sub are all reported at once', async () => {
  const token = good({ claims: { aud: 'x', exp: seconds - 5, iat: seconds - 30, sub: undefined }, ...forged });
  const { failed, rules } = await rulesOf(token);
  assert.deepEqual(failed, ['signature', 'aud', 'exp', 'sub']);
  assert.equal(rules.signature?.message, 'Invalid member assertion: INVALID_SIGNATURE');
  assert.equal(rules.aud?.code, 'ASSERTION_AUD_MISMATCH');
  assert.equal(rules.aud?.found, 'aud "x"');
  assert.match(rules.aud?.how_to_fix ?? '', new RegExp(`"service:project:${project_id}"`));
  assert.equal(rules.exp?.found, 'exp 5 seconds ago');
});

test('the report has the code and message of the first failure', async () => {
  const { is_valid, code, message } = await explain(good({ claims: { aud: 'x' }, ...forged }));
  assert.deepEqual(
    [is_valid, code, message],
    [false, 'ASSERTION_INVALID_SIGNATURE', 'Invalid member assertion: INVALID_SIGNATURE'],
  );
});

test('a rule whose input could not be parsed is skipped, not passed', async () => {
  const all = [...assertionRules];
  assert.deepEqual((await rulesOf('abc')).skipped, all.slice(1));
  assert.deepEqual((await rulesOf(good({ header: 'x' }))).skipped, ['kid', 'key', 'algorithm', 'signature']);
  assert.deepEqual((await rulesOf(good({ header: { kid: undefined } }))).skipped, ['key', 'algorithm', 'signature']);
  assert.deepEqual((await rulesOf(good({ header: { kid: 'unknown' } }))).skipped, ['algorithm', 'signature']);
  assert.deepEqual((await rulesOf(good({ claims: '{' }))).skipped, [
    'aud',
    'times',
    'exp',
    'ttl',
    'sub',
    'jti',
    'access',
    'replay',
  ]);
  assert.deepEqual((await rulesOf(good({ claims: { jti: 7 } }))).skipped, ['replay']);
  assert.deepEqual((await rulesOf(good({ claims: { exp: 'soon' } }))).skipped, ['exp', 'ttl']);
});

test('a used jti is reported as replayed', async () => {
  const { failed, rules } = await rulesOf(good({ claims: { jti: 'used' } }));
  assert.deepEqual(failed, ['replay']);
  assert.equal(rules.replay?.message, 'Invalid member assertion: REPLAYED');
});

test('clock_difference_seconds comes from iat, expires_in_seconds from exp', async () => {
  const report = await explain(good({ claims: { iat: seconds + 90, exp: seconds + 120 } }));
  assert.deepEqual([report.clock_difference_seconds, report.expires_in_seconds], [90, 120]);
  assert.equal(report.server_time, '2026-09-21T14:13:20.000Z');
  const ttl = report.rules.find(({ rule }) => rule === 'ttl');
  assert.match(ttl?.how_to_fix ?? '', /90 seconds ahead of the server/);
  const unknown = await explain(good({ claims: { iat: undefined, exp: seconds - 1 } }));
  assert.deepEqual([unknown.clock_difference_seconds, unknown.expires_in_seconds], [null, -1]);
});

test('an assertion with an old iat gets the hint that the clock may be slow', async () => {
  const { rules } = await rulesOf(good({ claims: { iat: seconds - 100, exp: seconds - 70 } }));
  assert.match(rules.exp?.how_to_fix ?? '', /100 seconds old.*clock may be slow/);
});

test('a DER signature gets a hint about its encoding', async () => {
  const { rules } = await rulesOf(good({ signature: (signed) => sign('sha256', signed, signer.privateKey) }));
  assert.match(rules.signature?.how_to_fix ?? '', /ieee-p1363/);
});

test('the report names an unknown header member without its value', async () => {
  const report = await explain(good({ header: { jwk: { kty: 'OKP', d: 'a-private-value' } } }));
  assert.match(report.rules.find(({ rule }) => rule === 'header')?.how_to_fix ?? '', /Remove "jwk"/);
  assert.ok(!JSON.stringify(report).includes('a-private-value'));
});

test('the report contains neither the token nor its signature', async () => {
  for (const token of [good(), good(forged), 'svc_live_000000000000000000000000000000000000']) {
    const text = JSON.stringify(await explain(token));
    for (const part of token.split('.')) assert.ok(!text.includes(part), part);
  }
});

test('the report and the exchange always agree', async () => {
  const times = fc.constantFrom(
    undefined,
    'x',
    0,
    seconds - 100,
    seconds - 1,
    seconds,
    seconds + 6,
    seconds + 30,
    seconds + 61,
  );
  const claims = fc.record({
    aud: fc.constantFrom(`service:project:${project_id}`, 'x', undefined),
    exp: times,
    iat: times,
    nbf: times,
    sub: fc.constantFrom('alice', '', 7, undefined),
    jti: fc.constantFrom(undefined, 'new', 7),
  });
  const header = fc.record({
    alg: fc.constantFrom('ES256', 'none', undefined),
    kid: fc.constantFrom(signer.kid, 'unknown', undefined),
    typ: fc.constantFrom('JWT', undefined, 'x'),
  });
  await fc.assert(
    fc.asyncProperty(header, claims, fc.boolean(), async (header, claims, isForged) => {
      const token = good({ header, claims, ...(isForged ? forged : {}) });
      const result = await verifyAssertion({ token, project_id, now, findKey, findToolsets });
      const report = await explain(token);
      assert.equal(report.is_valid, result.ok);
      assert.equal(report.message, result.ok ? null : refuseAssertion(result.reason).message);
    }),
    { numRuns: 300 },
  );
});

test('any input gets a report', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.anything({ maxDepth: 1 })), async (token) => {
      const { is_valid, rules } = await explain(token);
      return !is_valid && rules.length === assertionRules.length;
    }),
  );
});
