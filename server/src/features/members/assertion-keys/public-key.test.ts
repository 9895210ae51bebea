import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { ed25519 } from '@noble/curves/ed25519.js';
import { type AssertionAlgorithm, assertionAlgorithms } from '@toolgate/contract/assertion-keys/rules.ts';
import fc from 'fast-check';
import { readPublicKey } from './public-key.ts';

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  Ed25519: generateKeyPairSync('ed25519'),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

const toPem = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }));
const toDer = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });
const armour = (der: Buffer, label = 'PUBLIC KEY') =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END ${label}-----\n`;
const pemOf = (type: 'ec' | 'rsa', options: object) =>
  toPem(generateKeyPairSync(type as 'rsa', options as { modulusLength: number }).publicKey);

const ed = (hex: string) => armour(Buffer.from(`302a300506032b6570032100${hex}`, 'hex'));
const ec = { prefix: Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex') };

/** Encodes any two numbers as SubjectPublicKeyInfo, also ones that no library would accept as a key. */
function rsa(n: bigint, e: bigint, { negative = false, parameters = '0500' } = {}): string {
  const tlv = (tag: string, body: string) => {
    const length = body.length / 2;
    const long = length.toString(16).padStart(length > 255 ? 4 : 2, '0');
    return `${tag}${length < 128 ? long : `${length > 255 ? '82' : '81'}${long}`}${body}`;
  };
  const hex = (value: bigint) =>
    value.toString(16).padStart(value.toString(16).length + (value.toString(16).length % 2), '0');
  const integer = (value: bigint) =>
    tlv('02', !negative && /^[89a-f]/.test(hex(value)) ? `00${hex(value)}` : hex(value));
  const numbers = tlv('30', integer(n) + integer(e));
  const algorithm = tlv('30', `06092a864886f70d010101${parameters}`);
  return armour(Buffer.from(tlv('30', algorithm + tlv('03', `00${numbers}`)), 'hex'));
}

const numbersOf = (key: KeyObject) => {
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const big = (text: string) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
  return { n: big(n), e: big(e) };
};

for (const algorithm of assertionAlgorithms) {
  test(`a valid ${algorithm} key is accepted unchanged, and verifies`, () => {
    const { publicKey, privateKey } = pairs[algorithm];
    const read = readPublicKey(toPem(publicKey), algorithm);
    assert.ok(read);
    assert.equal(read.public_key, toPem(publicKey));
    assert.equal(read.fingerprint, `SHA256:${createHash('sha256').update(toDer(publicKey)).digest('base64url')}`);
    const hash = algorithm === 'Ed25519' ? null : 'sha256';
    assert.ok(verify(hash, Buffer.from('x'), read.key, sign(hash, Buffer.from('x'), privateKey)));
  });

  test(`a key is refused for every algorithm but its own ${algorithm}`, () => {
    for (const other of assertionAlgorithms) {
      if (other !== algorithm) assert.equal(readPublicKey(toPem(pairs[algorithm].publicKey), other), null, other);
    }
  });
}

test('line endings, surrounding whitespace and line width do not matter; the PEM is normalized', () => {
  const pem = toPem(pairs.ES256.publicKey);
  const oneLine = pem.replace(/([A-Za-z0-9+/=])\n(?=[A-Za-z0-9+/=])/g, '$1');
  for (const spelling of [pem.trimEnd(), `${pem}\n\n`, `\n${pem}`, pem.replaceAll('\n', '\r\n'), oneLine]) {
    assert.equal(readPublicKey(spelling, 'ES256')?.public_key, pem, JSON.stringify(spelling));
  }
});

test('RSA keys of 2,048 to 8,192 bits are accepted', () => {
  const n = numbersOf(pairs.RS256.publicKey).n;
  // Any odd number without small factors serves as a modulus; generating a real key of 8,192 bits takes seconds.
  const big = (bits: number) => withoutSmallFactors((1n << BigInt(bits - 1)) + n);
  for (const bits of [2048, 2049, 3072, 4096, 8192])
    assert.ok(readPublicKey(rsa(big(bits), 65_537n), 'RS256'), `${bits}`);
  for (const bits of [1024, 2047])
    assert.equal(readPublicKey(rsa(withoutSmallFactors(1n << BigInt(bits - 1)), 65_537n), 'RS256'), null, `${bits}`);
  assert.equal(readPublicKey(rsa(big(8193), 65_537n), 'RS256'), null, '8193');
});

function withoutSmallFactors(from: bigint): bigint {
  for (let n = from | 1n; ; n += 2n) {
    let divisor = 3n;
    while (divisor < 752n && n % divisor !== 0n) divisor += 2n;
    if (divisor > 752n) return n;
  }
}

const { n, e } = numbersOf(pairs.RS256.publicKey);
const point = toDer(pairs.ES256.publicKey).subarray(27);
const compressed = Buffer.concat([
  Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
  Buffer.from([2 + ((point.at(-1) ?? 0) & 1)]),
  point.subarray(0, 32),
]);
const primorial = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101]
  .concat([103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167])
  .reduce((product, prime) => product * BigInt(prime), 2n);

/** A modulus like those of Infineon's chips: a power of 65537 modulo the primorial. */
function rocaModulus(): bigint {
  for (let k = (1n << 2047n) / primorial + 1n; ; k += 1n) {
    const candidate = k * primorial + (65_537n ** 123n % primorial);
    if (withoutSmallFactors(candidate) === candidate) return candidate;
  }
}

const refused: [what: string, algorithm: AssertionAlgorithm, pem: string][] = [
  ['a secp256k1 key', 'ES256', pemOf('ec', { namedCurve: 'secp256k1' })],
  ['explicit curve parameters', 'ES256', pemOf('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' })],
  ['a compressed point', 'ES256', armour(compressed)],
  ['a hybrid point', 'ES256', armour(Buffer.concat([ec.prefix, Buffer.from([6 + ((point.at(-1) ?? 0) & 1)]), point]))],
  [
    'a point at infinity',
    'ES256',
    armour(Buffer.from('3019301306072a8648ce3d020106082a8648ce3d03010703020000', 'hex')),
  ],
  [
    'a point that is not on the curve',
    'ES256',
    armour(Buffer.concat([ec.prefix, Buffer.from([4]), Buffer.alloc(64, 1)])),
  ],
  ['the point (0, 0)', 'ES256', armour(Buffer.concat([ec.prefix, Buffer.from([4]), Buffer.alloc(64)]))],
  ['an RSA key with e = 1', 'RS256', rsa(n, 1n)],
  ['an RSA key with e = 3', 'RS256', rsa(n, 3n)],
  ['an RSA key with e = 65,535', 'RS256', rsa(n, 65_535n)],
  ['an RSA key with an even e', 'RS256', rsa(n, 65_538n)],
  ['an RSA key with a huge e', 'RS256', rsa(n, 2n ** 64n + 1n)],
  ['an RSA key with an even modulus', 'RS256', rsa(n + 1n, e)],
  ['an RSA key with a small factor', 'RS256', rsa((n / 751n) * 751n, e)],
  ['an RSA key with a negative modulus', 'RS256', rsa(n, e, { negative: true })],
  ['an RSA key without the NULL parameter', 'RS256', rsa(n, e, { parameters: '' })],
  ['a ROCA key', 'RS256', rsa(rocaModulus(), e)],
  ['an RSA-PSS key', 'RS256', toPem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey)],
  ['an X25519 key', 'Ed25519', toPem(generateKeyPairSync('x25519').publicKey)],
  ['an Ed448 key', 'Ed25519', toPem(generateKeyPairSync('ed448').publicKey)],
  ['an Ed25519 encoding that is not a point', 'Ed25519', ed(`02${'00'.repeat(31)}`)],
  ['an Ed25519 point with y above the prime', 'Ed25519', ed(`${'f'.repeat(62)}7f`)],
  ['a PKCS#1 key', 'RS256', String(pairs.RS256.publicKey.export({ type: 'pkcs1', format: 'pem' }))],
  [
    'a PKCS#1 key under the PUBLIC KEY label',
    'RS256',
    armour(pairs.RS256.publicKey.export({ type: 'pkcs1', format: 'der' })),
  ],
  ['a private key', 'ES256', String(pairs.ES256.privateKey.export({ type: 'pkcs8', format: 'pem' }))],
  [
    'a private key under the PUBLIC KEY label',
    'ES256',
    armour(pairs.ES256.privateKey.export({ type: 'pkcs8', format: 'der' })),
  ],
  ['a certificate label', 'ES256', armour(toDer(pairs.ES256.publicKey), 'CERTIFICATE')],
  ['two keys in one text', 'ES256', toPem(pairs.ES256.publicKey).repeat(2)],
  ['text before the key', 'ES256', `my key:\n${toPem(pairs.ES256.publicKey)}`],
  ['bytes after the key', 'ES256', armour(Buffer.concat([toDer(pairs.ES256.publicKey), Buffer.alloc(3)]))],
  ['bytes after an RSA key', 'RS256', armour(Buffer.concat([toDer(pairs.RS256.publicKey), Buffer.alloc(3)]))],
  ['a PEM cut short', 'ES256', toPem(pairs.ES256.publicKey).slice(0, 90)],
  ['a PEM body that is not a key', 'ES256', armour(Buffer.from('not a key at all'))],
  ['a PEM without a body', 'ES256', '-----BEGIN PUBLIC KEY-----\n\n-----END PUBLIC KEY-----\n'],
  ['plain text', 'ES256', 'not a PEM'],
  ['an empty string', 'ES256', ''],
  ['a megabyte', 'RS256', armour(Buffer.alloc(1 << 20))],
];

for (const [what, algorithm, pem] of refused) {
  test(`${what} is refused`, () => assert.equal(readPublicKey(pem, algorithm), null));
}

test('the refused test keys differ from valid keys only in what is tested', () => {
  assert.ok(readPublicKey(rsa(n, e), 'RS256'));
  assert.ok(readPublicKey(rsa(n, 2n ** 64n - 1n), 'RS256'));
  assert.ok(readPublicKey(armour(Buffer.concat([ec.prefix, Buffer.from([4]), point])), 'ES256'));
  assert.ok(readPublicKey(ed(Buffer.from(ed25519.Point.BASE.toBytes()).toString('hex')), 'Ed25519'));
});

test('all encodings of the eight small-order Ed25519 points are refused', () => {
  // The canonical ones, then y + p, then the sign bit on x = 0.
  const encodings = [
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ];
  for (const hex of encodings) assert.equal(readPublicKey(ed(hex), 'Ed25519'), null, hex);
});

test('an Ed25519 point with a torsion part is refused', () => {
  const torsion = ed25519.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
  for (let order = 1n; order < 8n; order += 1n) {
    const mixed = ed25519.Point.BASE.add(torsion.multiplyUnsafe(order));
    assert.equal(readPublicKey(ed(Buffer.from(mixed.toBytes()).toString('hex')), 'Ed25519'), null);
  }
});

test('any other text is refused without an exception', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => armour(Buffer.from(bytes))),
    fc.uint8Array({ minLength: 65, maxLength: 65 }).map((bytes) => armour(Buffer.concat([ec.prefix, bytes]))),
  );
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(...assertionAlgorithms),
      (pem, algorithm) => readPublicKey(pem, algorithm) === null,
    ),
  );
});

test('an EC key with one flipped bit is refused', () => {
  const der = toDer(pairs.ES256.publicKey);
  for (let bit = 0; bit < der.length * 8; bit += 1) {
    const changed = Buffer.from(der);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(readPublicKey(armour(changed), 'ES256'), null, `bit ${bit}`);
  }
});

test('OpenSSL imports many of the refused keys', () => {
  const imported = refused.filter(([, , pem]) => {
    try {
      return createPublicKey(pem).type === 'public';
    } catch {
      return false;
    }
  });
  assert.ok(imported.length > 15, `${imported.length}`);
});
