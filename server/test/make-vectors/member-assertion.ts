// Writes vectors/member-assertion.json: assertions and what they are answered with, from fixed keys and a fixed clock.
// Run `node server/test/make-vectors/member-assertion.ts` after changing a rule; a test fails while the file is stale.

import { createHmac, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseAssertion } from '../../src/features/members/assertion-keys/assertion-refusals.ts';
import type { AssertionReason } from '../../src/features/members/assertion-keys/verify-assertion.ts';
import { type AssertionParts, signAssertion } from '../support/make/sign-assertion.ts';
import { type FixedSigner, fixedSigner } from './fixed-keys.ts';

export const vectorsFile = join(import.meta.dirname, '../../../vectors/member-assertion.json');

export type MemberAssertionVectors = {
  about: string;
  now: number;
  project_id: string;
  keys: { kid: string; algorithm: FixedSigner['algorithm']; public_key: string }[];
  accepted: { name: string; member_assertion: string; external_id: string; jti: string | null }[];
  refused: { name: string; member_assertion: string; status: number; code: string; message: string }[];
};

const project_id = 'prj_0000000000000000000001';
const aud = `service:project:${project_id}`;
const now = 1_790_000_000;
const ec = fixedSigner('ES256', 'es256-key');
const rsa = fixedSigner('RS256', 'rs256-key');
const signers = [ec, fixedSigner('ES384', 'es384-key'), fixedSigner('Ed25519', 'ed25519-key'), rsa];
const stranger = fixedSigner('ES256', 'a key nobody registered');

const assertion = (signer: FixedSigner, parts: AssertionParts = {}) =>
  signAssertion(signer, project_id, now * 1000, { signature: signer.sign, ...parts });
const forged = { signature: stranger.sign };
const claims = (changed: object): AssertionParts => ({ claims: changed });
const header = (changed: object): AssertionParts => ({ header: changed });
const json = JSON.stringify({ sub: 'alice', aud, exp: now + 30 });

const accepted: [name: string, token: string, external_id?: string, jti?: string][] = [
  ...signers.map((signer): [string, string] => [`signed with ${signer.algorithm}`, assertion(signer)]),
  ['an Ed25519 key, alg EdDSA', assertion(signers[2] ?? ec, header({ alg: 'EdDSA' }))],
  ['no typ', assertion(ec, header({ typ: undefined }))],
  ['no iat', assertion(ec, claims({ iat: undefined }))],
  ['aud as a list of one', assertion(ec, claims({ aud: [aud] }))],
  ['60 seconds to live', assertion(ec, claims({ exp: now + 60 }))],
  ['a clock 5 seconds ahead', assertion(ec, claims({ iat: now + 5, nbf: now + 5 }))],
  ['a jti', assertion(ec, claims({ jti: '5b1c1f9a-once' })), 'alice', '5b1c1f9a-once'],
  ['a sub beyond ASCII', assertion(ec, claims({ sub: 'Zoë 🐝' })), 'Zoë 🐝'],
];

const refused: [name: string, reason: AssertionReason, parts: AssertionParts | string][] = [
  ['one word', 'MALFORMED', 'abc'],
  ['two parts', 'MALFORMED', assertion(ec).split('.').slice(0, 2).join('.')],
  ['padding', 'MALFORMED', `${assertion(ec)}==`],
  ['unused bits set in the last character', 'MALFORMED', withUnusedBits(assertion(ec))],
  ['longer than 8,192 bytes', 'MALFORMED', claims({ filler: 'x'.repeat(6200) })],
  ['alg none without a signature', 'MALFORMED', { header: { alg: 'none' }, signature: () => '' }],
  ['a header with jku', 'MALFORMED', header({ jku: 'https://attacker.example/jwks.json' })],
  ['a header with crit', 'MALFORMED', header({ crit: ['exp'] })],
  ['alg said twice', 'MALFORMED', { header: '{"alg":"none","alg":"ES256","kid":"es256-key"}' }],
  ['no kid', 'MISSING_KID', header({ kid: undefined })],
  ['a kid that is a number', 'MISSING_KID', header({ kid: 1 })],
  ['an unknown kid', 'KEY_NOT_FOUND', header({ kid: 'nobody' })],
  ['the kid in capitals', 'KEY_NOT_FOUND', header({ kid: 'ES256-KEY' })],
  ['the signature of another key', 'INVALID_SIGNATURE', forged],
  ['a DER signature', 'INVALID_SIGNATURE', { signature: (signed) => toDer(ec.sign(signed)) }],
  ['alg none with a signature', 'INVALID_SIGNATURE', header({ alg: 'none' })],
  ['the alg of another key', 'INVALID_SIGNATURE', header({ alg: 'ES384' })],
  [
    'RS256 on the kid of an ES256 key',
    'INVALID_SIGNATURE',
    { header: { alg: 'RS256' }, signature: (data) => sign('sha256', data, rsa.privateKey) },
  ],
  [
    'HS256 with the public key as the secret',
    'INVALID_SIGNATURE',
    {
      header: { alg: 'HS256', kid: rsa.kid },
      signature: (signed) => createHmac('sha256', rsa.pem).update(signed).digest(),
    },
  ],
  ['sub said twice', 'MALFORMED', { claims: json.replace('{', '{"sub":"root",') }],
  ['a payload with a byte order mark', 'MALFORMED', { claims: `\ufeff${json}` }],
  ['a payload that is a list', 'MALFORMED', { claims: '[]' }],
  ['the aud of another project', 'AUD_MISMATCH', claims({ aud: 'service:project:prj_0000000000000000000002' })],
  ['two auds', 'AUD_MISMATCH', claims({ aud: [aud, 'other'] })],
  ['no aud', 'AUD_MISMATCH', claims({ aud: undefined })],
  ['no exp', 'MALFORMED', claims({ exp: undefined })],
  ['exp as text', 'MALFORMED', claims({ exp: String(now + 30) })],
  ['exp 1e308', 'MALFORMED', claims({ exp: 1e308 })],
  ['exp in the past', 'EXPIRED', claims({ exp: now - 5, iat: now - 30 })],
  ['exp now', 'EXPIRED', claims({ exp: now, iat: now - 30 })],
  ['exp in 61 seconds', 'TTL_TOO_LONG', claims({ exp: now + 61, iat: undefined })],
  ['61 seconds from iat to exp', 'TTL_TOO_LONG', claims({ iat: now - 31, exp: now + 30 })],
  ['iat in the future', 'TTL_TOO_LONG', claims({ iat: now + 6 })],
  ['nbf in the future', 'TTL_TOO_LONG', claims({ nbf: now + 6 })],
  ['exp in milliseconds', 'TTL_TOO_LONG', claims({ exp: (now + 30) * 1000, iat: now * 1000 })],
  ['no sub', 'SUB_UNRESOLVED', claims({ sub: undefined })],
  ['sub a number', 'SUB_UNRESOLVED', claims({ sub: 42 })],
  ['sub blank', 'SUB_UNRESOLVED', claims({ sub: '   ' })],
  ['sub with NUL', 'SUB_UNRESOLVED', claims({ sub: 'a\0b' })],
  ['jti a number', 'MALFORMED', claims({ jti: 1 })],
  [
    'order: no kid and all else wrong',
    'MISSING_KID',
    { header: { kid: undefined }, claims: { aud: 'x', exp: now - 5, sub: 7 }, ...forged },
  ],
  [
    'order: wrong signature, wrong aud, expired',
    'INVALID_SIGNATURE',
    { claims: { aud: 'x', exp: now - 5 }, ...forged },
  ],
  ['order: wrong aud and expired', 'AUD_MISMATCH', claims({ aud: 'x', exp: now - 5 })],
  ['order: expired and no sub', 'EXPIRED', claims({ exp: now - 5, iat: now - 30, sub: undefined })],
];

function memberAssertionVectors(): MemberAssertionVectors {
  return {
    about:
      'Member assertions and their answers, for a server whose clock shows `now` (seconds) and whose project has `keys`.',
    now,
    project_id,
    keys: signers.map(({ kid, algorithm, pem }) => ({ kid, algorithm, public_key: pem })),
    accepted: accepted.map(([name, member_assertion, external_id = 'alice', jti = null]) => ({
      name,
      member_assertion,
      external_id,
      jti,
    })),
    refused: refused.map(([name, reason, parts]) => {
      const { status, code, message } = refuseAssertion(reason);
      return {
        name,
        member_assertion: typeof parts === 'string' ? parts : assertion(ec, parts),
        status,
        code,
        message,
      };
    }),
  };
}

export function vectorsText(): string {
  return `${JSON.stringify(memberAssertionVectors(), null, 2)}\n`;
}

/** 64 bytes leave four unused bits in the last of 86 characters; a lenient decoder drops them. */
function withUnusedBits(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) ?? '') + 1];
}

function toDer(raw: Buffer): Buffer {
  const integer = (half: Buffer) => {
    const positive = half.readUInt8(0) > 0x7f ? Buffer.concat([Buffer.alloc(1), half]) : half;
    return Buffer.concat([Buffer.from([0x02, positive.length]), positive]);
  };
  const body = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

if (import.meta.main) writeFileSync(vectorsFile, vectorsText());
