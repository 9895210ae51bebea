// What a certificate may be made of.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { makeAuthority } from '../../../../test/support/peers/certificates.ts';
import { ApiError } from '../../../errors/errors.ts';
import { type Content, checkContent } from './check-content.ts';

const DAY_MS = 86_400_000;
const authority = makeAuthority('root');
const intermediate = authority.issueAuthority('intermediate');
const { key, cert } = intermediate.issue(['client'], { for_client: true });
const chain = cert + intermediate.certificate;
const EMPTY: Content = { ca: null, client_certificate: null, client_key: null };
const ALL = new Set(['ca', 'client_certificate', 'client_key'] as const);

const check = (given: Partial<Content>, fields: ReadonlySet<keyof Content> = ALL) =>
  checkContent({ ...EMPTY, ...given }, fields, Date.now());

function problemOf(given: Partial<Content>, fields?: ReadonlySet<keyof Content>): [string | undefined, string] {
  try {
    check(given, fields);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    assert.equal(error.status, 422);
    // A text that was sent is never repeated: it may be a key.
    assert.doesNotMatch(JSON.stringify(error.details), /[\w+/]{40}/, 'the text is repeated');
    return [error.details.field, error.details.problems?.[0]?.message ?? ''];
  }
  return [undefined, 'accepted'];
}

test('authorities, a client certificate with its chain, or both are accepted; the first end counts', () => {
  for (const given of [
    { ca: authority.certificate },
    { ca: `# Bag attributes\r\n${authority.certificate.replaceAll('\n', '\r\n')}${intermediate.certificate}` },
    { client_certificate: chain, client_key: key },
    { ca: authority.certificate, client_certificate: chain, client_key: key },
  ])
    assert.ok(check(given).expires_at > Date.now());
  const soon = intermediate.issue([], { for_client: true, to: Date.now() + 3_600_000 });
  const { expires_at } = check({
    ca: authority.certificate,
    client_certificate: soon.cert + intermediate.certificate,
    client_key: soon.key,
  });
  assert.ok(expires_at - Date.now() <= 3_600_000);
});

test('a key may stand with other blocks, and is stored alone', () => {
  const given = {
    client_certificate: chain,
    client_key: `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${key}${cert}`,
  };
  assert.equal(check(given).client_key, key.trim());
});

const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits });
const pemOf = (pair: ReturnType<typeof generateKeyPairSync>) =>
  String((pair as { privateKey: any }).privateKey.export({ type: 'pkcs8', format: 'pem' }));
const small = rsa(1024);

test('what is wrong is said with the field', () => {
  const encrypted = String(
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'secret',
    }),
  );
  const other = intermediate.issue(['other'], { for_client: true });
  const expired = intermediate.issue(['old'], { to: Date.now() - DAY_MS / 2 });
  const cases: [given: Partial<Content>, field: string, words: RegExp][] = [
    [{}, 'ca', /is required unless/],
    [{ client_certificate: chain }, 'client_key', /is required with client_certificate/],
    [{ client_key: key }, 'client_certificate', /is required with client_key/],
    [{ ca: 'hello' }, 'ca', /must be PEM/],
    [{ ca: authority.certificate.slice(0, -30) }, 'ca', /cut off/],
    [{ ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, 'ca', /cannot be read: number 1/],
    [{ ca: authority.certificate + key }, 'ca', /must not have a private key/],
    [{ client_certificate: chain + key, client_key: key }, 'client_certificate', /must not have a private key/],
    [{ ca: '-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----' }, 'ca', /has X509 CRL/],
    [{ ca: authority.certificate + expired.cert }, 'ca', /expired certificate: number 2, CN=old, on \d{4}-/],
    [{ client_certificate: expired.cert, client_key: expired.key }, 'client_certificate', /has expired, CN=old/],
    [{ client_certificate: chain, client_key: encrypted }, 'client_key', /is encrypted/],
    [{ client_certificate: chain, client_key: cert }, 'client_key', /must be PEM: a key begins/],
    [{ client_certificate: chain, client_key: key + other.key }, 'client_key', /must have one private key/],
    [{ client_certificate: chain, client_key: other.key }, 'client_key', /does not fit client_certificate/],
    [{ client_certificate: intermediate.certificate + cert, client_key: key }, 'client_certificate', /number 2/],
    [
      { client_certificate: cert + authority.certificate + intermediate.certificate, client_key: key },
      'client_certificate',
      /not in order: certificate 2 did not issue certificate 1/,
    ],
    [{ client_certificate: chain, client_key: pemOf(small) }, 'client_key', /2,048 to 4,096 bits, and has 1,024/],
    [
      { client_certificate: chain, client_key: pemOf(generateKeyPairSync('x25519')) },
      'client_key',
      /must be an RSA key, an EC key/,
    ],
  ];
  for (const [given, field, words] of cases) {
    const [found, message] = problemOf(given);
    assert.deepEqual([found, words.test(message)], [field, true], `${field}: ${message}`);
  }
});

test('a stored certificate may have expired since, and a new one has to fit the stored key', () => {
  const expired = intermediate.issue(['old'], { to: Date.now() - DAY_MS / 2 });
  const stored = { client_certificate: expired.cert, client_key: expired.key };
  assert.equal(problemOf({ ca: authority.certificate, ...stored }, new Set(['ca']))[1], 'accepted');
  const changed = { client_certificate: chain, client_key: expired.key };
  const [field, message] = problemOf(changed, new Set(['client_certificate']));
  assert.deepEqual([field, /send its client_key too/.test(message)], ['client_certificate', true]);
});

test('a long text without an end is refused immediately', () => {
  assert.match(problemOf({ ca: '-----BEGIN CERTIFICATE-----\n'.repeat(2_000) })[1], /cut off/);
});
