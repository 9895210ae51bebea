// Everything that can have a certificate connects with it: each host here requires a client certificate and is signed by a private authority.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SignJWT } from 'jose';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { clientFields, makeCertificate, mutualTls } from '../support/make/make-certificate.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { makeLogStream } from '../support/make/make-log-stream.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { issuerOf } from '../support/make/make-server-sign-in.ts';
import { execute, makeTool, received } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startEgressProxy } from '../support/peers/egress-proxy.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { protect, startMcpAuthorizationServer } from '../support/peers/mcp-authorization-server.ts';
import { echoTool, startMcpUpstream } from '../support/peers/mcp-upstream.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = { now: Date.now };
const host = await startCustomer({ tls: mutualTls() });
const ordinary = await startCustomer();
const upstream = await startMcpUpstream('modern', [echoTool('echo')], mutualTls());
const identity = await startOpenIdProvider({ tls: mutualTls(), now: () => clock.now() });
const proxy = await startEgressProxy();
after(() => Promise.all([host, ordinary, upstream, identity, proxy].map((each) => each.close())));
const allow = [host, ordinary, upstream, identity].map(({ address }) => address).join(',');
const direct = await startServer({ TOOLGATE_EGRESS_ALLOW: allow });
clock.now = () => direct.app.now();
const proxied = await startServer({ TOOLGATE_EGRESS_ALLOW: allow, TOOLGATE_EGRESS_PROXY: proxy.url });

for (const [how, server] of [
  ['directly', direct],
  ['through the egress proxy', proxied],
] as const) {
  const { api } = server;
  const asTenant = async () => {
    const tenant = await makeTenant(server);
    const { id: certificate_id } = await makeCertificate(server, tenant.id, clientFields('alpha'));
    return { ...tenant, key: tenant.keys.admin, certificate_id };
  };

  test(`a tool calls its API with its certificate, and one without it cannot, ${how}`, async () => {
    const { key, certificate_id } = await asTenant();
    const tool = await makeTool(server, key, host, { certificate_id });
    assert.equal((await received(server, host, key, tool)).client, 'alpha');
    const other = await makeTool(server, key, host);
    const { error } = expectResponse(await execute(server, key, other.id), 502);
    assert.equal(error.details.reason, 'certificate_not_accepted');
    // Its authorities are for its own connections.
    expectResponse(await execute(server, key, (await makeTool(server, key, ordinary)).id), 200);
  });

  test(`a token endpoint is asked with the certificate of its tool, ${how}`, async () => {
    const { key, certificate_id } = await asTenant();
    host.respond('/token', { body: { access_token: unique('token'), expires_in: 300 } });
    const tool = await makeTool(server, key, host, {
      certificate_id,
      auth_strategy: 'oauth2_client_credentials',
      auth_config: { token_url: `${host.url}/token`, client_id: 'a' },
      encrypted_auth_secret: 'secret',
    });
    assert.match((await received(server, host, key, tool)).headers.authorization ?? '', /^Bearer token/);
    assert.equal(host.at('/token').at(-1)?.client, 'alpha');
  });

  test(`an MCP server is synced and called with its certificate, ${how}`, async () => {
    const tenant = await asTenant();
    const { key, certificate_id } = tenant;
    const servers = mcpServersOf(server, { ...tenant, keys: { ...tenant.keys, write: key } });
    const failing = await servers.make(upstream);
    expectResponse(await api('POST', `${servers.path}/${failing.id}/sync`, { key }), 502);
    const made = await servers.ready(upstream, { certificate_id });
    const name = `${made.slug}_echo`;
    expectResponse(await execute(server, key, name, { text: 'hello' }), 200);
  });

  test(`a hook is asked with its certificate, ${how}`, async () => {
    const { id, key, certificate_id } = await asTenant();
    const hook = await makeHook(server, host, id, { certificate_id });
    expectResponse(await execute(server, key, (await makeTool(server, key, ordinary)).id), 200);
    assert.deepEqual(
      host.at(hook.path).map(({ client }) => client),
      ['alpha'],
    );
  });

  test(`a webhook is delivered with its certificate, ${how}`, async () => {
    const { id, key, certificate_id } = await asTenant();
    const webhook = await makeWebhook(server, host, id, { certificate_id, events: ['custom_tool.created'] });
    await makeTool(server, key, ordinary);
    await server.runJobs();
    assert.deepEqual(
      host.at(webhook.path).map(({ client }) => client),
      ['alpha'],
    );
  });

  test(`a log stream is sent and tested with its certificate, ${how}`, async () => {
    const { id, key, certificate_id } = await asTenant();
    const stream = await makeLogStream(server, host, id, { certificate_id, source: 'audit_log' });
    const tested = await api('POST', `/projects/${id}/log-streams/${stream.id}/test`, { key });
    assert.equal(expectResponse(tested, 200).is_successful, true);
    await makeTool(server, key, ordinary);
    server.advance(5_000);
    await server.runJobs();
    const clients = host.at(stream.path).map(({ client }) => client);
    assert.deepEqual([clients.length >= 2, new Set(clients)], [true, new Set(['alpha'])]);
  });

  test(`an OAuth provider is discovered, and its keys and tokens are asked for, with its certificate, ${how}`, async () => {
    const { id, key, certificate_id } = await asTenant();
    const path = `/projects/${id}/oauth-providers`;
    const { url: issuer, client_id, client_secret } = identity;
    const fields = { provider: 'oidc', issuer, client_id, client_secret, accepts_id_jag: true };
    const outcomes = async (more: object) => {
      const made = expectResponse(await api('POST', path, { key, body: { ...fields, ...more } }), 201);
      const report = expectResponse(await api('POST', `${path}/${made.id}/test`, { key }), 200);
      return { made, outcomes: report.checks.map(({ outcome }: { outcome: string }) => outcome) };
    };
    assert.deepEqual((await outcomes({})).outcomes, ['failed', 'not_reached', 'not_reached']);
    const { made, outcomes: found } = await outcomes({ certificate_id, name: 'With a certificate' });
    assert.deepEqual(found, ['passed', 'passed', 'passed']);
    // The key set that verifies assertions is fetched by another part of the server.
    const seconds = Math.floor(server.app.now() / 1000);
    const claims = {
      iss: issuer,
      sub: 'alice',
      aud: server.app.config.public_url,
      client_id: 'oac_1',
      jti: unique('jti'),
    };
    const assertion = await new SignJWT({ ...claims, iat: seconds, exp: seconds + 200 })
      .setProtectedHeader({ alg: 'ES256', kid: 'test', typ: 'oauth-id-jag+jwt' })
      .sign(identity.signing_key);
    const explained = expectResponse(
      await api('POST', `${path}/${made.id}/debug-id-jag`, { key, body: { assertion } }),
      200,
    );
    const signature = explained.checks.find(({ check }: { check: string }) => check === 'signature');
    assert.equal(signature?.status, 'pass', JSON.stringify(explained.checks));
  });
}

test("an MCP server's certificate is for the server, and not for the authorization server that it names", async () => {
  const authorization = await startMcpAuthorizationServer();
  after(() => authorization.close());
  const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${allow},${authorization.address}` });
  const tenant = await makeTenant(server);
  const key = tenant.keys.admin;
  const { id: certificate_id } = await makeCertificate(server, tenant.id, clientFields('alpha'));
  protect(upstream, authorization);
  const servers = mcpServersOf(server, { ...tenant, keys: { ...tenant.keys, write: key } });
  const made = await servers.ready(upstream, { auth_strategy: 'member_oauth', certificate_id });
  // Found at the server, with the certificate; read at a host of another authority, without it.
  assert.deepEqual((await servers.read(made.id)).pinned_issuer, issuerOf(authorization));
});

test('everything went through the proxy where there is one', () => {
  const asked = new Set(proxy.asked.map(({ authority }) => authority));
  for (const { address } of [host, upstream, identity]) assert.ok(asked.has(address), address);
});

test('a certificate that is replaced is used from the next call on, and connections of the old one never again', async () => {
  const tenant = await makeTenant(direct);
  const key = tenant.keys.admin;
  const made = await makeCertificate(direct, tenant.id, clientFields('alpha'));
  const tool = await makeTool(direct, key, host, { certificate_id: made.id });
  const seen = async () => (await received(direct, host, key, tool)).client;
  assert.deepEqual([await seen(), await seen()], ['alpha', 'alpha']);
  const before = host.counts.connections;
  const path = `/projects/${tenant.id}/certificates/${made.id}`;
  expectResponse(await direct.api('PATCH', path, { key: ROOT_KEY, body: clientFields('beta') }), 200);
  assert.deepEqual([await seen(), await seen()], ['beta', 'beta']);
  assert.equal(host.requests.at(-1)?.is_resumed, false);
  assert.equal(host.counts.connections - before, 1);
});

test('a call that waits while the certificate is replaced is sent with the new one', async () => {
  const tenant = await makeTenant(direct);
  const key = tenant.keys.admin;
  const made = await makeCertificate(direct, tenant.id, clientFields('alpha'));
  const slow = await makeTool(direct, key, host, { certificate_id: made.id });
  const tool = await makeTool(direct, key, host, { certificate_id: made.id });
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  host.respond(slow.endpoint_path, { hold });
  // As many as one host may have at a time.
  const running = Array.from({ length: 10 }, () => execute(direct, key, slow.id));
  await waitUntil(async () => host.at(slow.endpoint_path).length === 10, 10_000, 'ten calls run');
  const waiting = execute(direct, key, tool.id);
  // One behind it has waited for all of its time: so does the first one by now.
  const behind = await makeTool(direct, key, host, { certificate_id: made.id, timeout_ms: 1_000 });
  expectResponse(await execute(direct, key, behind.id), 500, 'Tool execution timed out');
  const path = `/projects/${tenant.id}/certificates/${made.id}`;
  expectResponse(await direct.api('PATCH', path, { key: ROOT_KEY, body: clientFields('beta') }), 200);
  release();
  expectResponse(await waiting, 200);
  for (const each of running) expectResponse(await each, 200);
  assert.deepEqual(
    host.at(tool.endpoint_path).map(({ client }) => client),
    ['beta'],
  );
});

test('a token that was asked for with a certificate is not used with another one', async () => {
  const tenant = await makeTenant(direct);
  const key = tenant.keys.admin;
  const made = await makeCertificate(direct, tenant.id, clientFields('alpha'));
  host.respond('/bound', ({ client }) => ({ body: { access_token: `token-of-${client}`, expires_in: 300 } }));
  const tool = await makeTool(direct, key, host, {
    certificate_id: made.id,
    auth_strategy: 'oauth2_client_credentials',
    auth_config: { token_url: `${host.url}/bound`, client_id: 'a' },
    encrypted_auth_secret: 'secret',
  });
  const sent = async () => (await received(direct, host, key, tool)).headers.authorization;
  assert.equal(await sent(), 'Bearer token-of-alpha');
  const path = `/projects/${tenant.id}/certificates/${made.id}`;
  expectResponse(await direct.api('PATCH', path, { key: ROOT_KEY, body: clientFields('beta') }), 200);
  assert.equal(await sent(), 'Bearer token-of-beta');
});
