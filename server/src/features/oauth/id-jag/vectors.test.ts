import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { idJagChecks } from '@toolgate/contract/oauth-providers/rules.ts';
import { type IdJagVectors, vectorsFile, vectorsText } from '../../../../test/make-vectors/id-jag.ts';
import { findKeys, type KeySet, readKeySet } from '../keys/key-set.ts';
import { explainIdJag } from './explain-id-jag.ts';
import { scopeProblem } from './id-jag-scope.ts';
import { type IdJagInput, type TrustedProvider, verifyIdJag } from './verify-id-jag.ts';

const text = readFileSync(vectorsFile, 'utf8');
const vectors: IdJagVectors = JSON.parse(text);
const set = readKeySet(vectors.jwks) as KeySet;

type Trusted = TrustedProvider & Pick<IdJagVectors['provider'], 'permissions'>;

const input = (token: string): IdJagInput<Trusted> => ({
  token,
  audience: vectors.audience,
  now: vectors.now * 1000,
  findProvider: (iss) =>
    iss === vectors.provider.issuer ? { ...vectors.provider, needs_email: false } : 'not trusted',
  findKeys: (_, algorithm, kid) => findKeys(set, algorithm, kid),
  resourceProblem: (resource) => (resource === null || resource === vectors.resource ? null : 'another'),
  clientProblem: (client_id) => (client_id === vectors.client_id ? null : 'another'),
  isUsed: (_, jti) => jti === vectors.used_jti,
  scopeProblem: (provider, scope) => scopeProblem(provider, scope, null),
});

test('vectors/id-jag.json is what its script writes, and has a refusal of each check', () => {
  assert.equal(text, vectorsText());
  assert.deepEqual([...new Set(vectors.refused.map(({ check }) => check))], idJagChecks);
});

for (const { name, assertion } of vectors.accepted)
  test(`vector, ${name}: accepted`, async () => {
    const result = await verifyIdJag(input(assertion));
    assert.ok(!('failed' in result), JSON.stringify(result));
    assert.equal(result.sub, 'alice');
    assert.equal((await explainIdJag(input(assertion))).is_valid, true);
  });

for (const { check, name, assertion } of vectors.refused)
  test(`vector, ${name}: refused by ${check}, and the report says the same`, async () => {
    const result = await verifyIdJag(input(assertion));
    assert.equal('failed' in result && result.failed, check);
    assert.equal((await explainIdJag(input(assertion))).failed_check, check);
  });
