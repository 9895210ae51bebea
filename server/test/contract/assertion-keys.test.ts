// Spec 7, POST /assertion-keys: every row of the table, and the order of the checks.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { before, test } from 'node:test';
import type { Permission } from '../../src/access/permissions.ts';
import { expectAnswer, makeTenant, unique } from '../make.ts';
import { makeSigner } from '../sign-assertion.ts';
import { ROOT_KEY, startServer } from '../start-server.ts';

const server = await startServer();
const { api } = server;

let tenant: Awaited<ReturnType<typeof makeTenant>>;
before(async () => {
  tenant = await makeTenant(server);
});

const { pem } = makeSigner('ES256');
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const privatePem = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

const register = (fields: object, key = tenant.keys.write) =>
  api('POST', '/assertion-keys', { key, body: { kid: unique('kid'), public_key: pem, algorithm: 'ES256', ...fields } });

for (const [what, fields] of [
  ['not a PEM', { public_key: 'not a PEM' }],
  ['an empty string', { public_key: '' }],
  ['a PEM cut short', { public_key: pem.slice(0, 90) }],
  ['an EC key for RS256', { algorithm: 'RS256' }],
  ['a P-384 key for ES256', { public_key: makeSigner('ES384').pem }],
  ['a P-256 key for ES384', { algorithm: 'ES384' }],
  [
    'an RSA key of 1,024 bits',
    { algorithm: 'RS256', public_key: spki(generateKeyPairSync('rsa', { modulusLength: 1024 })) },
  ],
  ['two keys', { public_key: pem + pem }],
  ['a PKCS#1 key', { algorithm: 'RS256', public_key: String(rsa.publicKey.export({ type: 'pkcs1', format: 'pem' })) }],
  ['a private key', { public_key: privatePem }],
  ['a megabyte', { public_key: 'x'.repeat(1_000_000) }],
] as const) {
  test(`400 Invalid public key format: ${what}`, async () => {
    const answer = await register(fields);
    const { error } = expectAnswer(answer, 400, 'Invalid public key format');
    assert.deepEqual([error.code, error.details], ['INVALID_PUBLIC_KEY', { field: 'public_key' }]);
    assert.ok(!answer.text.includes(privatePem.split('\n')[1] as string), 'the response contains the private key');
  });
}

for (const algorithm of ['HS256', 'none', 'ES512', 'PS256', 'EdDSA', 'es256', '', 'toString']) {
  test(`400 Unsupported algorithm: ${JSON.stringify(algorithm)}`, async () => {
    const { error } = expectAnswer(await register({ algorithm }), 400, 'Unsupported algorithm');
    assert.equal(error.code, 'UNSUPPORTED_ALGORITHM');
  });
}

test('409 kid already exists for this project; another project may have the same', async () => {
  const kid = unique('kid');
  expectAnswer(await register({ kid }), 201);
  const { error } = expectAnswer(await register({ kid }), 409, 'kid already exists for this project');
  assert.deepEqual([error.code, error.details], ['KID_ALREADY_EXISTS', { field: 'kid', value: kid }]);
  const other = await makeTenant(server);
  expectAnswer(await register({ kid }, other.keys.write), 201);
});

test('kids are compared byte by byte: case, spaces and normalisation matter', async () => {
  const kid = unique('Zoé');
  for (const other of [kid, kid.toUpperCase(), `${kid} `, kid.normalize('NFD')])
    expectAnswer(await register({ kid: other }), 201);
});

for (const [what, fields, field] of [
  ['no kid', { kid: undefined }, 'kid'],
  ['an empty kid', { kid: '' }, 'kid'],
  ['a kid that is a number', { kid: 7 }, 'kid'],
  ['a kid of 129 characters', { kid: 'k'.repeat(129) }, 'kid'],
  ['a kid with a NUL', { kid: 'a\0b' }, 'kid'],
  ['no public key', { public_key: undefined }, 'public_key'],
  ['a public key that is not a string', { public_key: { pem } }, 'public_key'],
  ['an algorithm that is not a string', { algorithm: ['ES256'] }, 'algorithm'],
  ['an unknown field', { alg: 'ES256' }, 'alg'],
] as const) {
  test(`422 Validation error: ${what}`, async () => {
    const { error } = expectAnswer(await register(fields), 422, 'Validation error');
    assert.equal(error.details.field, field);
  });
}

test('the order: fields, algorithm, public key, kid', async () => {
  const kid = unique('kid');
  expectAnswer(await register({ kid }), 201);
  expectAnswer(await register({ kid: 7, public_key: 'x', algorithm: 'HS256' }), 422);
  expectAnswer(await register({ kid, public_key: 'x', algorithm: 'HS256' }), 400, 'Unsupported algorithm');
  expectAnswer(await register({ kid, public_key: 'x' }), 400, 'Invalid public key format');
  expectAnswer(await register({ kid }), 409, 'kid already exists for this project');
});

test('registering and deactivating need write, reading read, deleting admin', async () => {
  const { id } = expectAnswer(await register({}), 201);
  const needs: [method: string, path: string, permission: Permission, body?: object][] = [
    ['POST', '/assertion-keys', 'write', { kid: unique('kid'), public_key: pem, algorithm: 'ES256' }],
    ['GET', '/assertion-keys', 'read'],
    ['GET', `/assertion-keys/${id}`, 'read'],
    ['POST', '/assertion-keys/debug', 'write', { member_assertion: 'x' }],
    ['POST', `/assertion-keys/${id}/deactivate`, 'write'],
    ['DELETE', `/assertion-keys/${id}`, 'admin'],
  ];
  for (const [method, path, permission, body] of needs) {
    for (const held of ['read', 'write', 'webhook'] as const) {
      if (held === permission) continue;
      expectAnswer(await api(method, path, { key: tenant.keys[held], body }), 403, 'Insufficient permissions');
    }
    const answer = await api(method, path, { key: tenant.keys[permission], body });
    assert.ok(answer.status < 300, `${method} ${path} with ${permission}: ${answer.text}`);
  }
});

test('a registered key is returned with its fingerprint, creator and status, and its PEM normalised', async () => {
  const kid = unique('kid');
  const otherLineEndings = pem.replaceAll('\n', '\r\n').trimEnd();
  const made = expectAnswer(await register({ kid, public_key: otherLineEndings }), 201);
  const { id, fingerprint, created_at, created_by, ...rest } = made;
  assert.match(id, /^akey_[0-9A-Za-z]{22}$/);
  assert.match(fingerprint, /^SHA256:[\w-]{43}$/);
  assert.match(created_at, /Z$/);
  assert.match(created_by, /^key_/);
  assert.deepEqual(rest, {
    object: 'assertion_key',
    project_id: tenant.id,
    kid,
    algorithm: 'ES256',
    public_key: pem,
    status: 'active',
    deactivated_at: null,
  });
  assert.deepEqual(expectAnswer(await api('GET', `/assertion-keys/${id}`, { key: tenant.keys.read }), 200), made);
});

test('the root key registers in the project that X-Project-Id names, and is refused without one', async () => {
  const body = { kid: unique('kid'), public_key: pem, algorithm: 'ES256' };
  const made = expectAnswer(await api('POST', '/assertion-keys', { key: ROOT_KEY, project: tenant.id, body }), 201);
  assert.deepEqual([made.project_id, made.created_by], [tenant.id, 'root']);
  const { error } = expectAnswer(await api('POST', '/assertion-keys', { key: ROOT_KEY, body }), 422);
  assert.equal(error.details.field, 'X-Project-Id');
});

function spki({ publicKey }: { publicKey: typeof pair.publicKey }): string {
  return String(publicKey.export({ type: 'spki', format: 'pem' }));
}
