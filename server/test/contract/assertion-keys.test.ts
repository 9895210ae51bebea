// Spec 7, POST /assertion-keys: every row of the table, and the order of the checks.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { before, test } from 'node:test';
import type { Permission } from '@toolgate/contract/permissions.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { makeSigner } from '../support/make/sign-assertion.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

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

for (const [what, fields, reason] of [
  ['not a PEM', { public_key: 'not a PEM' }, 'not_pem'],
  ['an empty string', { public_key: '' }, 'not_pem'],
  ['a PEM cut short', { public_key: pem.slice(0, 90) }, 'damaged_pem'],
  ['an EC key for RS256', { algorithm: 'RS256' }, 'algorithm_mismatch'],
  ['a P-384 key for ES256', { public_key: makeSigner('ES384').pem }, 'algorithm_mismatch'],
  ['a P-256 key for ES384', { algorithm: 'ES384' }, 'algorithm_mismatch'],
  [
    'an RSA key of 1,024 bits',
    { algorithm: 'RS256', public_key: spki(generateKeyPairSync('rsa', { modulusLength: 1024 })) },
    'rsa_too_short',
  ],
  ['literal \\n', { public_key: pem.replaceAll('\n', '\\n') }, 'escaped_line_breaks'],
  ['a private key with literal \\n', { public_key: privatePem.replaceAll('\n', '\\n') }, 'private_key'],
  ['one line', { public_key: pem.replaceAll('\n', '') }, 'one_line'],
  ['one line with spaces', { public_key: pem.replaceAll('\n', ' ') }, 'one_line'],
  ['a certificate', { public_key: pem.replaceAll('PUBLIC KEY', 'CERTIFICATE') }, 'certificate'],
  ['an SSH key', { public_key: `ssh-ed25519 ${'A'.repeat(68)} me@example.com` }, 'ssh_public_key'],
  ['a JWK', { public_key: '{"kty":"EC","crv":"P-256"}' }, 'json_web_key'],
  ['an RSA key for ES256', { public_key: spki(rsa) }, 'algorithm_mismatch'],
  ['an Ed25519 key for ES256', { public_key: makeSigner('Ed25519').pem }, 'algorithm_mismatch'],
  [
    'an EC key on secp256k1',
    { public_key: spki(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })) },
    'unsupported_curve',
  ],
  ['an X25519 key', { public_key: spki(generateKeyPairSync('x25519')) }, 'unsupported_key'],
  ['two keys', { public_key: pem + pem }, 'several_keys'],
  [
    'a PKCS#1 key',
    { algorithm: 'RS256', public_key: String(rsa.publicKey.export({ type: 'pkcs1', format: 'pem' })) },
    'pkcs1_public_key',
  ],
  ['a private key', { public_key: privatePem }, 'private_key'],
  ['a megabyte', { public_key: 'x'.repeat(1_000_000) }, 'pem_too_long'],
] as const) {
  test(`400 Invalid public key format: ${what}`, async () => {
    const response = await register(fields);
    const { error } = expectResponse(response, 400, 'Invalid public key format');
    const { field, reason: given, remedy, ...more } = error.details;
    assert.deepEqual([error.code, field, given, more], ['INVALID_PUBLIC_KEY', 'public_key', reason, {}]);
    assert.match(remedy, /^[A-Z].*\.$/);
    assert.ok(!response.text.includes(privatePem.split('\n')[1] as string), 'the response contains the private key');
  });
}

for (const algorithm of ['HS256', 'none', 'ES512', 'PS256', 'EdDSA', 'es256', '', 'toString']) {
  test(`400 Unsupported algorithm: ${JSON.stringify(algorithm)}`, async () => {
    const { error } = expectResponse(await register({ algorithm }), 400, 'Unsupported algorithm');
    assert.equal(error.code, 'UNSUPPORTED_ALGORITHM');
  });
}

test('409 kid already exists for this project; another project may have the same', async () => {
  const kid = unique('kid');
  expectResponse(await register({ kid }), 201);
  const { error } = expectResponse(await register({ kid }), 409, 'kid already exists for this project');
  assert.equal(error.code, 'KID_ALREADY_EXISTS');
  assert.partialDeepStrictEqual(error.details, { field: 'kid', value: kid });
  const other = await makeTenant(server);
  expectResponse(await register({ kid }, other.keys.write), 201);
});

test('kids are compared byte by byte: case, spaces and normalisation matter', async () => {
  const kid = unique('Zoé');
  for (const other of [kid, kid.toUpperCase(), `${kid} `, kid.normalize('NFD')])
    expectResponse(await register({ kid: other }), 201);
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
    const { error } = expectResponse(await register(fields), 422, 'Validation error');
    assert.equal(error.details.field, field);
  });
}

test('the order: fields, algorithm, public key, kid', async () => {
  const kid = unique('kid');
  expectResponse(await register({ kid }), 201);
  expectResponse(await register({ kid: 7, public_key: 'x', algorithm: 'HS256' }), 422);
  expectResponse(await register({ kid, public_key: 'x', algorithm: 'HS256' }), 400, 'Unsupported algorithm');
  expectResponse(await register({ kid, public_key: 'x' }), 400, 'Invalid public key format');
  expectResponse(await register({ kid }), 409, 'kid already exists for this project');
});

test('registering and deactivating need write, reading read, deleting admin', async () => {
  const { id } = expectResponse(await register({}), 201);
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
      expectResponse(await api(method, path, { key: tenant.keys[held], body }), 403, 'Insufficient permissions');
    }
    const response = await api(method, path, { key: tenant.keys[permission], body });
    assert.ok(response.status < 300, `${method} ${path} with ${permission}: ${response.text}`);
  }
});

test('a registered key is returned with its fingerprint, creator and status, and its PEM normalized', async () => {
  const kid = unique('kid');
  const otherLineEndings = pem.replaceAll('\n', '\r\n').trimEnd();
  const made = expectResponse(await register({ kid, public_key: otherLineEndings }), 201);
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
  assert.deepEqual(expectResponse(await api('GET', `/assertion-keys/${id}`, { key: tenant.keys.read }), 200), made);
});

test('the root key registers in the project that X-Project-Id names, and is refused without one', async () => {
  const body = { kid: unique('kid'), public_key: pem, algorithm: 'ES256' };
  const made = expectResponse(await api('POST', '/assertion-keys', { key: ROOT_KEY, project: tenant.id, body }), 201);
  assert.deepEqual([made.project_id, made.created_by], [tenant.id, 'root']);
  const { error } = expectResponse(await api('POST', '/assertion-keys', { key: ROOT_KEY, body }), 422);
  assert.equal(error.details.field, 'X-Project-Id');
});

function spki({ publicKey }: { publicKey: typeof pair.publicKey }): string {
  return String(publicKey.export({ type: 'spki', format: 'pem' }));
}
