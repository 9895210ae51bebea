// Member sessions from the exchange to their end, on one replica and on two.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange as exchangeAssertion } from '../../src/features/members/member-sessions/exchange.ts';
import { loadSessionCaller } from '../../src/features/members/member-sessions/resume.ts';
import { loadKeyCaller } from '../../src/features/projects/api-keys/verify.ts';
import { makeToken } from '../../src/secrets/tokens.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import {
  assertionFor,
  countRows,
  exchange,
  isAlive,
  type MadeSession,
  type MemberTenant,
  makeIntegration,
  makeIntegrationKey,
  makeMemberTenant,
  makeSession,
  registerSigner,
} from '../support/make/make-members.ts';
import { makeSigner } from '../support/make/sign-assertion.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';
import { withinASecond } from '../support/within-a-second.ts';

const server = await startServer();
const replica = await startServer({ DATABASE_URL: server.app.config.database_url ?? '' });
const { api } = server;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const INVALID = 'Invalid or inactive API key';
const refused = (reason: string) => `Invalid member assertion: ${reason}`;
const mint = (tenant: MemberTenant, member_assertion: string, at = server) =>
  exchange(at, tenant.integrationKey.key, { member_assertion });

// ---- the exchange

test('a session token resolves to its project, integration and member', async () => {
  const tenant = await makeMemberTenant(server);
  const { session_token, member } = await makeSession(server, tenant, 'alice');
  const caller = await loadSessionCaller(server.app, session_token);
  assert.ok(caller?.kind === 'member');
  assert.deepEqual(
    [caller.project.id, caller.integration_id, caller.member_id, caller.external_id],
    [tenant.id, tenant.integration.id, member.id, 'alice'],
  );
});

test('outside production an external id is enough; with both fields the assertion decides, in every environment', async () => {
  const development = await makeMemberTenant(server, { environment: 'development' });
  const { member } = expectResponse(
    await exchange(server, development.integrationKey.key, { member_external_id: 'bob' }),
    200,
  );
  assert.equal(member.external_id, 'bob');
  for (const tenant of [development, await makeMemberTenant(server)]) {
    const both = (member_assertion: string) =>
      exchange(server, tenant.integrationKey.key, { member_assertion, member_external_id: 'mallory' });
    const response = await both(assertionFor(server, tenant, { claims: { sub: 'carol' } }));
    assert.equal(expectResponse(response, 200).member.external_id, 'carol');
    const forged = assertionFor(server, tenant, {}, makeSigner('ES256', tenant.signer.kid));
    expectResponse(await both(forged), 401, refused('INVALID_SIGNATURE'));
  }
});

test('a project that is moved to production refuses external ids at once', async () => {
  const tenant = await makeMemberTenant(server, { environment: 'development' });
  const body = { member_external_id: 'bob' };
  expectResponse(await exchange(server, tenant.integrationKey.key, body), 200);
  expectResponse(
    await api('PATCH', `/projects/${tenant.id}`, { key: tenant.keys.admin, body: { environment: 'production' } }),
    200,
  );
  expectResponse(
    await exchange(server, tenant.integrationKey.key, body),
    403,
    'member_external_id mode disabled in production',
  );
});

test('an assertion without a jti can be exchanged again, for another token of the same member', async () => {
  const tenant = await makeMemberTenant(server);
  const member_assertion = assertionFor(server, tenant);
  const [one, two] = [
    expectResponse(await mint(tenant, member_assertion), 200),
    expectResponse(await mint(tenant, member_assertion), 200),
  ];
  assert.notEqual(one.session_token, two.session_token);
  assert.equal(one.member.id, two.member.id);
});

test('a jti can be used once in a project, for any member, and a replay stores nothing', async () => {
  const tenant = await makeMemberTenant(server);
  const other = await makeMemberTenant(server);
  const jti = unique('jti');
  const token = assertionFor(server, tenant, { claims: { jti, sub: 'alice' } });
  expectResponse(await mint(tenant, token), 200);
  expectResponse(await mint(tenant, token), 401, refused('REPLAYED'));
  expectResponse(
    await mint(tenant, assertionFor(server, tenant, { claims: { jti, sub: 'bob' } })),
    401,
    refused('REPLAYED'),
  );
  assert.deepEqual(await countRows(server, tenant.id), { members: 1, member_sessions: 1, used_assertion_ids: 1 });
  expectResponse(await mint(other, assertionFor(server, other, { claims: { jti } })), 200);
});

test('a refused assertion does not use up its jti', async () => {
  const tenant = await makeMemberTenant(server);
  const claims = { jti: unique('jti') };
  expectResponse(
    await mint(tenant, assertionFor(server, tenant, { claims: { ...claims, aud: 'x' } })),
    401,
    refused('AUD_MISMATCH'),
  );
  expectResponse(await mint(tenant, assertionFor(server, tenant, { claims })), 200);
});

test('50 concurrent uses of one jti on two replicas create one token', async () => {
  const tenant = await makeMemberTenant(server);
  const token = assertionFor(server, tenant, { claims: { jti: unique('jti') } });
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) => mint(tenant, token, i % 2 === 0 ? server : replica)),
  );
  assert.equal(responses.filter(({ status }) => status === 200).length, 1);
  for (const response of responses) if (response.status !== 200) expectResponse(response, 401, refused('REPLAYED'));
  assert.deepEqual(await countRows(server, tenant.id), { members: 1, member_sessions: 1, used_assertion_ids: 1 });
});

test('exchanges that share a statement have outcomes of their own, and an event for each session', async () => {
  const tenant = await makeMemberTenant(server);
  const caller = await loadKeyCaller(server.app, tenant.integrationKey.key);
  assert.ok(caller?.kind === 'api_key');
  const other = await makeIntegrationKey(server, tenant.id, tenant.integration.id);
  const endedCaller = await loadKeyCaller(server.app, other.key);
  assert.ok(endedCaller?.kind === 'api_key');
  const attempt = async (sub: string, jti?: string, by = caller) => {
    const claims = { sub, ...(jti === undefined ? {} : { jti }) };
    const member_assertion = assertionFor(server, tenant, { claims });
    const session = await exchangeAssertion(server.app, by, { member_assertion }).catch(
      (error: Error) => error.message,
    );
    return typeof session === 'string' ? session : session.member;
  };
  const [used, twice] = [unique('jti'), unique('jti')];
  const known = await attempt('known', used);
  await server.app.pool.query('update api_keys set is_active = false where id = $1', [other.id]);
  const [again, first, second, replayed, ended, ...twins] = await Promise.all([
    attempt('known', unique('jti')),
    attempt('new', unique('jti')),
    attempt('new'),
    attempt('new', used),
    attempt('new', twice, endedCaller),
    attempt('twin', twice),
    attempt('twin', twice),
  ]);
  assert.deepEqual([again, first], [known, second]);
  assert.deepEqual([replayed, ended], [refused('REPLAYED'), INVALID]);
  assert.equal(twins.filter((twin) => twin === refused('REPLAYED')).length, 1);
  const { rows } = await server.app.pool.query<{ id: string; member_id: string; statement: string }>(
    'select id, member_id, xmin::text as statement from member_sessions where project_id = $1 order by id',
    [tenant.id],
  );
  assert.equal(rows.length, 5);
  assert.equal(new Set(rows.map(({ statement }) => statement)).size, 2);
  const events = await server.app.pool.query<{ payload: string }>(
    "select payload from events where project_id = $1 and type = 'member_session.created'",
    [tenant.id],
  );
  const recorded = events.rows.map(({ payload }) => JSON.parse(payload).data as { id: string; member_id: string });
  assert.deepEqual(
    recorded.map(({ id, member_id }) => `${id} ${member_id}`).sort(),
    rows.map(({ id, member_id }) => `${id} ${member_id}`).sort(),
  );
});

test('a jti can be used again after its assertion has expired', async () => {
  const own = await startServer();
  const tenant = await makeMemberTenant(own);
  const claims = { jti: unique('jti') };
  const at = (ms: number) => {
    own.advance(ms);
    return mint(tenant, assertionFor(own, tenant, { claims }), own);
  };
  expectResponse(await at(0), 200);
  expectResponse(await at(20_000), 401, refused('REPLAYED'));
  expectResponse(await at(20_000), 200);
});

// ---- a credential that ended creates no session, even while a replica still has it cached

test('an assertion key that was deactivated without invalidating the cache creates nothing', async () => {
  const tenant = await makeMemberTenant(server);
  expectResponse(await mint(tenant, assertionFor(server, tenant)), 200);
  await server.app.database
    .updateTable('assertion_keys')
    .set({ deactivated_at: new Date().toISOString() })
    .where('id', '=', tenant.signer.id)
    .execute();
  const claims = { sub: 'late', jti: unique('jti') };
  expectResponse(await mint(tenant, assertionFor(server, tenant, { claims })), 401, refused('KEY_NOT_FOUND'));
  assert.deepEqual(await countRows(server, tenant.id), { members: 1, member_sessions: 1, used_assertion_ids: 0 });
});

for (const [what, change] of [
  ['revoked', { revoked_at: '2026-01-01T00:00:00Z' }],
  ['switched off', { is_active: false }],
  ['expired', { expires_at: '2026-01-01T00:00:00Z' }],
] as const) {
  test(`an API key that was ${what} without invalidating the cache creates nothing`, async () => {
    const tenant = await makeMemberTenant(server);
    expectResponse(await mint(tenant, assertionFor(server, tenant)), 200);
    await server.app.database.updateTable('api_keys').set(change).where('id', '=', tenant.integrationKey.id).execute();
    const claims = { sub: 'late', jti: unique('jti') };
    expectResponse(await mint(tenant, assertionFor(server, tenant, { claims })), 401, INVALID);
    assert.deepEqual(await countRows(server, tenant.id), { members: 1, member_sessions: 1, used_assertion_ids: 0 });
  });
}

// ---- the end of a session

test('a session has no permission on the management API and cannot create another session', async () => {
  const tenant = await makeMemberTenant(server);
  const { session_token: key, member } = await makeSession(server, tenant);
  for (const path of ['/projects', `/projects/${tenant.id}`, '/members', `/members/${member.id}`, '/assertion-keys']) {
    expectResponse(await api('GET', path, { key }), 403, 'Insufficient permissions');
  }
  expectResponse(
    await mint({ ...tenant, integrationKey: { ...tenant.integrationKey, key } }, assertionFor(server, tenant)),
    401,
    INVALID,
  );
});

test('unknown and altered session tokens are refused like any invalid credential', async () => {
  const { session_token } = await makeSession(server, await makeMemberTenant(server));
  const changed = session_token.slice(0, -1) + (session_token.endsWith('a') ? 'b' : 'a');
  for (const key of [makeToken('svc_mst_'), changed, `${session_token}a`, 'svc_mst_'])
    expectResponse(await api('GET', '/projects', { key }), 401, INVALID);
});

test('a session ends after 15 minutes: for a day its token is refused as expired, then as unknown', async () => {
  const own = await startServer();
  const tenant = await makeMemberTenant(own);
  const { session_token, expires_at } = await makeSession(own, tenant);
  const ask = () => own.api('GET', '/projects', { key: session_token });
  own.advance(Date.parse(expires_at) - own.app.now() - MINUTE_MS);
  assert.equal(await isAlive(own, session_token), true);
  own.advance(MINUTE_MS);
  for (const cached of [true, false]) {
    if (!cached) own.app.cache.invalidate(tenant.id);
    const { error } = expectResponse(await ask(), 401, 'Member JWT has expired');
    assert.equal(error.code, 'MEMBER_SESSION_EXPIRED');
  }
  own.advance(24 * HOUR_MS - MINUTE_MS);
  expectResponse(await ask(), 401, 'Member JWT has expired');
  own.advance(MINUTE_MS);
  expectResponse(await ask(), 401, INVALID);
});

const endings: [how: string, end: (tenant: MemberTenant, session: MadeSession) => Promise<ApiResponse>][] = [
  [
    'revoking its key',
    ({ id, integrationKey }) => api('POST', `/projects/${id}/api-keys/${integrationKey.id}/revoke`, { key: ROOT_KEY }),
  ],
  [
    'switching off its key',
    ({ id, integrationKey }) =>
      api('PATCH', `/projects/${id}/api-keys/${integrationKey.id}`, { key: ROOT_KEY, body: { is_active: false } }),
  ],
  [
    'deleting its key',
    ({ id, integrationKey }) => api('DELETE', `/projects/${id}/api-keys/${integrationKey.id}`, { key: ROOT_KEY }),
  ],
  [
    'deleting its integration',
    ({ id, integration }) => api('DELETE', `/projects/${id}/integrations/${integration.id}`, { key: ROOT_KEY }),
  ],
  [
    'deactivating its assertion key',
    ({ id, signer }) => api('POST', `/assertion-keys/${signer.id}/deactivate`, { key: ROOT_KEY, project: id }),
  ],
  [
    'deleting its assertion key',
    ({ id, signer }) => api('DELETE', `/assertion-keys/${signer.id}`, { key: ROOT_KEY, project: id }),
  ],
  [
    'revoking the sessions of its member',
    ({ id }, { member }) => api('POST', `/members/${member.id}/revoke-sessions`, { key: ROOT_KEY, project: id }),
  ],
];

for (const [how, end] of endings) {
  test(`${how} ends a session on every replica, and no other session`, async () => {
    const tenant = await makeMemberTenant(server);
    const ended = await makeSession(server, tenant);
    const elsewhere = await makeIntegration(server, tenant.id);
    const integrationKey = await makeIntegrationKey(server, tenant.id, elsewhere.id);
    const kept = await makeSession(server, {
      ...tenant,
      integrationKey,
      signer: await registerSigner(server, tenant.id),
    });
    for (const at of [server, replica]) {
      for (const { session_token } of [ended, kept]) assert.equal(await isAlive(at, session_token), true);
    }
    const response = await end(tenant, ended);
    assert.ok(response.status < 300, response.text);
    expectResponse(await api('GET', '/projects', { key: ended.session_token }), 401, INVALID);
    assert.equal(await isAlive(server, ended.session_token), false);
    assert.equal(await isAlive(server, kept.session_token), true);
    await untilRefused(ended.session_token);
    assert.equal(await isAlive(replica, kept.session_token), true);
  });
}

test('switching a key on again does not restore its sessions, but it can create new ones', async () => {
  const tenant = await makeMemberTenant(server);
  const { session_token } = await makeSession(server, tenant);
  const key = `/projects/${tenant.id}/api-keys/${tenant.integrationKey.id}`;
  for (const is_active of [false, true])
    expectResponse(await api('PATCH', key, { key: ROOT_KEY, body: { is_active } }), 200);
  assert.equal(await isAlive(server, session_token), false);
  const fresh = await makeSession(server, tenant);
  assert.equal(await isAlive(server, fresh.session_token), true);
});

test('deleting the project ends its sessions on every replica', async () => {
  const tenant = await makeMemberTenant(server);
  const { session_token } = await makeSession(server, tenant);
  for (const at of [server, replica]) assert.equal(await isAlive(at, session_token), true);
  expectResponse(await api('DELETE', `/projects/${tenant.id}`, { key: tenant.keys.admin }), 204);
  assert.equal(await isAlive(server, session_token), false);
  await untilRefused(session_token);
});

test('a session is not ended by the rotation of its key', async () => {
  const tenant = await makeMemberTenant(server);
  const { session_token } = await makeSession(server, tenant);
  const path = `/projects/${tenant.id}/api-keys/${tenant.integrationKey.id}/rotate`;
  expectResponse(await api('POST', path, { key: ROOT_KEY, body: { overlap_seconds: 0 } }), 201);
  expectResponse(await mint(tenant, assertionFor(server, tenant)), 401, INVALID);
  assert.equal(await isAlive(server, session_token), true);
});

test('a session is refused if the request names another project', async () => {
  const [tenant, other] = [await makeMemberTenant(server), await makeMemberTenant(server)];
  const { session_token: key } = await makeSession(server, tenant);
  expectResponse(await api('GET', `/projects/${other.id}`, { key }), 401, INVALID);
  expectResponse(await api('GET', '/projects', { key, project: other.id }), 401, INVALID);
});

test('only the hash of a session token is stored', async () => {
  const tenant = await makeMemberTenant(server);
  const { session_token } = await makeSession(server, tenant);
  const { rows } = await server.app.pool.query('select s::text as line from member_sessions s where project_id = $1', [
    tenant.id,
  ]);
  assert.equal(rows.length, 1);
  for (const secret of [session_token, Buffer.from(session_token).toString('hex')])
    assert.ok(!rows[0].line.includes(secret));
});

const untilRefused = (session_token: string) =>
  withinASecond(
    () => isAlive(replica, session_token),
    (is_alive) => !is_alive,
  );
