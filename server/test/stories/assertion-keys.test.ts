// Assertion keys: registered, replaced, deactivated, on one replica and on two; and the debug report on an assertion.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, unique } from '../support/make/make.ts';
import {
  assertionFor,
  countRows,
  exchange,
  type MemberTenant,
  makeMemberTenant,
  registerSigner,
} from '../support/make/make-members.ts';
import { makeSigner } from '../support/make/sign-assertion.ts';
import { startServer } from '../support/servers/start-server.ts';
import { withinASecond } from '../support/within-a-second.ts';

const server = await startServer();
const replica = await startServer({ DATABASE_URL: server.app.config.database_url ?? '' });
const { api } = server;

const refused = (reason: string) => `Invalid member assertion: ${reason}`;
const mint = (tenant: MemberTenant, member_assertion: string, at = server) =>
  exchange(at, tenant.integrationKey.key, { member_assertion });

test('of 50 concurrent registrations of one kid, one succeeds and the others are 409', async () => {
  const tenant = await makeMemberTenant(server);
  const kid = unique('race');
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      const body = { kid, algorithm: 'ES256', public_key: makeSigner('ES256').pem };
      return (i % 2 === 0 ? server : replica).api('POST', '/assertion-keys', { key: tenant.keys.write, body });
    }),
  );
  assert.equal(responses.filter(({ status }) => status === 201).length, 1);
  for (const response of responses)
    if (response.status !== 201) expectResponse(response, 409, 'kid already exists for this project');
});

test('after deactivation the kid can be registered again and the old key is refused, on every replica within a second', async () => {
  const tenant = await makeMemberTenant(server);
  const old = tenant.signer;
  for (const at of [server, replica]) expectResponse(await mint(tenant, assertionFor(server, tenant), at), 200);

  const path = `/assertion-keys/${old.id}`;
  const ended = expectResponse(await api('POST', `${path}/deactivate`, { key: tenant.keys.write }), 200);
  assert.deepEqual([ended.status, typeof ended.deactivated_at], ['deactivated', 'string']);
  assert.deepEqual(expectResponse(await api('POST', `${path}/deactivate`, { key: tenant.keys.write }), 200), ended);
  expectResponse(await mint(tenant, assertionFor(server, tenant)), 401, refused('KEY_NOT_FOUND'));
  // The other replica may still have the key cached: the statement that creates the session checks it again.
  expectResponse(await mint(tenant, assertionFor(server, tenant), replica), 401, refused('KEY_NOT_FOUND'));

  const fresh = await registerSigner(server, tenant.id, 'ES256', old.kid);
  expectResponse(await mint(tenant, assertionFor(server, tenant)), 401, refused('INVALID_SIGNATURE'));
  expectResponse(await mint(tenant, assertionFor(server, tenant, {}, fresh)), 200);
  await withinASecond(
    () => mint(tenant, assertionFor(server, tenant), replica),
    ({ body }) => body?.error?.message === refused('INVALID_SIGNATURE'),
  );
  expectResponse(await mint(tenant, assertionFor(server, tenant, {}, fresh), replica), 200);
});

test('assertion keys can be listed and deleted; those of another project are 404', async () => {
  const [tenant, other] = [await makeMemberTenant(server), await makeMemberTenant(server)];
  const listed = expectResponse(await api('GET', '/assertion-keys', { key: tenant.keys.read }), 200).data.map(
    (key: { id: string }) => key.id,
  );
  assert.deepEqual(listed, [tenant.signer.id]);
  const path = `/assertion-keys/${tenant.signer.id}`;
  for (const [method, tail] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/deactivate'],
  ] as const) {
    expectResponse(await api(method, path + tail, { key: other.keys.admin }), 404, 'Not found');
  }
  expectResponse(await mint(tenant, assertionFor(server, tenant)), 200);
  expectResponse(await api('DELETE', path, { key: tenant.keys.admin }), 204);
  expectResponse(await api('GET', path, { key: tenant.keys.admin }), 404, 'Not found');
  expectResponse(await mint(tenant, assertionFor(server, tenant)), 401, refused('KEY_NOT_FOUND'));
});

test('an assertion of one project is refused with an API key of another', async () => {
  const [tenant, other] = [await makeMemberTenant(server), await makeMemberTenant(server)];
  expectResponse(await mint(other, assertionFor(server, tenant)), 401, refused('KEY_NOT_FOUND'));
  const twin = await registerSigner(server, other.id, 'ES256', tenant.signer.kid);
  expectResponse(await mint(other, assertionFor(server, tenant)), 401, refused('INVALID_SIGNATURE'));
  expectResponse(await mint(other, assertionFor(server, tenant, {}, twin)), 401, refused('AUD_MISMATCH'));
  expectResponse(await mint(other, assertionFor(server, other, {}, twin)), 200);
});

// ---- the report on an assertion

const debug = async (tenant: MemberTenant, member_assertion: unknown) =>
  expectResponse(
    await api('POST', '/assertion-keys/debug', { key: tenant.keys.write, body: { member_assertion } }),
    200,
  );

test('the report names every rule that fails, and how to fix it', async () => {
  const tenant = await makeMemberTenant(server);
  const seconds = Math.floor(server.app.now() / 1000);
  const claims = { aud: 'x', iat: seconds - 100, exp: seconds - 50 };
  const report = await debug(tenant, assertionFor(server, tenant, { claims }, makeSigner('ES256', tenant.signer.kid)));
  const failed = report.rules.filter((rule: { status: string }) => rule.status === 'fail');
  assert.deepEqual(
    failed.map((rule: { message: string }) => rule.message),
    ['INVALID_SIGNATURE', 'AUD_MISMATCH', 'EXPIRED'].map(refused),
  );
  for (const { how_to_fix } of failed) assert.ok(how_to_fix.length > 10);
  assert.deepEqual([report.is_valid, report.message], [false, refused('INVALID_SIGNATURE')]);
  assert.ok(Math.abs(report.clock_difference_seconds + 100) <= 5, String(report.clock_difference_seconds));
});

test('the report is 200 for any value of member_assertion', async () => {
  const tenant = await makeMemberTenant(server);
  for (const nonsense of ['', 'abc', '...', 7, null, { a: 1 }, ['x'], 'x'.repeat(500_000)]) {
    const report = await debug(tenant, nonsense);
    assert.deepEqual([report.is_valid, report.message], [false, refused('MALFORMED')]);
  }
});

test('the report creates no token, member or session and uses up no jti', async () => {
  const tenant = await makeMemberTenant(server);
  const token = assertionFor(server, tenant, { claims: { sub: 'ghost', jti: unique('jti') } });
  const report = await debug(tenant, token);
  assert.equal(report.is_valid, true, JSON.stringify(report));
  assert.ok(!JSON.stringify(report).includes('svc_mst_'));
  assert.ok(!JSON.stringify(report).includes(token.split('.')[2] as string), 'it repeats the signature');
  assert.deepEqual(await countRows(server, tenant.id), { members: 0, member_sessions: 0, used_assertion_ids: 0 });
  expectResponse(await mint(tenant, token), 200);
  const again = await debug(tenant, token);
  assert.equal(again.message, refused('REPLAYED'));
});

test('the report treats a missing assertion as malformed', async () => {
  const tenant = await makeMemberTenant(server);
  for (const body of [undefined, {}, { member_assertion: null }]) {
    const report = expectResponse(await api('POST', '/assertion-keys/debug', { key: tenant.keys.write, body }), 200);
    assert.equal(report.is_valid, false);
    assert.match(report.message, /MALFORMED/);
  }
});
