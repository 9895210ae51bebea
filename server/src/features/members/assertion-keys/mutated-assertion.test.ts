// Property tests: no random mutation of a valid assertion is accepted. (ECDSA's n - s is valid, but random mutations do not
// find it; see verify-assertion.test.ts.)

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertionAlgorithms } from '@toolgate/contract/assertion-keys/rules.ts';
import fc from 'fast-check';
import { makeSigner, signAssertion } from '../../../../test/support/make/sign-assertion.ts';
import { type VerificationKey, verifyAssertion } from './verify-assertion.ts';

const project_id = 'prj_0000000000000000000001';
const now = 1_790_000_000_500;

const signers = {
  ES256: makeSigner('ES256'),
  ES384: makeSigner('ES384'),
  Ed25519: makeSigner('Ed25519'),
  RS256: makeSigner('RS256'),
};
const keys = new Map<string, VerificationKey>(
  Object.values(signers).map(({ kid, algorithm, publicKey }) => [
    kid,
    { id: `akey_${kid}`, algorithm, key: publicKey },
  ]),
);
const check = (token: unknown) =>
  verifyAssertion({ token, project_id, now, findKey: (kid) => keys.get(kid) ?? null, findToolsets: () => [] });

const position = fc.nat({ max: 10_000 });
const part = fc.nat({ max: 2 });
const base64url = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const anyCharacter = fc.oneof(base64url, fc.constantFrom('.', '=', '+', '/', ' ', '\n', '\0', 'é'));
const claim = fc.constantFrom('sub', 'aud', 'exp', 'iat', 'jti', 'admin');
const headerName = fc.constantFrom('alg', 'kid', 'typ', 'crit');

const editPart = (token: string, index: number, edit: (bytes: Buffer) => Buffer) => {
  const parts = token.split('.');
  parts[index] = edit(Buffer.from(parts[index] ?? '', 'base64url')).toString('base64url');
  return parts.join('.');
};
const editJson = (token: string, index: number, name: string, value: unknown) =>
  editPart(token, index, (bytes) => Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), [name]: value })));

const mutation: fc.Arbitrary<(token: string) => string> = fc.oneof(
  fc.tuple(position, anyCharacter).map(([at, character]) => (token: string) => {
    const place = at % token.length;
    return token.slice(0, place) + character + token.slice(place + 1);
  }),
  fc.tuple(position, anyCharacter).map(([at, character]) => (token: string) => {
    const place = at % (token.length + 1);
    return token.slice(0, place) + character + token.slice(place);
  }),
  fc.tuple(position, position).map(([from, length]) => (token: string) => {
    const place = from % token.length;
    return token.slice(0, place) + token.slice(place + 1 + (length % 8));
  }),
  position.map((at) => (token: string) => token.slice(0, at % token.length)),
  fc.tuple(part, position).map(
    ([index, bit]) =>
      (token: string) =>
        editPart(token, index, (bytes) => {
          const at = bit % (bytes.length * 8);
          bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7));
          return bytes;
        }),
  ),
  fc.tuple(part, position, fc.uint8Array({ minLength: 1, maxLength: 4 })).map(
    ([index, at, bytes]) =>
      (token: string) =>
        editPart(token, index, (original) => {
          const place = at % (original.length + 1);
          return Buffer.concat([original.subarray(0, place), bytes, original.subarray(place)]);
        }),
  ),
  fc.tuple(claim, fc.jsonValue()).map(
    ([name, value]) =>
      (token: string) =>
        editJson(token, 1, name, value),
  ),
  fc.tuple(headerName, fc.jsonValue()).map(
    ([name, value]) =>
      (token: string) =>
        editJson(token, 0, name, value),
  ),
  fc.constantFrom('ES256', 'ES384', 'EdDSA', 'RS256', 'HS256', 'none').chain((alg) =>
    fc.constantFrom(...Object.values(signers)).map(
      ({ kid }) =>
        (token: string) =>
          editJson(editJson(token, 0, 'alg', alg), 0, 'kid', kid),
    ),
  ),
);

for (const algorithm of assertionAlgorithms) {
  test(`no mutation of an assertion signed with ${algorithm} is accepted`, async () => {
    const token = signAssertion(signers[algorithm], project_id, now, { claims: { jti: 'once' } });
    assert.ok((await check(token)).ok);
    const mutate = fc.asyncProperty(mutation, async (change) => {
      const changed = change(token);
      return changed === token || !(await check(changed)).ok;
    });
    await fc.assert(mutate, { numRuns: algorithm === 'ES384' ? 300 : 1000 });
  });
}

test('no other input is accepted, and none throws', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64url')),
        { maxLength: 5 },
      )
      .map((parts) => parts.join('.')),
    fc
      .tuple(fc.json(), fc.json(), fc.uint8Array({ minLength: 1 }))
      .map((parts) => parts.map((p) => Buffer.from(p as string).toString('base64url')).join('.')),
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, fc.anything({ maxDepth: 1 })), async (token) => !(await check(token)).ok),
  );
});
