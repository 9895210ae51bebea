import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jwtVerify } from 'jose';
import {
  type MemberAssertionVectors,
  vectorsFile,
  vectorsText,
} from '../../../../test/make-vectors/member-assertion.ts';
import { refuseAssertion } from './assertion-refusals.ts';
import { readPublicKey } from './public-key.ts';
import { type VerificationKey, verifyAssertion } from './verify-assertion.ts';

const text = readFileSync(vectorsFile, 'utf8');
const { now, project_id, keys, accepted, refused }: MemberAssertionVectors = JSON.parse(text);

const registered = new Map<string, VerificationKey>();
for (const { kid, algorithm, public_key } of keys) {
  const read = readPublicKey(public_key, algorithm);
  assert.ok(read, `${kid} is refused`);
  registered.set(kid, { id: `akey_${kid}`, algorithm, key: read.key });
}

const verify = (token: string) =>
  verifyAssertion({
    token,
    project_id,
    now: now * 1000,
    findKey: (kid) => registered.get(kid) ?? null,
    findToolsets: () => [],
  });

test('vectors/member-assertion.json is what its script writes', () => {
  assert.equal(text, vectorsText());
});

for (const { name, member_assertion, external_id, jti } of accepted) {
  test(`vector, ${name}: accepted`, async () => {
    const result = await verify(member_assertion);
    assert.ok(result.ok, result.ok ? '' : result.reason);
    assert.deepEqual([result.sub, result.jti], [external_id, jti]);
    // Another implementation verifies it too and finds the same sub.
    const { payload } = await jwtVerify(member_assertion, result.key.key, {
      currentDate: new Date(now * 1000),
      clockTolerance: 5,
    });
    assert.equal(payload.sub, external_id);
  });
}

for (const { name, member_assertion, status, code, message } of refused) {
  test(`vector, ${name}: ${message}`, async () => {
    const result = await verify(member_assertion);
    assert.ok(!result.ok);
    const refusal = refuseAssertion(result.reason);
    assert.deepEqual([refusal.status, refusal.code, refusal.message], [status, code, message]);
  });
}
