// Spec 7, POST /mcp/session-token: every row of the table in its order, then the rows that the contract adds, then the order of
// the checks, then the vectors over HTTP.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { makeToken } from '../../src/secrets/tokens.ts';
import { type MemberAssertionVectors, vectorsFile } from '../make-vectors/member-assertion.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import {
  assertionFor,
  exchange,
  type MemberTenant,
  makeIntegration,
  makeIntegrationKey,
  makeMemberTenant,
  registerSigner,
} from '../support/make/make-members.ts';
import { type AssertionParts, makeSigner, rawSignature, type Signer } from '../support/make/sign-assertion.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;

let tenant: MemberTenant;
let other: MemberTenant;
let development: MemberTenant;
const stranger = makeSigner('ES256');

before(async () => {
  tenant = await makeMemberTenant(server);
  other = await makeMemberTenant(server);
  development = await makeMemberTenant(server, { environment: 'development' });
});

const seconds = () => Math.floor(server.app.now() / 1000);
const late = () => ({ iat: seconds() - 30, exp: seconds() - 5 });
const forged: AssertionParts = { signature: (signed) => rawSignature(stranger, signed) };
const exchangeFor = (parts: AssertionParts, signer: Signer = tenant.signer) =>
  exchange(server, tenant.integrationKey.key, { member_assertion: assertionFor(server, tenant, parts, signer) });

// ---- the rows of the specification, in its order

for (const [what, body] of [
  ['no body', undefined],
  ['an empty body', ''],
  ['an empty object', {}],
] as const) {
  test(`400 Provide member_assertion or member_external_id: ${what}`, async () => {
    const response = await exchange(server, tenant.integrationKey.key, body);
    expectResponse(response, 400, 'Provide member_assertion or member_external_id');
    assert.equal(response.body.error.code, 'MEMBER_REQUIRED');
  });
}

for (const [what, sub] of [
  ['missing', undefined],
  ['null', null],
  ['a number', 42],
  ['an object', { id: 1 }],
  ['empty', ''],
  ['blank', '   '],
  ['with a NUL', 'a\0b'],
  ['256 characters long', 'x'.repeat(256)],
] as const) {
  test(`400 Could not resolve member_external_id: sub ${what}`, async () => {
    const response = await exchangeFor({ claims: { sub } });
    expectResponse(response, 400, 'Could not resolve member_external_id');
    assert.equal(response.body.error.code, 'MEMBER_UNRESOLVED');
  });
}

test('400 API key missing project or integration: a key of the project settings, and the root key', async () => {
  const body = { member_assertion: assertionFor(server, tenant) };
  for (const key of [tenant.keys.admin, ROOT_KEY]) {
    expectResponse(await exchange(server, key, body), 400, 'API key missing project or integration');
  }
});

test('401 Invalid or inactive API key: none, an unknown one, a changed one, a session token', async () => {
  const good = tenant.integrationKey.key;
  const member_assertion = assertionFor(server, tenant);
  const { session_token } = expectResponse(await exchange(server, good, { member_assertion }), 200);
  for (const key of [
    undefined,
    makeToken('svc_live_'),
    `${good.slice(0, -1)}!`,
    makeToken('svc_mst_'),
    session_token,
  ]) {
    const response = await api('POST', '/api/v1/mcp/session-token', { key, body: { member_assertion } });
    expectResponse(response, 401, 'Invalid or inactive API key');
  }
});

const rows: [reason: string, what: string, parts: () => AssertionParts][] = [
  ['MISSING_KID', 'no kid', () => ({ header: { kid: undefined } })],
  ['MISSING_KID', 'an empty kid', () => ({ header: { kid: '' } })],
  ['MISSING_KID', 'a kid that is a number', () => ({ header: { kid: 1 } })],
  ['KEY_NOT_FOUND', 'an unknown kid', () => ({ header: { kid: 'unknown' } })],
  ['KEY_NOT_FOUND', 'the kid in capitals', () => ({ header: { kid: tenant.signer.kid.toUpperCase() } })],
  ['KEY_NOT_FOUND', 'the kid and a space', () => ({ header: { kid: `${tenant.signer.kid} ` } })],
  ['KEY_NOT_FOUND', 'a kid like SQL', () => ({ header: { kid: "' or '1'='1" } })],
  ['KEY_NOT_FOUND', 'a kid with a NUL', () => ({ header: { kid: 'a\0b' } })],
  ['KEY_NOT_FOUND', 'an unpaired surrogate', () => ({ header: `{"alg":"ES256","kid":"a\\ud800"}` })],
  ['KEY_NOT_FOUND', 'a kid of 129 characters', () => ({ header: { kid: 'k'.repeat(129) } })],
  ['KEY_NOT_FOUND', "another project's kid", () => ({ header: { kid: other.signer.kid } })],
  ['AUD_MISMATCH', 'the aud of another project', () => ({ claims: { aud: `service:project:${other.id}` } })],
  ['AUD_MISMATCH', 'no aud', () => ({ claims: { aud: undefined } })],
  ['AUD_MISMATCH', 'two auds', () => ({ claims: { aud: [`service:project:${tenant.id}`, 'more'] } })],
  ['EXPIRED', 'exp in the past', () => ({ claims: late() })],
  ['EXPIRED', 'exp this second', () => ({ claims: { exp: seconds(), iat: undefined } })],
  ['INVALID_SIGNATURE', 'the signature of another key', () => forged],
  ['INVALID_SIGNATURE', 'alg none with a signature', () => ({ header: { alg: 'none' } })],
  ['INVALID_SIGNATURE', 'another alg', () => ({ header: { alg: 'ES384' } })],
  // Added by the contract.
  ['MALFORMED', 'no exp', () => ({ claims: { exp: undefined } })],
  ['MALFORMED', 'exp as text', () => ({ claims: { exp: String(seconds() + 30) } })],
  ['MALFORMED', 'alg none without a signature', () => ({ header: { alg: 'none' }, signature: () => '' })],
  ['MALFORMED', 'a jku with a valid signature', () => ({ header: { jku: 'https://example.com/jwks.json' } })],
  ['MALFORMED', 'a payload that is a list', () => ({ claims: '[]' })],
  ['MALFORMED', 'sub twice', () => ({ claims: '{"sub":"a","sub":"b"}' })],
  ['MALFORMED', '9,000 bytes', () => ({ claims: { filler: 'x'.repeat(9000) } })],
  ['MALFORMED', 'a jti that is a number', () => ({ claims: { jti: 7 } })],
  ['TTL_TOO_LONG', 'exp in two minutes', () => ({ claims: { exp: seconds() + 120 } })],
  ['TTL_TOO_LONG', 'exp in two minutes without iat', () => ({ claims: { exp: seconds() + 120, iat: undefined } })],
  ['TTL_TOO_LONG', '70 s from iat to exp', () => ({ claims: { iat: seconds() - 30, exp: seconds() + 40 } })],
  // The order: kid, key, signature, aud, exp, ttl, sub.
  [
    'MISSING_KID',
    'and all else wrong',
    () => ({ header: { kid: undefined }, claims: { aud: 'x', ...late(), sub: 7 }, ...forged }),
  ],
  ['KEY_NOT_FOUND', 'and a wrong signature', () => ({ header: { kid: 'unknown' }, ...forged })],
  ['INVALID_SIGNATURE', 'and a wrong aud, expired', () => ({ claims: { aud: 'x', ...late() }, ...forged })],
  ['AUD_MISMATCH', 'and expired', () => ({ claims: { aud: 'x', ...late() } })],
  ['EXPIRED', 'and no sub', () => ({ claims: { ...late(), sub: undefined } })],
  ['TTL_TOO_LONG', 'and no sub', () => ({ claims: { exp: seconds() + 120, sub: undefined } })],
];

for (const [reason, what, parts] of rows) {
  test(`401 Invalid member assertion: ${reason}: ${what}`, async () => {
    const response = await exchangeFor(parts());
    expectResponse(response, 401, `Invalid member assertion: ${reason}`);
    assert.equal(response.body.error.code, `ASSERTION_${reason}`);
    const { reason: given, remedy, ...more } = response.body.error.details;
    assert.deepEqual([given, more], [`assertion_${reason.toLowerCase()}`, {}]);
    assert.match(remedy, /POST \/api\/v1\/assertion-keys\/debug/);
  });
}

test('403 member_external_id mode disabled in production', async () => {
  const response = await exchange(server, tenant.integrationKey.key, { member_external_id: 'bob' });
  expectResponse(response, 403, 'member_external_id mode disabled in production');
  assert.equal(response.body.error.code, 'MEMBER_EXTERNAL_ID_DISABLED');
});

// ---- not in the tables of the spec

for (const [what, body, field] of [
  ['an unknown field', { member_assertion: 'x', member_externalid: 'y' }, 'member_externalid'],
  ['member_external_id that is not a string', { member_external_id: ['a'] }, 'member_external_id'],
] as const) {
  test(`422 Validation error: ${what}`, async () => {
    const { error } = expectResponse(await exchange(server, tenant.integrationKey.key, body), 422, 'Validation error');
    assert.equal(error.details.field, field);
  });
}

test('an invalid external id is 400 outside production too', async () => {
  for (const member_external_id of ['', '  ', 'a\nb', 'x'.repeat(256)]) {
    const response = await exchange(server, development.integrationKey.key, { member_external_id });
    expectResponse(response, 400, 'Could not resolve member_external_id');
  }
});

test('an assertion without a usable sub is 400 and says that sub is wrong', async () => {
  const { error } = expectResponse(
    await exchangeFor({ claims: { sub: ' ' } }),
    400,
    'Could not resolve member_external_id',
  );
  assert.equal(error.details.field, 'sub');
  assert.match(error.details.remedy, /claim sub/);
});

test('a key without an integration is told to use one that was created from an integration', async () => {
  const { error } = expectResponse(await exchange(server, tenant.keys.admin, { member_assertion: 'x' }), 400);
  assert.match(error.details.remedy, /^Create a key from an integration/);
});

test('the order: key, body, integration, mode, assertion', async () => {
  expectResponse(await exchange(server, makeToken('svc_live_'), {}), 401, 'Invalid or inactive API key');
  expectResponse(await exchange(server, tenant.keys.admin, {}), 400, 'Provide member_assertion or member_external_id');
  expectResponse(await exchange(server, tenant.keys.admin, { member_external_id: 7 }), 422);
  for (const body of [{ member_external_id: 'x' }, { member_assertion: 'x' }, { member_assertion: 7 }]) {
    expectResponse(await exchange(server, tenant.keys.admin, body), 400, 'API key missing project or integration');
  }
  const both = { member_assertion: 'x', member_external_id: 'y' };
  expectResponse(await exchange(server, tenant.integrationKey.key, both), 401, 'Invalid member assertion: MALFORMED');
});

test('200: a Bearer token of 15 minutes for the member, with cache-control: no-store', async () => {
  const member_assertion = assertionFor(server, tenant, { claims: { sub: 'alice@example.com' } });
  const before = server.app.now();
  const response = await exchange(server, tenant.integrationKey.key, { member_assertion });
  const { session_token, expires_at, member, ...rest } = expectResponse(response, 200);
  assert.match(session_token, /^svc_mst_[0-9A-Za-z]{36}$/);
  assert.match(expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
  const lifetime = Date.parse(expires_at) - before;
  assert.ok(lifetime >= 900_000 && Date.parse(expires_at) <= server.app.now() + 900_000, `${lifetime} ms`);
  assert.match(member.id, /^mem_[0-9A-Za-z]{22}$/);
  assert.equal(member.external_id, 'alice@example.com');
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 900, toolsets: null });
  assert.equal(response.headers.get('cache-control'), 'no-store');
});

for (const algorithm of ['ES256', 'ES384', 'Ed25519', 'RS256'] as const) {
  test(`200: an assertion signed with ${algorithm}`, async () => {
    const signer = await registerSigner(server, tenant.id, algorithm);
    expectResponse(await exchangeFor({}, signer), 200);
  });
}

// ---- vectors/member-assertion.json

test('every vector gets the response it specifies, from a server whose clock shows the time of the vectors', async (t) => {
  const { now, project_id, keys, accepted, refused }: MemberAssertionVectors = JSON.parse(
    readFileSync(vectorsFile, 'utf8'),
  );
  const real = server.app.now;
  server.app.now = () => now * 1000;
  t.after(() => {
    server.app.now = real;
  });
  const { organization_id } = expectResponse(await api('GET', `/projects/${tenant.id}`, { key: ROOT_KEY }), 200);
  const project = {
    id: project_id,
    organization_id,
    quota_group_id: project_id,
    name: unique('vectors'),
    settings: '{}',
  };
  await server.app.database
    .insertInto('projects')
    .values({ ...project, environment: 'production', plan: 'enterprise' })
    .execute();
  const integration = await makeIntegration(server, project_id);
  const { key } = await makeIntegrationKey(server, project_id, integration.id);
  for (const body of keys)
    expectResponse(await api('POST', '/assertion-keys', { key: ROOT_KEY, project: project_id, body }), 201);

  for (const { name, member_assertion, external_id } of accepted) {
    const response = await exchange(server, key, { member_assertion });
    assert.equal(response.body?.member?.external_id, external_id, `${name}: ${response.text}`);
  }
  for (const { name, member_assertion, status, code, message } of refused) {
    const response = await exchange(server, key, { member_assertion });
    assert.deepEqual(
      [response.status, response.body?.error?.code, response.body?.error?.message],
      [status, code, message],
      name,
    );
  }
});

test('401 Invalid member assertion: MALFORMED: an assertion that is not a string', async () => {
  for (const member_assertion of [7, {}, ['a'], true, null]) {
    const response = await exchange(server, tenant.integrationKey.key, { member_assertion });
    expectResponse(response, 401, 'Invalid member assertion: MALFORMED');
  }
});
