import assert from 'node:assert/strict';
import { createHmac, sign } from 'node:crypto';
import { test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { assertionAlgorithms } from '@toolgate/contract/assertion-keys/rules.ts';
import {
  type AssertionParts,
  makeSigner,
  rawSignature,
  signAssertion,
} from '../../../../test/support/make/sign-assertion.ts';
import {
  type AssertionReason,
  type AssertionResult,
  type VerificationKey,
  verifyAssertion,
} from './verify-assertion.ts';

const project_id = 'prj_0000000000000000000001';
const aud = `service:project:${project_id}`;
const now = 1_790_000_000_500;
const seconds = Math.floor(now / 1000);

const signers = {
  ES256: makeSigner('ES256'),
  ES384: makeSigner('ES384'),
  Ed25519: makeSigner('Ed25519'),
  RS256: makeSigner('RS256'),
};
const stranger = makeSigner('ES256');

const keys = new Map<string, VerificationKey>(
  Object.values(signers).map(({ kid, algorithm, publicKey }) => [
    kid,
    { id: `akey_${kid}`, algorithm, key: publicKey },
  ]),
);

const lookups: string[] = [];
const findKey = (kid: string) => {
  lookups.push(kid);
  return keys.get(kid) ?? null;
};

const findToolsets = () => [];
const check = (token: unknown, at = now) => verifyAssertion({ token, project_id, now: at, findKey, findToolsets });
const good = (parts?: AssertionParts) => signAssertion(signers.ES256, project_id, now, parts);
const reasonOf = (result: AssertionResult) => (result.ok ? 'ok' : result.reason);

for (const algorithm of assertionAlgorithms) {
  test(`an assertion signed with ${algorithm} is accepted with its sub and jti`, async () => {
    const signer = signers[algorithm];
    const token = signAssertion(signer, project_id, now, { claims: { jti: 'once' } });
    assert.deepEqual(await check(token), {
      ok: true,
      sub: 'alice',
      jti: 'once',
      exp: seconds + 30,
      key: keys.get(signer.kid),
      access: { claims: {}, toolsets: null },
    });
  });
}

const accepted: [what: string, parts: AssertionParts][] = [
  ['no typ', { header: { typ: undefined } }],
  ['no iat', { claims: { iat: undefined } }],
  ['no jti', { claims: { jti: undefined } }],
  ['aud as a list of one', { claims: { aud: [aud] } }],
  ['a TTL of 60 seconds', { claims: { iat: seconds, exp: seconds + 60 } }],
  ['fractions of a second', { claims: { iat: seconds + 0.25, exp: seconds + 60.25 } }],
  ['a clock 5 seconds ahead', { claims: { iat: seconds + 5, nbf: seconds + 5 } }],
  ['additional claims', { claims: { name: 'Alice', roles: [['a'], { b: { c: 1 } }] } }],
  ['a sub of 255 characters', { claims: { sub: 'x'.repeat(255) } }],
  ['white space in the JSON', { header: ' {"alg":"ES256",\n"kid":"ES256-key"} ' }],
];

for (const [what, parts] of accepted) {
  test(`${what}: accepted`, async () => assert.equal(reasonOf(await check(good(parts))), 'ok'));
}

test('Ed25519 assertions may name EdDSA or Ed25519, and nothing else', async () => {
  const reason = async (alg: unknown) =>
    reasonOf(await check(signAssertion(signers.Ed25519, project_id, now, { header: { alg } })));
  assert.equal(await reason('EdDSA'), 'ok');
  assert.equal(await reason('Ed25519'), 'ok');
  assert.equal(await reason('ed25519'), 'INVALID_SIGNATURE');
  assert.equal(await reason('ES256'), 'INVALID_SIGNATURE');
});

const forged = { signature: (signed: Buffer) => rawSignature(stranger, signed) };
const late = { exp: seconds - 5, iat: seconds - 30 };
const withHeader = (more: object): AssertionParts => ({ header: more });
const payload = (text: string | Buffer): AssertionParts => ({ claims: text });
const json = JSON.stringify({ sub: 'alice', aud, exp: seconds + 30 });
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const refused: [what: string, reason: AssertionReason, token: unknown | AssertionParts][] = [
  // 1. shape
  ['a number', 'MALFORMED', 7],
  ['undefined', 'MALFORMED', undefined],
  ['a list', 'MALFORMED', [good()]],
  ['an empty string', 'MALFORMED', ''],
  ['one word', 'MALFORMED', 'abc'],
  ['two parts', 'MALFORMED', good().split('.').slice(0, 2).join('.')],
  ['four parts', 'MALFORMED', `${good()}.x`],
  ['an empty fourth part', 'MALFORMED', `${good()}.`],
  ['dots only', 'MALFORMED', '..'],
  ['padding', 'MALFORMED', `${good()}==`],
  ['a space before it', 'MALFORMED', ` ${good()}`],
  ['a trailing line break', 'MALFORMED', `${good()}\n`],
  ['the alphabet of plain base64', 'MALFORMED', `${good().slice(0, -86)}+/${good().slice(-84)}`],
  ['no signature', 'MALFORMED', { header: { alg: 'none' }, signature: () => '' }],
  ['unused bits set in the last character', 'MALFORMED', withUnusedBits(good())],
  ['more than 8,192 bytes', 'MALFORMED', { claims: { filler: 'x'.repeat(9000) } }],
  // 2. header
  ['a header that is not JSON', 'MALFORMED', { header: 'hello' }],
  ['a header that is a list', 'MALFORMED', { header: '["ES256"]' }],
  ['a header that is null', 'MALFORMED', { header: 'null' }],
  ['a header with a BOM', 'MALFORMED', { header: '\ufeff{"alg":"ES256","kid":"ES256-key"}' }],
  ['a header that is not UTF-8', 'MALFORMED', { header: Buffer.from('{"alg":"ES256","kid":"\xff"}', 'latin1') }],
  ['alg twice', 'MALFORMED', { header: '{"alg":"none","alg":"ES256","kid":"ES256-key"}' }],
  ['kid twice, once escaped', 'MALFORMED', { header: '{"alg":"ES256","kid":"x","\\u006bid":"ES256-key"}' }],
  ['typ at+jwt', 'MALFORMED', withHeader({ typ: 'at+jwt' })],
  ['typ null', 'MALFORMED', withHeader({ typ: null })],
  ...['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'crit', 'b64', 'zip', 'cty', 'enc', 'foo', 'constructor', 'KID'].map(
    (name): [string, AssertionReason, AssertionParts] => [
      `the header member ${name}`,
      'MALFORMED',
      withHeader({ [name]: ['x'] }),
    ],
  ),
  ['the header member __proto__', 'MALFORMED', { header: '{"alg":"ES256","kid":"ES256-key","__proto__":{}}' }],
  // 3. kid
  ['no kid', 'MISSING_KID', withHeader({ kid: undefined })],
  ['an empty kid', 'MISSING_KID', withHeader({ kid: '' })],
  ['a kid that is a number', 'MISSING_KID', withHeader({ kid: 1 })],
  ['a kid that is a list', 'MISSING_KID', withHeader({ kid: ['ES256-key'] })],
  ['a kid only inherited', 'MISSING_KID', { header: '{"alg":"ES256"}' }],
  ['an unknown kid', 'KEY_NOT_FOUND', withHeader({ kid: 'unknown' })],
  ['the kid in small letters', 'KEY_NOT_FOUND', withHeader({ kid: 'es256-key' })],
  ['the kid with a space', 'KEY_NOT_FOUND', withHeader({ kid: 'ES256-key ' })],
  ['the name of a built-in', 'KEY_NOT_FOUND', withHeader({ kid: 'constructor' })],
  // 4. alg
  ['no alg', 'INVALID_SIGNATURE', withHeader({ alg: undefined })],
  ['alg none, signed', 'INVALID_SIGNATURE', withHeader({ alg: 'none' })],
  ['alg in small letters', 'INVALID_SIGNATURE', withHeader({ alg: 'es256' })],
  ['alg as a list', 'INVALID_SIGNATURE', withHeader({ alg: ['ES256'] })],
  ['the alg of another key', 'INVALID_SIGNATURE', withHeader({ alg: 'ES384' })],
  [
    'another key of the project under this kid',
    'INVALID_SIGNATURE',
    signAssertion({ ...signers.RS256, kid: 'ES256-key' }, project_id, now),
  ],
  [
    'HS256 with the public key as the secret',
    'INVALID_SIGNATURE',
    {
      header: { alg: 'HS256', kid: 'RS256-key' },
      signature: (signed: Buffer) => createHmac('sha256', signers.RS256.pem).update(signed).digest(),
    },
  ],
  // 5. signature
  ['the signature of a stranger', 'INVALID_SIGNATURE', forged],
  [
    'a DER signature',
    'INVALID_SIGNATURE',
    { signature: (signed: Buffer) => sign('sha256', signed, signers.ES256.privateKey) },
  ],
  ['a signature of zeros', 'INVALID_SIGNATURE', { signature: () => Buffer.alloc(64) }],
  ['a signature of ones', 'INVALID_SIGNATURE', { signature: () => Buffer.alloc(64, 0xff) }],
  [
    'a byte after the signature',
    'INVALID_SIGNATURE',
    { signature: (signed: Buffer) => Buffer.concat([rawSignature(signers.ES256, signed), Buffer.alloc(1)]) },
  ],
  // 6. claims
  ['claims that are a list', 'MALFORMED', payload('[]')],
  ['claims that are no JSON', 'MALFORMED', payload('{')],
  ['claims with a BOM', 'MALFORMED', payload(`\ufeff${json}`)],
  ['claims that are no UTF-8', 'MALFORMED', payload(Buffer.from('{"sub":"\xff"}', 'latin1'))],
  ['sub twice', 'MALFORMED', payload(json.replace('{', '{"sub":"root",'))],
  ['a name twice inside a claim', 'MALFORMED', payload(json.replace('{', '{"x":{"y":1,"y":2},'))],
  ['claims nested too deep', 'MALFORMED', payload(json.replace('{', `{"x":${nested(5)},`))],
  // 7. aud
  ['no aud', 'AUD_MISMATCH', { claims: { aud: undefined } }],
  ['the aud of another project', 'AUD_MISMATCH', { claims: { aud: 'service:project:prj_0000000000000000000002' } }],
  ['two auds', 'AUD_MISMATCH', { claims: { aud: [aud, 'other'] } }],
  ['the same aud twice', 'AUD_MISMATCH', { claims: { aud: [aud, aud] } }],
  ['an empty list of auds', 'AUD_MISMATCH', { claims: { aud: [] } }],
  ['an aud in a list in a list', 'AUD_MISMATCH', { claims: { aud: [[aud]] } }],
  ['an aud that only starts right', 'AUD_MISMATCH', { claims: { aud: `${aud}x` } }],
  ['the bare project id as aud', 'AUD_MISMATCH', { claims: { aud: project_id } }],
  // 8. times
  ['no exp', 'MALFORMED', { claims: { exp: undefined } }],
  ['exp null', 'MALFORMED', { claims: { exp: null } }],
  ['exp as text', 'MALFORMED', { claims: { exp: String(seconds + 30) } }],
  ['exp 0', 'MALFORMED', { claims: { exp: 0 } }],
  ['exp below 0', 'MALFORMED', { claims: { exp: -1 } }],
  ['exp 1e308', 'MALFORMED', { claims: { exp: 1e308 } }],
  ['exp infinite', 'MALFORMED', payload(json.replace(/"exp":\d+/, '"exp":1e999'))],
  ['exp in milliseconds', 'TTL_TOO_LONG', { claims: { exp: now + 30_000, iat: now } }],
  ['iat as text', 'MALFORMED', { claims: { iat: 'now' } }],
  ['nbf as text', 'MALFORMED', { claims: { nbf: 'now' } }],
  ['exp in the past', 'EXPIRED', { claims: late }],
  ['exp equal to now, in seconds', 'EXPIRED', { claims: { exp: seconds } }],
  ['exp in two minutes', 'TTL_TOO_LONG', { claims: { exp: seconds + 120 } }],
  ['exp 61 seconds away without iat', 'TTL_TOO_LONG', { claims: { exp: seconds + 61, iat: undefined } }],
  ['61 seconds from iat to exp', 'TTL_TOO_LONG', { claims: { iat: seconds - 31, exp: seconds + 30 } }],
  ['iat in the future', 'TTL_TOO_LONG', { claims: { iat: seconds + 6 } }],
  ['nbf in the future', 'TTL_TOO_LONG', { claims: { nbf: seconds + 6 } }],
  // 9. sub
  ['no sub', 'SUB_UNRESOLVED', { claims: { sub: undefined } }],
  ['sub a number', 'SUB_UNRESOLVED', { claims: { sub: 42 } }],
  ['sub empty', 'SUB_UNRESOLVED', { claims: { sub: '' } }],
  ['sub blank', 'SUB_UNRESOLVED', { claims: { sub: '   ' } }],
  ['sub with NUL', 'SUB_UNRESOLVED', { claims: { sub: 'a\0b' } }],
  ['sub with half a surrogate', 'SUB_UNRESOLVED', payload(json.replace('alice', '\\ud800'))],
  ['sub of 256 characters', 'SUB_UNRESOLVED', { claims: { sub: 'x'.repeat(256) } }],
  ['sub only inherited', 'SUB_UNRESOLVED', payload(`{"aud":"${aud}","exp":${seconds + 30}}`)],
  // 10. jti
  ['jti a number', 'MALFORMED', { claims: { jti: 1 } }],
  ['jti null', 'MALFORMED', { claims: { jti: null } }],
  ['jti empty', 'MALFORMED', { claims: { jti: '' } }],
  ['jti with NUL', 'MALFORMED', { claims: { jti: 'a\0' } }],
  ['jti of 256 characters', 'MALFORMED', { claims: { jti: 'x'.repeat(256) } }],
  // Order of the rules
  [
    'no kid and all else wrong',
    'MISSING_KID',
    { header: { kid: undefined }, claims: { aud: 'x', ...late, sub: 7 }, ...forged },
  ],
  ['an unknown kid and a wrong signature', 'KEY_NOT_FOUND', { header: { kid: 'unknown' }, ...forged }],
  ['a wrong signature and broken claims', 'INVALID_SIGNATURE', { claims: '{', ...forged }],
  ['a wrong signature, a wrong aud and expired', 'INVALID_SIGNATURE', { claims: { aud: 'x', ...late }, ...forged }],
  ['a wrong aud and expired', 'AUD_MISMATCH', { claims: { aud: 'x', ...late } }],
  ['expired and no sub', 'EXPIRED', { claims: { ...late, sub: undefined } }],
  ['too long and no sub', 'TTL_TOO_LONG', { claims: { exp: seconds + 120, sub: undefined } }],
];

for (const [what, reason, made] of refused) {
  test(`${what}: ${reason}`, async () => {
    const isParts = typeof made === 'object' && made !== null && !Array.isArray(made);
    assert.deepEqual(await check(isParts ? good(made) : made), { ok: false, reason });
  });
}

/** 64 bytes leave four unused bits in the last of 86 characters; a lenient decoder ignores them. */
function withUnusedBits(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) ?? '') + 1];
}

test('a kid that no key can have is refused without a lookup', async () => {
  lookups.length = 0;
  for (const kid of ['a\0b', 'x'.repeat(129), '\ud800']) {
    assert.equal(reasonOf(await check(good({ header: { kid } }))), 'KEY_NOT_FOUND');
  }
  assert.deepEqual(lookups, []);
});

test('an assertion is valid until the millisecond of its exp', async () => {
  const token = good({ claims: { exp: seconds + 30 } });
  assert.equal(reasonOf(await check(token, (seconds + 30) * 1000 - 1)), 'ok');
  assert.equal(reasonOf(await check(token, (seconds + 30) * 1000)), 'EXPIRED');
});

test('the key lookup may be asynchronous', async () => {
  const result = await verifyAssertion({
    token: good(),
    project_id,
    now,
    findKey: async (kid) => findKey(kid),
    findToolsets,
  });
  assert.equal(reasonOf(result), 'ok');
});

test('a failed lookup is an error, not a missing key', async () => {
  const findKey = () => Promise.reject(new Error('database unavailable'));
  await assert.rejects(
    verifyAssertion({ token: good(), project_id, now, findKey, findToolsets }),
    /database unavailable/,
  );
});

test('the other ECDSA signature (n - s) is valid by the standard and has the same claims', async () => {
  const jti = { claims: { jti: 'j' } };
  const token = good({
    ...jti,
    signature: (signed) => {
      const raw = rawSignature(signers.ES256, signed);
      const s = p256.Point.Fn.ORDER - BigInt(`0x${raw.toString('hex', 32)}`);
      return Buffer.concat([raw.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
    },
  });
  const result = await check(token);
  assert.ok(result.ok && result.jti === 'j' && result.sub === 'alice');
});
