import assert from 'node:assert/strict';
import {
  createCipheriv,
  createHash,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
} from 'node:crypto';
import { after, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import type { EncryptionKey } from '@toolgate/contract/custom-tools/encryption-key.ts';
import fc from 'fast-check';
import { CompactEncrypt, importJWK } from 'jose';
import { insertProject, openTestDatabase } from '../../test/support/database/test-database.ts';
import { createCache } from '../cache/cache.ts';
import { SecretUnreadable } from './aes-gcm.ts';
import { createSecrets } from './encryption.ts';
import { looksLikeJwe } from './sealed-input.ts';

const { database, close } = await openTestDatabase();
after(close);

const master_keys = [{ id: 'k1', key: createSecretKey(randomBytes(32)) }];
const secrets = createSecrets({ master_keys, cache: createCache() });
await secrets.verifyMasterKeys(database);
const project_id = await insertProject(database);
const key = await secrets.currentEncryptionKey(database, project_id);

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const context = { table: 'custom_tools', column: 'auth_secret', row_id: 'tool_1' };

/** Stores the text as a tool does and opens it as a call does. */
async function sealAndOpen(text: string): Promise<string> {
  return secrets.openInput(database, project_id, context, await secrets.seal(database, project_id, context, text));
}

/** RFC 7518 §4.6 without jose, so that jose does not verify itself. */
function sealByHand(to: EncryptionKey, plaintext: string | Uint8Array, change: Record<string, unknown> = {}): string {
  const ephemeral = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = {
    alg: 'ECDH-ES',
    enc: 'A256GCM',
    kid: to.key_id,
    epk: ephemeral.publicKey.export({ format: 'jwk' }),
    ...change,
  };
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  const publicKey = createPublicKey(to.public_key);
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey });
  const contentKey = createHash('sha256')
    .update(Buffer.concat([number(1), shared, prefixed('A256GCM'), prefixed(''), prefixed(''), number(256)]))
    .digest();
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', contentKey, nonce).setAAD(Buffer.from(head));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return [head, '', ...[nonce, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function prefixed(text: string): Buffer {
  return Buffer.concat([number(text.length), Buffer.from(text)]);
}

test('the encryption key is a public P-256 key, the same in both forms, at every call and in every process', async () => {
  const { key_id, jwk, public_key } = key;
  assert.deepEqual(Object.keys(jwk).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  assert.deepEqual([jwk.kid, jwk.alg, jwk.use, jwk.kty, jwk.crv], [key_id, 'ECDH-ES', 'enc', 'EC', 'P-256']);
  assert.match(public_key, /^-----BEGIN PUBLIC KEY-----\n/);
  assert.ok(createPublicKey(public_key).equals(createPublicKey({ key: jwk, format: 'jwk' })));
  assert.deepEqual(
    await createSecrets({ master_keys, cache: createCache() }).currentEncryptionKey(database, project_id),
    key,
  );
});

test('20 concurrent first requests create one encryption key', async () => {
  const fresh = await insertProject(database);
  const keys = await Promise.all(
    Array.from({ length: 20 }, () =>
      createSecrets({ master_keys, cache: createCache() }).currentEncryptionKey(database, fresh),
    ),
  );
  assert.equal(new Set(keys.map(({ key_id }) => key_id)).size, 1);
});

test('a JWE sealed to a project opens for that project only, whichever kid it names', async () => {
  const theirs = await insertProject(database);
  const theirKey = await secrets.currentEncryptionKey(database, theirs);
  assert.notEqual(theirKey.key_id, key.key_id);
  for (const kid of [key.key_id, theirKey.key_id, undefined]) {
    const stolen = sealByHand(key, 'a secret', { kid });
    const blob = await secrets.seal(database, theirs, context, stolen);
    await assert.rejects(secrets.openInput(database, theirs, context, blob), SecretUnreadable);
    await assert.rejects(
      createSecrets({ master_keys, cache: createCache() }).openInput(database, theirs, context, blob),
      SecretUnreadable,
    );
  }
});

test('the private key is stored sealed', async () => {
  const row = await database
    .selectFrom('encryption_keys')
    .selectAll()
    .where('id', '=', key.key_id)
    .executeTakeFirstOrThrow();
  assert.match(row.private_sealed, /^v1\.k1\./);
  assert.deepEqual(Object.keys(row.public_jwk).sort(), ['crv', 'kty', 'x', 'y']);
});

test('a JWE made without a library, after RFC 7518, opens', async () => {
  assert.equal(await sealAndOpen(sealByHand(key, 'pässwörd 🔑')), 'pässwörd 🔑');
});

test('a JWE made with jose opens, with and without kid, with apu and apv', async () => {
  const publicKey = await importJWK(key.jwk);
  for (const extra of [{}, { kid: key.key_id }]) {
    const jwe = await new CompactEncrypt(Buffer.from('a secret'))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', ...extra })
      .setKeyManagementParameters({ apu: Buffer.from('Alice'), apv: Buffer.from('Bob') })
      .encrypt(publicKey);
    assert.equal(await sealAndOpen(jwe), 'a secret');
  }
});

test('a JWE sealed to a retired key still opens', async () => {
  const fresh = await insertProject(database);
  const old = await secrets.currentEncryptionKey(database, fresh);
  const blob = await secrets.seal(database, fresh, context, sealByHand(old, 'a secret'));
  await database
    .updateTable('encryption_keys')
    .set({ retired_at: '2026-01-01T00:00:00Z' })
    .where('project_id', '=', fresh)
    .execute();
  assert.notEqual((await secrets.currentEncryptionKey(database, fresh)).key_id, old.key_id);
  assert.equal(await secrets.openInput(database, fresh, context, blob), 'a secret');
});

test('a JWE with any one character changed cannot be opened, and is never taken for a plain secret', async () => {
  const jwe = sealByHand(key, 'a secret');
  const alphabet = fc.constantFrom(...letters);
  const body = fc.integer({ min: 3, max: jwe.length - 1 });
  await fc.assert(
    fc.asyncProperty(body, alphabet, async (at, other) => {
      const changed = jwe.slice(0, at) + other + jwe.slice(at + 1);
      if (changed === jwe || jwe[at] === '.') return;
      await assert.rejects(sealAndOpen(changed), SecretUnreadable);
    }),
    { numRuns: 300 },
  );
});

test('a JWE with another last character cannot be opened, though only unused bits of it differ', async () => {
  const jwe = sealByHand(key, 'a secret');
  for (const last of letters.replace(jwe.at(-1) as string, '')) {
    await assert.rejects(sealAndOpen(jwe.slice(0, -1) + last), SecretUnreadable);
  }
});

test('a JWE truncated anywhere after its header cannot be opened', async () => {
  const jwe = sealByHand(key, 'a secret');
  for (let end = jwe.indexOf('.') + 1; end < jwe.length; end += 1) {
    await assert.rejects(sealAndOpen(jwe.slice(0, end)), SecretUnreadable);
  }
});

const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const refused: [name: string, jwe: string][] = [
  [
    'sealed to another key',
    sealByHand({ ...key, public_key: another.export({ format: 'pem', type: 'spki' }) as string }, 'x'),
  ],
  ['with an unknown kid', sealByHand(key, 'x', { kid: 'enc_unknown' })],
  ['with a kid no database takes', sealByHand(key, 'x', { kid: 'enc_\u0000' })],
  ['with a kid that is no text', sealByHand(key, 'x', { kid: { $ne: '' } })],
  ['with another key agreement', sealByHand(key, 'x', { alg: 'ECDH-ES+A256KW' })],
  ['with alg dir', sealByHand(key, 'x', { alg: 'dir' })],
  ['with another content encryption', sealByHand(key, 'x', { enc: 'A128GCM' })],
  ['with a critical extension', sealByHand(key, 'x', { crit: ['exp'], exp: 1 })],
  [
    'with a point off the curve',
    sealByHand(key, 'x', { epk: { kty: 'EC', crv: 'P-256', x: key.jwk.x, y: key.jwk.x } }),
  ],
  ['without epk', sealByHand(key, 'x', { epk: undefined })],
  ['that is compressed', sealByHand(key, deflateRawSync(Buffer.alloc(100_000)), { zip: 'DEF' })],
  ['that is not UTF-8', sealByHand(key, Buffer.from([0xff, 0xfe]))],
  ['longer than 16 KiB', sealByHand(key, 'x'.repeat(13_000))],
];
for (const [name, jwe] of refused) {
  test(`a JWE ${name} cannot be opened`, () => assert.rejects(sealAndOpen(jwe), SecretUnreadable));
}

test('passwords, dotted text and JWTs are plain secrets and are not changed', async () => {
  const jwt = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.e30.c2ln`;
  for (const text of [
    's3cret',
    'user:password',
    'a.b.c.d.e',
    '....',
    jwt,
    'eyJhbGciOiJIUzI1NiJ9',
    'bnVsbA.x',
    'ünïcode.🔑',
  ]) {
    assert.equal(looksLikeJwe(text), false, text);
    assert.equal(await sealAndOpen(text), text);
  }
});

test('the plaintext of a JWE is the secret, also when it looks like a JWE itself', async () => {
  const inner = sealByHand(key, 'x', { kid: 'theirs' });
  assert.equal(await sealAndOpen(sealByHand(key, inner)), inner);
});

test('a secret opens in its context only, and needs no query while its keys are cached', async () => {
  const blob = await secrets.seal(database, project_id, context, sealByHand(key, 'a secret'));
  const cache = createCache();
  const mine = createSecrets({ master_keys, cache });
  assert.equal(await mine.openInput(database, project_id, context, blob), 'a secret');

  const gone = await openTestDatabase();
  await gone.close();
  assert.equal(await mine.openInput(gone.database, project_id, { ...context }, blob), 'a secret');
  const theirs = await insertProject(database);
  for (const [project, other] of [
    [project_id, { ...context, row_id: 'tool_2' }],
    [project_id, { ...context, column: 'other' }],
    [project_id, { ...context, table: 'other' }],
    [theirs, context],
  ] as const) {
    await assert.rejects(mine.openInput(database, project, other, blob), SecretUnreadable);
  }
  assert.equal(await mine.openInput(gone.database, project_id, context, blob), 'a secret');
  cache.invalidate(project_id);
  await assert.rejects(mine.openInput(gone.database, project_id, context, blob));
});

test('a failure is not cached: the secret opens when the database is back', async () => {
  const blob = await secrets.seal(database, project_id, context, 'a secret');
  const mine = createSecrets({ master_keys, cache: createCache() });
  const gone = await openTestDatabase();
  await gone.close();
  await assert.rejects(
    mine.openInput(gone.database, project_id, context, blob),
    (error) => !(error instanceof SecretUnreadable),
  );
  assert.equal(await mine.openInput(database, project_id, context, blob), 'a secret');
});
