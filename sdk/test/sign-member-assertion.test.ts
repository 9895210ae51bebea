import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, verify, webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { primitives } from '../src/private-key.ts';
import { signMemberAssertion } from '../src/sign-member-assertion.ts';

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  Ed25519: generateKeyPairSync('ed25519'),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
const hashes = { ES256: 'sha256', ES384: 'sha384', Ed25519: null, RS256: 'sha256' };
type Algorithm = keyof typeof pairs;
const algorithms = Object.keys(pairs) as Algorithm[];

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const fields = { kid: 'k1', projectId: 'prj_1', memberId: 'Zoë 🐝' };
const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

for (const algorithm of algorithms) {
  test(`${algorithm}: signs with a PEM, a JWK and a CryptoKey that cannot be exported`, async () => {
    const { privateKey, publicKey } = pairs[algorithm];
    const der = privateKey.export({ type: 'pkcs8', format: 'der' });
    const keys = [
      pemOf(privateKey),
      pemOf(privateKey).replaceAll('\n', '\\n'),
      { ...privateKey.export({ format: 'jwk' }), use: 'enc', key_ops: ['verify'], ext: false },
      await webcrypto.subtle.importKey('pkcs8', der, primitives[algorithm].key, false, ['sign']),
    ];
    for (const privateKey of keys) {
      const jwt = await signMemberAssertion({ ...fields, algorithm, privateKey });
      const [header = '', claims = '', signature = ''] = jwt.split('.');
      assert.deepEqual(parse(header), { alg: algorithm, kid: 'k1', typ: 'JWT' });
      const { exp, ...others } = parse(claims);
      assert.deepEqual(others, { sub: 'Zoë 🐝', aud: 'service:project:prj_1' });
      assert.ok(Math.abs(exp - Date.now() / 1000 - 30) <= 10);
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      const signed = Buffer.from(`${header}.${claims}`);
      assert.ok(verify(hashes[algorithm], signed, key, Buffer.from(signature, 'base64url')));
    }
  });
}

test('jti and ttlSeconds are in the assertion', async () => {
  const privateKey = pemOf(pairs.ES256.privateKey);
  const before = Math.floor(Date.now() / 1000);
  const jwt = await signMemberAssertion({ ...fields, privateKey, algorithm: 'ES256', ttlSeconds: 60, jti: 'once' });
  const { jti, exp } = parse(jwt.split('.')[1] ?? '');
  assert.equal(jti, 'once');
  assert.ok(exp >= before + 60 && exp <= Date.now() / 1000 + 60);
});

test('a key that does not fit, another algorithm and a ttl above 60 s are refused, and no error shows the key', async () => {
  const pem = pemOf(pairs.ES256.privateKey);
  const inner = pem.split('\n')[1] ?? '';
  const jwk = pairs.ES256.privateKey.export({ format: 'jwk' });
  const sec1 = pairs.ES256.privateKey.export({ type: 'sec1', format: 'pem' }) as string;
  const p384 = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, false, ['sign', 'verify']);
  const wrong: [object, RegExp][] = [
    [{ ttlSeconds: 61 }, /ttlSeconds/],
    [{ ttlSeconds: 0 }, /ttlSeconds/],
    [{ ttlSeconds: Infinity }, /ttlSeconds/],
    [{ algorithm: 'HS256' }, /algorithm/],
    [{ algorithm: 'none' }, /algorithm/],
    [{ algorithm: 'toString' }, /algorithm/],
    [{ algorithm: 'RS256' }, /not a key for RS256/],
    [{ privateKey: pemOf(pairs.RS256.privateKey) }, /not a key for ES256/],
    [{ privateKey: pemOf(pairs.ES384.privateKey) }, /not a key for ES256/],
    [{ privateKey: pem.replace(inner, [...inner].reverse().join('')) }, /damaged/],
    [{ privateKey: 'not a key' }, /PEM/],
    [{ privateKey: sec1 }, /openssl pkcs8/],
    [{ privateKey: pairs.ES256.publicKey.export({ type: 'spki', format: 'pem' }) }, /PUBLIC KEY/],
    [{ privateKey: pairs.ES384.privateKey.export({ format: 'jwk' }) }, /not a key for ES256/],
    [{ privateKey: { ...jwk, d: undefined } }, /public key/],
    [{ privateKey: { ...jwk, d: 'AAAA' } }, /damaged/],
    [{ privateKey: p384.privateKey }, /not a key for ES256/],
    [{ privateKey: p384.publicKey }, /private key/],
    [{ privateKey: undefined }, /privateKey/],
    [{ kid: '' }, /kid/],
    [{ memberId: '' }, /memberId/],
    [{ memberId: 7 }, /memberId/],
    [{ projectId: undefined }, /projectId/],
    [{ jti: '' }, /jti/],
  ];
  for (const [changes, message] of wrong)
    await assert.rejects(
      signMemberAssertion({ ...fields, algorithm: 'ES256', privateKey: pem, ...changes } as any),
      (error: any) => {
        assert.ok(error instanceof TypeError, inspect(changes));
        assert.match(error.message, message);
        return !inspect(error, { showHidden: true, depth: 9 }).includes(inner.slice(0, 30));
      },
    );
});
