// An MCP server with `member_oauth`: each member connects an account at the authorization server that the MCP server names.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { makeMemberTenant } from '../support/make/make-members.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import { issuerOf, makeServerSignIn } from '../support/make/make-server-sign-in.ts';
import { protect, startMcpAuthorizationServer } from '../support/peers/mcp-authorization-server.ts';
import { startMcpUpstream } from '../support/peers/mcp-upstream.ts';

const [first, second] = [await startMcpAuthorizationServer(), await startMcpAuthorizationServer({ path: '/tenant' })];
const upstreams = [await startMcpUpstream('modern'), await startMcpUpstream('legacy')] as const;
const server = await startOAuthServer([first, second, ...upstreams]);
after(() => Promise.all([first, second, ...upstreams].map((peer) => peer.close())));
beforeEach(() => {
  for (const { settings, state } of [first, second]) {
    Object.assign(settings, { reads_documents: true, issuer: null, iss: null, seconds: 3_600 });
    state.user = 'alice';
  }
});
const { api } = server;

const ready = (upstream: (typeof upstreams)[number], authorization: typeof first, fields: object = {}) =>
  makeServerSignIn(server, upstream, authorization, fields);

for (const upstream of upstreams)
  test(`${upstream === upstreams[0] ? 'a' : 'an older'} server gets the token of each member, for itself, by our client metadata document`, async () => {
    const { session, call, connect, tenant, provider_id } = await ready(upstream, first);
    const [one, two] = [await session(), await session()];
    assert.equal((await call(one.session_token)).body.error.code, 'MEMBER_SIGN_IN_REQUIRED');
    for (const [{ session_token, member }, user] of [
      [one, 'alice'],
      [two, 'bob'],
    ] as const) {
      const done = await connect(member.id, user);
      assert.match(done.text, /is connected/);
      expectResponse(await call(session_token), 200);
      const grant = first.grantOf(upstream.calls().at(-1)?.headers.authorization);
      assert.deepEqual([grant?.user, grant?.resource], [user, upstream.url]);
      assert.ok(grant?.client_id.endsWith(`/api/v1/oauth/client-metadata/${provider_id}`));
    }
    expectResponse(await call(one.session_token), 200);
    assert.equal(first.grantOf(upstream.calls().at(-1)?.headers.authorization)?.user, 'alice');
    assert.equal((await call(tenant.keys.read)).body.error.code, 'MEMBER_CONTEXT_REQUIRED');
  });

test('a token that has ended is refreshed, for the same resource', async () => {
  first.settings.seconds = 60;
  const { session, call, connect } = await ready(upstreams[0], first);
  const { session_token, member } = await session();
  await connect(member.id, 'alice');
  server.advance(61_000);
  expectResponse(await call(session_token), 200);
  const { form } = first.forms.at(-1) ?? {};
  assert.deepEqual([form?.get('grant_type'), form?.get('resource')], ['refresh_token', upstreams[0].url]);
});

test('a client that was registered by hand authenticates with its secret', async () => {
  const { id: client_id, secret } = second.client;
  const auth_config = { client_id, issuer: second.issuer, scope: 'tools:call' };
  const fields = { auth_config, encrypted_auth_secret: secret };
  second.settings.reads_documents = false;
  const { session, call, begin, connect, change, made } = await ready(upstreams[0], second, fields);
  assert.equal(made.has_auth_secret, true);
  const { session_token, member } = await session();
  const { sent } = await begin(member.id);
  assert.equal(new URL(sent.location ?? '').searchParams.get('scope'), 'tools:call');
  await connect(member.id, 'alice');
  expectResponse(await call(session_token), 200);
  // What was given for one issuer does not go to another.
  const moved = await change({ auth_config: { ...auth_config, issuer: first.issuer } });
  assert.equal(expectResponse(moved, 422).error.details.field, 'encrypted_auth_secret');
});

test('what is found must belong together: resource, issuer and the answer in the browser', async () => {
  const upstream = upstreams[0];
  const { session, begin, connect, call } = await ready(upstream, first);
  const { member, session_token } = await session();
  const isRefused = async (title: string) => {
    const { sent } = await begin(member.id);
    assert.deepEqual([sent.location, sent.status >= 400], [null, true], title);
  };
  protect(upstream, first, { resource: 'https://other.example/mcp' });
  await isRefused('another resource');
  protect(upstream, first, { resource: `${upstream.url}/deeper` });
  await isRefused('a resource below');
  protect(upstream, { ...first, issuer: 'http://127.0.0.1:1/' });
  await isRefused('an issuer without TLS');
  protect(upstream, { ...first, issuer: 'https://10.0.0.1' });
  await isRefused('an issuer inside of a network');
  protect(upstream, first);
  first.settings.issuer = second.issuer;
  await isRefused('metadata of another issuer');
  first.settings.issuer = null;
  first.settings.reads_documents = false;
  await isRefused('no client');
  first.settings.reads_documents = true;
  first.settings.iss = second.issuer;
  const tokens = first.forms.length;
  assert.ok((await connect(member.id, 'alice')).status >= 400);
  assert.equal(first.forms.length, tokens, 'the code was sent nowhere');
  assert.equal((await call(session_token)).body.error.code, 'MEMBER_SIGN_IN_REQUIRED');
  first.settings.iss = null;
  protect(upstream, first, { is_named: false });
  assert.match((await connect(member.id, 'alice')).text, /is connected/);
  expectResponse(await call(session_token), 200);
});

test('another approved issuer, another address or another strategy end the connections', async () => {
  const upstream = upstreams[0];
  const made = await ready(upstream, first);
  const { session, connect, call, servers, tenant, provider_id } = made;
  const { member, session_token } = await session();
  const connections = async () => (await made.connections(member.id)).length;
  const change = async (body: object) => expectResponse(await made.change(body), 200);
  await connect(member.id, 'alice');
  await change({ name: 'Renamed' });
  assert.equal(await connections(), 1);
  protect(upstream, second);
  expectResponse(await made.approveIssuer(issuerOf(second)), 200);
  assert.equal(await connections(), 0);
  protect(upstream, first);
  expectResponse(await made.approveIssuer(issuerOf(first)), 200);
  await connect(member.id, 'alice');
  await change({ url: `${upstream.url}?other=1` });
  assert.equal(await connections(), 0);
  assert.equal((await call(session_token)).body.error.code, 'MEMBER_SIGN_IN_REQUIRED');
  const providers = expectResponse(
    await api('GET', `/projects/${tenant.id}/oauth-providers`, { key: tenant.keys.admin }),
    200,
  );
  assert.deepEqual(providers.data, []);
  const one = `/projects/${tenant.id}/oauth-providers/${provider_id}`;
  assert.equal((await api('GET', one, { key: tenant.keys.admin })).status, 404);
  await connect(member.id, 'alice');
  assert.equal(await connections(), 1);
  await change({ auth_strategy: 'none', auth_config: {} });
  assert.equal(await connections(), 0);
  const body = { member_id: member.id, provider_id };
  const asked = { key: tenant.integrationKey.key, body };
  assert.equal((await api('POST', `/projects/${tenant.id}/oauth-connections/authorize`, asked)).status, 422);
  await change({ auth_strategy: 'member_oauth' });
  await connect(member.id, 'alice');
  assert.equal((await api('DELETE', `${servers.path}/${made.made.id}`, { key: tenant.keys.admin })).status, 204);
  assert.equal(await connections(), 0);
});

test('a server that lists nothing without a token is unauthorized, and wrong settings are named', async () => {
  const upstream = upstreams[0];
  protect(upstream, first, { is_whole: true });
  const tenant = await makeMemberTenant(server);
  const servers = mcpServersOf(server, { ...tenant, keys: { ...tenant.keys, write: tenant.keys.admin } });
  const made = await servers.make(upstream, { auth_strategy: 'member_oauth' });
  assert.equal((await servers.sync(made.id, 502)).error.code, 'UPSTREAM_UNAUTHORIZED');
  assert.equal((await servers.read(made.id)).status, 'unauthorized');
  for (const [fields, field] of [
    [{ auth_config: { token_url: 'https://a.example' } }, 'auth_config.token_url'],
    [{ auth_config: { scope: 'two  spaces' } }, 'auth_config.scope'],
    [{ encrypted_auth_secret: 'secret' }, 'auth_config.client_id'],
    [{ auth_config: { client_id: 'registered' } }, 'auth_config.issuer'],
    [{ auth_config: { issuer: 'http://a.example' } }, 'auth_config.issuer'],
    [{ auth_config: { issuer: 'https://10.0.0.1' } }, 'auth_config.issuer'],
  ] as const) {
    const body = { slug: 'wrong', name: 'x', url: upstream.url, auth_strategy: 'member_oauth', ...fields };
    const { error } = expectResponse(await api('POST', servers.path, { key: tenant.keys.admin, body }), 422);
    assert.equal(error.details.field, field);
  }
  const body = { slug: 'mine', name: 'x', url: upstream.url, auth_strategy: 'member_oauth' };
  expectResponse(await api('POST', servers.path, { key: tenant.keys.write, body }), 403);
});
