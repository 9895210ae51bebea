// Members: created with their first session, listed, searched, deleted, and their sessions revoked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, unique } from '../support/make/make.ts';
import {
  assertionFor,
  exchange,
  isAlive,
  type MemberTenant,
  makeMemberTenant,
  makeSession,
  registerSigner,
} from '../support/make/make-members.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;
const MINUTE_MS = 60_000;

type Member = { id: string; external_id: string; active_sessions: number };

const membersOf = async (tenant: MemberTenant, query = '') =>
  expectResponse(await api('GET', `/members${query}`, { key: tenant.keys.admin }), 200).data as Member[];

test('the first session creates the member; later ones reuse it, whichever assertion key signed', async () => {
  const [tenant, other] = [await makeMemberTenant(server), await makeMemberTenant(server)];
  const sub = unique('member');
  const first = await makeSession(server, tenant, sub);
  const signer = await registerSigner(server, tenant.id, 'Ed25519');
  const second = await makeSession(server, { ...tenant, signer }, sub);
  const elsewhere = await makeSession(server, other, sub);
  assert.equal(second.member.id, first.member.id);
  assert.notEqual(second.session_token, first.session_token);
  assert.notEqual(elsewhere.member.id, first.member.id);

  const member = expectResponse(await api('GET', `/members/${first.member.id}`, { key: tenant.keys.admin }), 200);
  const { created_at, last_seen_at, ...rest } = member;
  assert.deepEqual(rest, {
    id: first.member.id,
    object: 'member',
    project_id: tenant.id,
    external_id: sub,
    active_sessions: 2,
  });
  assert.equal(created_at, last_seen_at);
  assert.deepEqual(await membersOf(tenant), [member]);
});

test('a member of another project is not found, listed or changed', async () => {
  const [tenant, other] = [await makeMemberTenant(server), await makeMemberTenant(server)];
  const { member, session_token } = await makeSession(server, other);
  expectResponse(await api('GET', `/members/${member.id}`, { key: tenant.keys.admin }), 404, 'Not found');
  expectResponse(
    await api('POST', `/members/${member.id}/revoke-sessions`, { key: tenant.keys.admin }),
    404,
    'Not found',
  );
  expectResponse(await api('DELETE', `/members/${member.id}`, { key: tenant.keys.admin }), 404, 'Not found');
  assert.deepEqual(await membersOf(tenant), []);
  assert.deepEqual(await membersOf(tenant, `?external_id=${member.external_id}`), []);
  assert.equal(await isAlive(server, session_token), true);
});

test('reading and deleting members and revoking their sessions needs admin', async () => {
  const tenant = await makeMemberTenant(server);
  const { member } = await makeSession(server, tenant);
  for (const permission of ['read', 'write', 'webhook'] as const) {
    const key = tenant.keys[permission];
    expectResponse(await api('GET', '/members', { key }), 403, 'Insufficient permissions');
    expectResponse(await api('GET', `/members/${member.id}`, { key }), 403, 'Insufficient permissions');
    expectResponse(
      await api('POST', `/members/${member.id}/revoke-sessions`, { key }),
      403,
      'Insufficient permissions',
    );
    expectResponse(await api('DELETE', `/members/${member.id}`, { key }), 403, 'Insufficient permissions');
  }
});

test('members are found by their exact external id or by its prefix, without wildcards', async () => {
  const tenant = await makeMemberTenant(server);
  for (const sub of ['alice@example.com', 'Alice@example.com', 'alice', 'a%', 'a_c', 'bob', '\\'])
    await makeSession(server, tenant, sub);
  const found = async (query: string) => (await membersOf(tenant, query)).map(({ external_id }) => external_id).sort();
  const external = (text: string) => found(`?external_id=${encodeURIComponent(text)}`);
  const search = (text: string) => found(`?search=${encodeURIComponent(text)}`);
  assert.deepEqual(await external('alice'), ['alice']);
  assert.deepEqual(await external('ALICE'), []);
  assert.deepEqual(await search('alice'), ['alice', 'alice@example.com']);
  assert.deepEqual(await search('A'), ['Alice@example.com']);
  assert.deepEqual(await search('a%'), ['a%']);
  assert.deepEqual(await search('a_'), ['a_c']);
  assert.deepEqual(await search('\\'), ['\\']);
  assert.deepEqual(await search('example'), []);
  for (const query of ['?search=', '?external_id=a&external_id=b', '?sub=a']) {
    expectResponse(await api('GET', `/members${query}`, { key: tenant.keys.admin }), 422, 'Validation error');
  }
});

test('members are listed newest first, page by page, also with a search', async () => {
  const tenant = await makeMemberTenant(server);
  const made: string[] = [];
  for (let i = 0; i < 5; i += 1) made.unshift((await makeSession(server, tenant, `page-${i}`)).member.id);
  for (const query of ['', '&search=page-']) {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = expectResponse(
        await api('GET', `/members?limit=2${query}${cursor}`, { key: tenant.keys.admin }),
        200,
      );
      seen.push(...page.data.map((member: { id: string }) => member.id));
      cursor = page.has_more ? `&cursor=${page.next_cursor}` : '';
    } while (cursor !== '');
    assert.deepEqual(seen, made);
  }
});

test('last_seen_at is written at most once a minute', async () => {
  const tenant = await makeMemberTenant(server, { environment: 'development' });
  const seen = async () => {
    const { member } = expectResponse(
      await exchange(server, tenant.integrationKey.key, { member_external_id: 'dora' }),
      200,
    );
    return expectResponse(await api('GET', `/members/${member.id}`, { key: tenant.keys.admin }), 200)
      .last_seen_at as string;
  };
  const first = await seen();
  server.advance(MINUTE_MS / 2);
  assert.equal(await seen(), first);
  server.advance(MINUTE_MS);
  const later = await seen();
  assert.ok(Date.parse(later) >= Date.parse(first) + 1.5 * MINUTE_MS, later);
});

test('50 concurrent first sessions of one person create one member', async () => {
  const tenant = await makeMemberTenant(server, { environment: 'development' });
  const body = { member_external_id: unique('twin') };
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => exchange(server, tenant.integrationKey.key, body)),
  );
  const ids = new Set(responses.map((response) => expectResponse(response, 200).member.id));
  assert.equal(ids.size, 1);
  const member = expectResponse(await api('GET', `/members/${[...ids][0]}`, { key: tenant.keys.admin }), 200);
  assert.equal(member.active_sessions, 50);
  assert.equal((await membersOf(tenant)).length, 1);
});

test('revoke-sessions ends every session of the member and no other; a new one can be created', async () => {
  const tenant = await makeMemberTenant(server);
  const [one, two, kept] = [
    await makeSession(server, tenant, 'dora'),
    await makeSession(server, tenant, 'dora'),
    await makeSession(server, tenant, 'sam'),
  ];
  for (const { session_token } of [one, two, kept]) assert.equal(await isAlive(server, session_token), true);

  const path = `/members/${one.member.id}`;
  const response = expectResponse(await api('POST', `${path}/revoke-sessions`, { key: tenant.keys.admin }), 200);
  assert.deepEqual([response.id, response.active_sessions], [one.member.id, 0]);
  assert.equal(expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).active_sessions, 0);
  for (const { session_token } of [one, two]) {
    expectResponse(await api('GET', '/projects', { key: session_token }), 401, 'Invalid or inactive API key');
    assert.equal(await isAlive(server, session_token), false);
  }
  assert.equal(await isAlive(server, kept.session_token), true);
  assert.equal(await isAlive(server, (await makeSession(server, tenant, 'dora')).session_token), true);
});

test('the list has the active sessions of each member, counted as when one is read', async () => {
  const [tenant, other] = [await makeMemberTenant(server), await makeMemberTenant(server)];
  for (const sub of ['none', 'revoked', 'two', 'one']) await makeSession(server, tenant, sub);
  server.advance(15 * MINUTE_MS);
  for (const sub of ['revoked', 'two', 'two', 'one']) await makeSession(server, tenant, sub);
  for (const sub of ['none', 'one']) await makeSession(server, other, sub);
  const revoked = (await membersOf(tenant, '?external_id=revoked'))[0]?.id;
  expectResponse(await api('POST', `/members/${revoked}/revoke-sessions`, { key: tenant.keys.admin }), 200);

  const listed = await membersOf(tenant);
  const counts = listed.map(({ external_id, active_sessions }) => [external_id, active_sessions]);
  assert.deepEqual(Object.fromEntries(counts), { none: 0, revoked: 0, two: 2, one: 1 });
  for (const member of listed)
    assert.deepEqual(
      expectResponse(await api('GET', `/members/${member.id}`, { key: tenant.keys.admin }), 200),
      member,
    );
  const [newest] = await membersOf(tenant, '?limit=1');
  assert.deepEqual(newest, listed[0]);
});

test('active_sessions counts neither expired sessions nor those of a deleted assertion key', async () => {
  const tenant = await makeMemberTenant(server);
  const { member } = await makeSession(server, tenant, 'dora');
  const count = async () => {
    const { active_sessions } = expectResponse(
      await api('GET', `/members/${member.id}`, { key: tenant.keys.admin }),
      200,
    );
    assert.equal((await membersOf(tenant))[0]?.active_sessions, active_sessions);
    return active_sessions;
  };
  server.advance(15 * MINUTE_MS);
  assert.equal(await count(), 0);
  await makeSession(server, tenant, 'dora');
  assert.equal(await count(), 1);
  expectResponse(await api('DELETE', `/assertion-keys/${tenant.signer.id}`, { key: tenant.keys.admin }), 204);
  assert.equal(await count(), 0);
});

test('an assertion that was used stays used when its member is deleted', async () => {
  const tenant = await makeMemberTenant(server);
  const member_assertion = assertionFor(server, tenant, { claims: { sub: 'eva', jti: 'only-once' } });
  const use = () => exchange(server, tenant.integrationKey.key, { member_assertion });
  const { member } = expectResponse(await use(), 200);
  expectResponse(await api('DELETE', `/members/${member.id}`, { key: tenant.keys.admin }), 204);
  expectResponse(await use(), 401, 'Invalid member assertion: REPLAYED');
  assert.deepEqual(await membersOf(tenant), []);
});
