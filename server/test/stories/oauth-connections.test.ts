// Connections: the provider's tokens of a member, refreshed before they expire, listed and revoked.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { openToken } from '../../src/features/oauth/connections/seal-tokens.ts';
import { selectConnection } from '../../src/features/oauth/connections/store.ts';
import { expectResponse } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { connect, makeProvider } from '../support/make/make-oauth.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const openid = await startOpenIdProvider({ now: () => clock.now() });
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: openid.address });
const { api, app } = server;
clock.now = () => app.now();
after(() => openid.close());
beforeEach(() => openid.reset());

const MINUTE = 60_000;

async function connected() {
  const tenant = await makeMemberTenant(server);
  const provider = await makeProvider(server, tenant.id, openid);
  const { member } = await makeSession(server, tenant);
  const { tokens, connection } = await connect(server, openid, provider, member.id);
  const key = { project_id: tenant.id, provider_id: provider.id, member_id: member.id };
  const path = `/projects/${tenant.id}/members/${member.id}/connections`;
  const row = async () => {
    const found = await selectConnection(app.database, key);
    assert.ok(found);
    return found;
  };
  const eventTypes = async () => {
    const { data } = expectResponse(
      await api('GET', `/projects/${tenant.id}/events?limit=100`, { key: ROOT_KEY }),
      200,
    );
    return data
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.startsWith('oauth_connection.'))
      .reverse();
  };
  return { tenant, provider, member, tokens, connection, key, path, row, eventTypes };
}

test('a connection is stored sealed, listed without its tokens, and recorded', async () => {
  const { tenant, provider, member, tokens, connection, path, eventTypes } = await connected();
  const list = expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200);
  const [{ id, created_at, updated_at, expires_at, ...rest }] = list.data;
  assert.equal(id, connection.id);
  assert.match(id, /^con_[0-9A-Za-z]{22}$/);
  assert.deepEqual(rest, {
    object: 'oauth_connection',
    project_id: tenant.id,
    provider_id: provider.id,
    member_id: member.id,
    status: 'active',
    scope: 'openid email profile',
    has_refresh_token: true,
  });
  assert.deepEqual(await eventTypes(), ['oauth_connection.created']);
  const { rows } = await app.pool.query(`select t::text as row from oauth_connections t union all
    select t::text from events t union all select t::text from audit_entries t union all select t::text from jobs t`);
  for (const { row } of rows)
    for (const token of [tokens.access_token, tokens.refresh_token ?? ''])
      assert.ok(!row.includes(token) && !row.includes(Buffer.from(token).toString('base64url')));
});

test('tokens moved to the row of another member or provider cannot be opened', async () => {
  const { row, tokens } = await connected();
  const stored = await row();
  assert.equal(await openToken(app, stored, 'access_token'), tokens.access_token);
  for (const moved of [{ member_id: 'mem_2' }, { provider_id: 'oap_2' }, { id: 'con_2' }])
    await assert.rejects(openToken(app, { ...stored, ...moved }, 'access_token'), { name: 'SecretUnreadable' });
  await assert.rejects(openToken(app, { ...stored, access_token: stored.refresh_token ?? '' }, 'access_token'));
});

test('a member has one connection to a provider: another sign-in replaces its tokens', async () => {
  const { provider, member, row, eventTypes, connection } = await connected();
  const again = await connect(server, openid, provider, member.id);
  assert.equal(again.connection.id, connection.id);
  assert.equal(await openToken(app, await row(), 'access_token'), again.tokens.access_token);
  assert.deepEqual(await eventTypes(), ['oauth_connection.created']);
  // Google gives a refresh token only the first time.
  openid.switches.gives_no_refresh_token = true;
  await connect(server, openid, provider, member.id);
  assert.equal(await openToken(app, await row(), 'refresh_token'), again.tokens.refresh_token);
});

test('tokens are refreshed before they expire, and not sooner, again and again', async () => {
  const { tokens, row } = await connected();
  server.advance(45 * MINUTE);
  await server.runJobs();
  assert.equal((await row()).version, 1);
  server.advance(6 * MINUTE);
  await server.runJobs();
  const first = await row();
  assert.equal(first.version, 2);
  assert.notEqual(await openToken(app, first, 'access_token'), tokens.access_token);
  assert.ok(openid.hasRefreshToken((await openToken(app, first, 'refresh_token')) ?? ''));
  server.advance(51 * MINUTE);
  await server.runJobs();
  const { version, status } = await row();
  assert.deepEqual([version, status], [3, 'active']);
});

test('a refresh token that the provider no longer accepts ends the connection, once', async () => {
  const { provider, member, row, eventTypes } = await connected();
  openid.forgetEveryToken();
  for (let i = 0; i < 3; i += 1) {
    server.advance(55 * MINUTE);
    await server.runJobs();
  }
  assert.equal((await row()).status, 'refresh_failed');
  const events = ['oauth_connection.created', 'oauth_connection.refresh_failed'];
  assert.deepEqual(await eventTypes(), events);
  // Signing in again repairs it, and it is refreshed again.
  await connect(server, openid, provider, member.id);
  const { status, version } = await row();
  assert.equal(status, 'active');
  server.advance(55 * MINUTE);
  await server.runJobs();
  assert.equal((await row()).version, version + 1);
  assert.deepEqual(await eventTypes(), events);
});

test('a provider that is down or does not accept our client ends no connection: it is tried again', async () => {
  const { row, eventTypes } = await connected();
  server.advance(55 * MINUTE);
  openid.switches.is_down = true;
  await server.runJobs();
  openid.reset();
  openid.switches.token_error = 'invalid_client';
  server.advance(10 * MINUTE);
  await server.runJobs();
  const { status, version } = await row();
  assert.deepEqual([status, version], ['active', 1]);
  openid.reset();
  server.advance(30 * MINUTE);
  await server.runJobs();
  assert.equal((await row()).version, 2);
  assert.deepEqual(await eventTypes(), ['oauth_connection.created']);
});

test('a provider that does not come back ends the connection after hours of retries', async () => {
  const { row, eventTypes } = await connected();
  openid.switches.is_down = true;
  for (let i = 0; i < 25; i += 1) {
    server.advance(61 * MINUTE);
    await server.runJobs();
  }
  assert.equal((await row()).status, 'refresh_failed');
  assert.deepEqual(await eventTypes(), ['oauth_connection.created', 'oauth_connection.refresh_failed']);
});

test('a revoked connection is gone here and at the provider', async () => {
  const { tenant, path, connection, tokens, eventTypes } = await connected();
  const one = `${path}/${connection.id}`;
  expectRefusal(await api('DELETE', one, { key: tenant.keys.webhook }), 403);
  expectResponse(await api('DELETE', one, { key: tenant.keys.admin }), 204);
  assert.equal(openid.hasRefreshToken(tokens.refresh_token ?? ''), false);
  assert.deepEqual(expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).data, []);
  expectRefusal(await api('DELETE', one, { key: tenant.keys.admin }), 404);
  assert.deepEqual(await eventTypes(), ['oauth_connection.created', 'oauth_connection.revoked']);
  server.advance(61 * MINUTE);
  await server.runJobs();
});

test('a connection is revoked here even if the provider is down', async () => {
  const { tenant, path, connection } = await connected();
  openid.switches.is_down = true;
  expectResponse(await api('DELETE', `${path}/${connection.id}`, { key: tenant.keys.admin }), 204);
  assert.deepEqual(expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).data, []);
});

test('a connection is found under its own member only', async () => {
  const { tenant, connection } = await connected();
  const other = await makeSession(server, tenant);
  const path = `/projects/${tenant.id}/members/${other.member.id}/connections`;
  assert.deepEqual(expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).data, []);
  expectRefusal(await api('DELETE', `${path}/${connection.id}`, { key: tenant.keys.admin }), 404);
  const unknown = `/projects/${tenant.id}/members/mem_0000000000000000000000/connections`;
  expectRefusal(await api('GET', unknown, { key: tenant.keys.admin }), 404);
});

test('the connections of a deleted provider are gone, and their jobs with them', async () => {
  const { tenant, provider, path, connection } = await connected();
  const at = `/projects/${tenant.id}/oauth-providers/${provider.id}`;
  expectResponse(await api('DELETE', at, { key: tenant.keys.admin }), 204);
  assert.deepEqual(expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).data, []);
  server.advance(61 * MINUTE);
  await server.runJobs();
  const { rows } = await app.pool.query('select subject from jobs where subject = $1', [connection.id]);
  assert.deepEqual(rows, []);
});
