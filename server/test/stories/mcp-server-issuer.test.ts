// Where members sign in for an MCP server is pinned. The server names its authorization server itself, and whoever answers at the token
// endpoint gets codes, verifiers, refresh tokens and the client secret: so another one gets nothing before an admin approves it.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { saveConnection } from '../../src/features/oauth/connections/save.ts';
import { expectResponse } from '../support/make/make.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import { issuerOf, makeServerSignIn } from '../support/make/make-server-sign-in.ts';
import { protect, startMcpAuthorizationServer } from '../support/peers/mcp-authorization-server.ts';
import { startMcpUpstream } from '../support/peers/mcp-upstream.ts';

const [honest, hostile] = [await startMcpAuthorizationServer(), await startMcpAuthorizationServer()];
const upstream = await startMcpUpstream('modern');
const port = new URL(honest.issuer).port;
const server = await startOAuthServer([honest, hostile, upstream, { address: `localhost:${port}` }]);
const { api } = server;
after(() => Promise.all([honest, hostile, upstream].map((peer) => peer.close())));
const defaults = { issuer: null, iss: null, sends_iss: true, seconds: 3_600, metadata: {}, redirects_to: null };
beforeEach(() => {
  for (const { settings, forms, revoked } of [honest, hostile]) {
    Object.assign(settings, { reads_documents: true, ...defaults });
    forms.length = 0;
    revoked.length = 0;
  }
});

type Made = Awaited<ReturnType<typeof makeServerSignIn>>;

const ready = (fields: object = {}) => makeServerSignIn(server, upstream, honest, fields);

async function connected(fields: object = {}) {
  const made = await ready(fields);
  const { session_token, member } = await made.session();
  assert.match((await made.connect(member.id)).text, /is connected/);
  expectResponse(await made.call(session_token), 200);
  return { ...made, session_token, member };
}

async function expectNothing({ call }: Made, session_token: string): Promise<void> {
  const { error } = expectResponse(await call(session_token), 500);
  assert.deepEqual([error.code, error.details.reason], ['TOOL_EXECUTION_FAILED', 'issuer_not_approved']);
  assert.match(error.details.remedy, /approve-issuer/);
  assert.deepEqual([hostile.forms, hostile.revoked], [[], []]);
}

const pinsOf = ({ pinned_issuer, found_issuer }: { pinned_issuer: unknown; found_issuer: unknown }) => [
  pinned_issuer,
  found_issuer,
];

test('the issuer that is found first is pinned, another one waits for an admin, and nothing is sent meanwhile', async () => {
  const made = await connected();
  const { member, session_token, servers, tenant, approveIssuer } = made;
  assert.deepEqual(pinsOf(await made.read()), [issuerOf(honest), null]);
  protect(upstream, hostile);
  const sent_before = honest.forms.length;
  const { sent } = await made.begin(member.id);
  assert.deepEqual([sent.location, sent.status], [null, 403]);
  assert.match(sent.text, /Ask an admin/);
  assert.deepEqual(pinsOf(await made.read()), [issuerOf(honest), issuerOf(hostile)]);
  await expectNothing(made, session_token);
  assert.equal(honest.forms.length, sent_before);
  assert.equal((await made.connections(member.id)).length, 1, 'what was connected stays');

  for (const key of [tenant.keys.write, tenant.keys.read])
    assert.equal((await approveIssuer(issuerOf(hostile), key)).status, 403);
  const approved = expectResponse(await approveIssuer(issuerOf(hostile)), 200);
  assert.deepEqual(pinsOf(approved), [issuerOf(hostile), null]);
  assert.deepEqual(await made.connections(member.id), [], 'tokens of another issuer end');
  assert.match((await made.connect(member.id, 'alice', hostile)).text, /is connected/);
  expectResponse(await made.call(session_token), 200);

  const { data } = expectResponse(
    await api('GET', `/projects/${tenant.id}/audit-log?limit=100`, { key: tenant.keys.admin }),
    200,
  );
  const entry = data.find(({ action }: any) => action === 'mcp_server.issuer_approved');
  assert.deepEqual(
    [pinsOf(entry.before), pinsOf(entry.after)],
    [
      [issuerOf(honest), issuerOf(hostile)],
      [issuerOf(hostile), null],
    ],
  );
  assert.equal(entry.target_id, (await servers.read(made.made.id)).id);
});

test('a sync finds another issuer before a member does, reports it once, and takes it back when the server does', async () => {
  const { servers, made, tenant, read, session_token, call } = await connected();
  const events = async () =>
    expectResponse(await api('GET', `/projects/${tenant.id}/events`, { key: tenant.keys.admin }), 200).data.filter(
      ({ type, data }: any) => type === 'mcp_server.changed' && data.found_issuer !== null,
    );
  protect(upstream, hostile);
  for (const title of ['first', 'again']) {
    await servers.sync(made.id);
    assert.deepEqual(pinsOf(await read()), [issuerOf(honest), issuerOf(hostile)], title);
    assert.equal((await events()).length, 1, title);
  }
  protect(upstream, honest);
  assert.deepEqual(pinsOf(await servers.sync(made.id)), [issuerOf(honest), null]);
  expectResponse(await call(session_token), 200);
  protect(upstream, hostile);
  await servers.sync(made.id);
  assert.equal((await events()).length, 2);
});

test('a server that names several issuers, the pinned one among them, changes nothing', async () => {
  const { servers, made } = await connected();
  protect(upstream, { ...honest, issuers: [hostile.issuer, honest.issuer] });
  assert.deepEqual(pinsOf(await servers.sync(made.id)), [issuerOf(honest), null]);
});

for (const sends_iss of [true, false])
  for (const [title, metadata] of [
    ['its token endpoint', { token_endpoint: hostile.token_endpoint }],
    ['both endpoints', { ...issuerOf(hostile), issuer: honest.issuer }],
  ] as const)
    test(`metadata that changes ${title} between the sign-in and its callback gets no code, ${sends_iss ? 'with' : 'without'} iss`, async () => {
      honest.settings.sends_iss = sends_iss;
      const made = await ready();
      const { member, session_token } = await made.session();
      const { browser, sent } = await made.begin(member.id);
      const callback = await honest.visit(sent.location ?? '');
      honest.settings.metadata = metadata;
      // What was read of it is not cached any more.
      expectResponse(await made.change({ name: 'Renamed' }), 200);
      const done = await browser.visit(callback);
      assert.equal(done.status, 403);
      assert.match(done.text, /Ask an admin/);
      assert.deepEqual([honest.forms, hostile.forms], [[], []]);
      assert.deepEqual(pinsOf(await made.read()), [issuerOf(honest), { ...issuerOf(honest), ...metadata }]);
      await expectNothing(made, session_token);
    });

test('a sign-in that began at one issuer does not end at another that was approved meanwhile', async () => {
  const made = await ready();
  const { member, session_token } = await made.session();
  const { browser, sent } = await made.begin(member.id);
  const callback = await honest.visit(sent.location ?? '');
  protect(upstream, hostile);
  expectResponse(await made.approveIssuer(issuerOf(hostile)), 200);
  assert.equal((await browser.visit(callback)).status, 410);
  assert.deepEqual([honest.forms, hostile.forms], [[], []]);
  assert.equal((await made.call(session_token)).body.error.code, 'MEMBER_SIGN_IN_REQUIRED');
});

test('a sign-in does not end while another issuer waits, and its tokens are not stored for another one', async () => {
  const made = await ready();
  const { member, session_token } = await made.session();
  const { browser, sent } = await made.begin(member.id);
  const callback = await honest.visit(sent.location ?? '');
  protect(upstream, hostile);
  await made.servers.sync(made.made.id);
  assert.equal((await browser.visit(callback)).status, 403);
  assert.deepEqual([honest.forms, hostile.forms], [[], []]);
  await expectNothing(made, session_token);
  // It was replaced after the tokens were given, and before they are stored.
  const tokens = { access_token: 'a', refresh_token: 'r', expires_at: null, scope: null };
  const connection = { project_id: made.tenant.id, provider_id: made.provider_id, member_id: member.id, tokens };
  const pin = JSON.stringify(issuerOf(hostile));
  await assert.rejects(saveConnection(server.app, { ...connection, pin }), { code: 'CONNECT_LINK_INVALID' });
  await saveConnection(server.app, { ...connection, pin: JSON.stringify(issuerOf(honest)) });
});

test('a secret is sealed to its issuer: another one in the database does not get it', async () => {
  const { id: client_id, secret } = honest.client;
  const fields = { auth_config: { client_id, issuer: honest.issuer }, encrypted_auth_secret: secret };
  const made = await connected(fields);
  const pin = { issuer: hostile.issuer, pinned_issuer: JSON.stringify(issuerOf(hostile)) };
  await server.app.database.updateTable('oauth_providers').set(pin).where('id', '=', made.provider_id).execute();
  protect(upstream, hostile);
  assert.equal((await made.connect(made.member.id, 'alice', hostile)).status, 500);
  assert.deepEqual(hostile.forms, []);
});

test('metadata that changes after the sign-in gets no refresh token, at a refresh and at a revocation', async () => {
  honest.settings.seconds = 60;
  honest.settings.metadata = { revocation_endpoint: `${new URL(honest.issuer).origin}/revoke` };
  const made = await connected();
  const other = await made.session();
  await made.connect(other.member.id);
  const revoke = async (member_id: string) => {
    const [connection] = await made.connections(member_id);
    const path = `/projects/${made.tenant.id}/members/${member_id}/connections/${connection.id}`;
    assert.equal((await api('DELETE', path, { key: made.tenant.keys.admin })).status, 204);
  };
  await revoke(other.member.id);
  assert.equal(honest.revoked.length, 1);

  await made.connect(other.member.id);
  honest.settings.metadata = { revocation_endpoint: `${new URL(hostile.issuer).origin}/revoke` };
  expectResponse(await made.change({ name: 'Renamed' }), 200);
  await revoke(other.member.id);
  assert.deepEqual([honest.revoked.length, hostile.revoked], [1, []], 'only at the origin of the token endpoint');

  const refreshes = () => honest.forms.filter(({ form }) => form.get('grant_type') === 'refresh_token').length;
  honest.settings.metadata = { token_endpoint: hostile.token_endpoint };
  expectResponse(await made.change({ name: 'Renamed again' }), 200);
  server.advance(61_000);
  await expectNothing(made, made.session_token);
  await expectNothing(made, made.session_token);
  assert.equal(refreshes(), 0);
  honest.settings.metadata = {};
  await made.servers.sync(made.made.id);
  expectResponse(await made.call(made.session_token), 200);
  assert.equal(refreshes(), 1);
});

test('a token endpoint that redirects takes nothing along', async () => {
  const made = await ready();
  const { member } = await made.session();
  honest.settings.redirects_to = hostile.token_endpoint;
  assert.equal((await made.connect(member.id)).status, 403);
  assert.deepEqual(hostile.forms, []);
});

test('endpoints of two origins are refused unless an admin approved exactly these', async () => {
  const token_endpoint = `https://localhost:${port}/token`;
  const split = { ...issuerOf(honest), token_endpoint };
  honest.settings.metadata = { token_endpoint };
  const made = await ready();
  const { member, session_token } = await made.session();
  assert.deepEqual(pinsOf(await made.read()), [null, split]);
  assert.equal((await made.begin(member.id)).sent.location, null);
  await expectNothing(made, session_token);
  const almost = { ...split, token_endpoint: `${token_endpoint}/other` };
  assert.deepEqual(pinsOf(expectResponse(await made.approveIssuer(almost), 200)), [almost, null]);
  assert.equal((await made.begin(member.id)).sent.location, null, 'not exactly these');
  assert.deepEqual(pinsOf(expectResponse(await made.approveIssuer(split), 200)), [split, null]);
  assert.match((await made.connect(member.id)).text, /is connected/);
  expectResponse(await made.call(session_token), 200);
  honest.settings.metadata = { token_endpoint: hostile.token_endpoint };
  assert.deepEqual(pinsOf(await made.servers.sync(made.made.id))[1], {
    ...split,
    token_endpoint: hostile.token_endpoint,
  });
  await expectNothing(made, session_token);
});

test('the honest authorization endpoint with the token endpoint of another gets no secret, code or verifier', async () => {
  const { id: client_id, secret } = honest.client;
  const fields = { auth_config: { client_id, issuer: honest.issuer }, encrypted_auth_secret: secret };
  const made = await connected(fields);
  const [first] = honest.forms;
  assert.ok(first?.authorization?.startsWith('Basic '), 'the honest one gets the secret');
  hostile.settings.metadata = { authorization_endpoint: honest.authorization_endpoint };
  hostile.settings.sends_iss = false;
  protect(upstream, hostile);
  assert.equal((await made.begin(made.member.id)).sent.location, null);
  await expectNothing(made, made.session_token);

  const refused = expectResponse(await made.approveIssuer(issuerOf(hostile)), 422);
  assert.deepEqual([refused.error.details.field, refused.error.details.reason], ['issuer', 'secret_of_other_issuer']);
  const auth_config = { client_id, issuer: hostile.issuer };
  assert.equal(expectResponse(await made.change({ auth_config }), 422).error.details.field, 'encrypted_auth_secret');
  await expectNothing(made, made.session_token);
  hostile.settings.metadata = {};
  expectResponse(await made.change({ auth_config, encrypted_auth_secret: hostile.client.secret }), 200);
  assert.deepEqual(pinsOf(await made.servers.sync(made.made.id)), [issuerOf(hostile), null]);
  assert.match((await made.connect(made.member.id, 'alice', hostile)).text, /is connected/);
});

test('a client without a secret moves to the issuer that an admin approves', async () => {
  const auth_config = { client_id: 'public', issuer: honest.issuer };
  const made = await ready({ auth_config });
  protect(upstream, hostile);
  const approved = expectResponse(await made.approveIssuer(issuerOf(hostile)), 200);
  assert.deepEqual(approved.auth_config, { ...auth_config, issuer: hostile.issuer });
});

test('in production only an admin decides where members sign in and their tokens go, and no change of that lifts the pin', async () => {
  const made = await connected();
  const { write } = made.tenant.keys;
  const moves = [{ auth_config: { scope: 'tools:call' } }, { url: `${upstream.url}?a=1` }];
  const others = [{ issuer: hostile.issuer }, { client_id: 'mine', issuer: honest.issuer }];
  for (const change of [...moves, ...others.map((auth_config) => ({ auth_config }))]) {
    const { error } = expectResponse(await made.change(change, write), 403);
    assert.equal(error.details.reason, 'admin_in_production');
  }
  protect(upstream, hostile, { resource: upstream.url });
  expectResponse(await made.change({ name: 'Other' }, write), 200);
  for (const change of moves) {
    expectResponse(await made.change(change), 200);
    await made.servers.sync(made.made.id);
    assert.deepEqual((await made.read()).pinned_issuer, issuerOf(honest), JSON.stringify(change));
  }
  assert.deepEqual(hostile.forms, []);
});

test('what cannot be an issuer or an endpoint is not approved, and only for member_oauth', async () => {
  const made = await ready();
  for (const [field, value] of [
    ['issuer', 'http://a.example'],
    ['issuer', 'https://a.example/?x=1'],
    ['authorization_endpoint', 'https://user@a.example/authorize'],
    ['token_endpoint', 'http://a.example/token'],
    ['token_endpoint', 'https://10.0.0.1/token'],
    ['token_endpoint', 'https://a.example/token#x'],
  ] as const) {
    const { error } = expectResponse(await made.approveIssuer({ ...issuerOf(honest), [field]: value }), 422);
    assert.equal(error.details.field, field, value);
  }
  const other = await made.servers.make(upstream);
  const path = `${made.servers.path}/${other.id}/approve-issuer`;
  const { error } = expectResponse(
    await api('POST', path, { key: made.tenant.keys.admin, body: issuerOf(honest) }),
    422,
  );
  assert.equal(error.details.field, 'issuer');
  assert.deepEqual(pinsOf(await made.servers.read(other.id)), [null, null]);
});

/** As rows were before there were pins. */
async function withoutPin({ made, provider_id }: Made, auth_config: object): Promise<void> {
  const { database } = server.app;
  const columns = { pinned_issuer: null, found_issuer: null, issuer: honest.issuer };
  await database.updateTable('oauth_providers').set(columns).where('id', '=', provider_id).execute();
  const config = { auth_config: JSON.stringify(auth_config) };
  await database.updateTable('mcp_servers').set(config).where('id', '=', made.id).execute();
}

test('a server from before pins, with a client id and no issuer, sends nothing until an admin names the issuer', async () => {
  const { id: client_id, secret } = honest.client;
  const fields = { auth_config: { client_id, issuer: honest.issuer }, encrypted_auth_secret: secret };
  const made = await connected(fields);
  await withoutPin(made, { client_id });
  const sent_before = honest.forms.length;
  assert.deepEqual(pinsOf(await made.servers.sync(made.made.id)), [null, issuerOf(honest)]);
  assert.equal((await made.begin(made.member.id)).sent.location, null);
  await expectNothing(made, made.session_token);
  assert.equal(honest.forms.length, sent_before);
  assert.equal(expectResponse(await made.change({ name: 'Other' }), 422).error.details.field, 'auth_config.issuer');
  expectResponse(await made.change(fields), 200);
  assert.match((await made.connect(made.member.id)).text, /is connected/);
  expectResponse(await made.call(made.session_token), 200);
});

test('a server from before pins, without a client id, keeps the issuer that was found first', async () => {
  const made = await connected();
  await withoutPin(made, {});
  const endpoints = { authorization_endpoint: null, token_endpoint: null };
  assert.deepEqual(pinsOf(await made.read()), [{ issuer: honest.issuer, ...endpoints }, null]);
  protect(upstream, hostile);
  await made.servers.sync(made.made.id);
  await expectNothing(made, made.session_token);
  protect(upstream, honest);
  assert.deepEqual(pinsOf(await made.servers.sync(made.made.id)), [issuerOf(honest), null]);
  expectResponse(await made.call(made.session_token), 200);
});
