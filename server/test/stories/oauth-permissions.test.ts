// Scopes × endpoints: a session made by OAuth may use the management API exactly as far as its scopes go, and never further than
// its provider grants. The OpenAPI document is the list, so a new route is covered automatically.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { type Permission, permissions, type Scope, scopes } from '@toolgate/contract/permissions.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse } from '../support/make/make.ts';
import { authorizeUrl, CALLBACK, makeOAuthTenant, startOAuthServer } from '../support/make/make-oauth.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const peer = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const server = await startOAuthServer([peer, customer]);
clock.now = () => server.app.now();
after(() => Promise.all([peer.close(), customer.close()]));
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeOAuthTenant>>;

async function sessionWith({ client }: Tenant, scope: string): Promise<string> {
  const url = authorizeUrl({ client_id: client.client_id, redirect_uri: CALLBACK, scope });
  const { location } = await signIn(openBrowser(server), peer, url);
  const code = new URL(location ?? 'missing:').searchParams.get('code');
  const { client_id, client_secret } = client;
  return expectResponse(await api('POST', '/oauth/token', { body: { code, client_id, client_secret } }), 200)
    .access_token;
}

const tenant = await makeOAuthTenant(server, peer, { provider: { permissions: [...permissions] } });
const sessions = {} as Record<Scope, string>;
for (const scope of scopes) sessions[scope] = await sessionWith(tenant, scope);
beforeEach(() => server.advance(1));

type Described = { description?: string; security?: object[] };
type Operation = { method: string; path: string; access: Permission | 'api_key' | 'caller' | 'decide' };

const { paths } = expectResponse(await api('GET', '/openapi.json'), 200) as {
  paths: Record<string, Record<string, Described>>;
};
const operations = Object.entries(paths)
  // These are for people: accounts-people.test.ts.
  .filter(([path]) => !/^\/api\/v1\/(account|organization)/.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, described]): Operation => ({ method: method.toUpperCase(), path, access: accessOf(described) })),
  )
  // It ends all of the sessions.
  .filter(({ method, path }) => `${method} ${path}` !== 'DELETE /api/v1/projects/{project_id}');

function accessOf({ description = '' }: Described): Operation['access'] {
  const permission = permissions.find((each) => description.includes(`with the permission \`${each}\``));
  if (permission) return permission;
  if (description.includes('Member sessions are refused')) return 'decide';
  return description.includes('for member sessions') ? 'caller' : 'api_key';
}

function expected(scope: Scope, access: Operation['access']): 'allowed' | 401 | 403 {
  if (access === 'api_key') return 401;
  // A person or a backend decides, never the session that a model holds.
  if (access === 'decide') return 403;
  if (access === 'caller') return scope === 'mcp' ? 'allowed' : 403;
  return scope === access || scope === 'admin' ? 'allowed' : 403;
}

test('the matrix has every operation', () => assert.ok(operations.length > 60, String(operations.length)));

for (const { method, path, access } of operations) {
  test(`${method} ${path} takes sessions with the scope ${access === 'caller' ? 'mcp' : access}, and no others`, async () => {
    const url = path.replace('{project_id}', tenant.id).replaceAll(/\{\w+\}/g, 'key_0000000000000000000000');
    for (const scope of scopes) {
      const { status, text } = await api(method, url, { key: sessions[scope] });
      const wanted = expected(scope, access);
      if (wanted === 'allowed') assert.ok(![401, 403].includes(status) && status < 500, `${scope}: ${status} ${text}`);
      else assert.equal(status, wanted, `${scope}: ${text}`);
    }
  });
}

test('a session without the scope mcp opens no MCP endpoint, and the client is told which scope it needs', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const response = await api('POST', `/api/v1/mcp/${tenant.id}`, { key: sessions.read, body });
  assert.deepEqual([response.status, response.body.error.data.code], [403, 'INSUFFICIENT_SCOPE']);
  const { public_url } = server.app.config;
  assert.equal(
    response.headers.get('www-authenticate'),
    `Bearer error="insufficient_scope", scope="mcp", resource_metadata="${public_url}/.well-known/oauth-protected-resource/api/v1/mcp/${tenant.id}"`,
  );
});

test('a session is never worth more than its provider grants now', async () => {
  const other = await makeOAuthTenant(server, peer, { provider: { permissions: ['read', 'admin'] } });
  const key = await sessionWith(other, 'read admin');
  expectResponse(await api('GET', '/members', { key }), 200);
  const path = `/projects/${other.id}/oauth-providers/${other.provider.id}`;
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body: { permissions: ['read'] } }), 200);
  expectResponse(await api('GET', '/members', { key }), 403);
  expectResponse(await api('GET', '/projects', { key }), 200);
});

test('a session is for its own project only', async () => {
  const other = await makeOAuthTenant(server, peer);
  for (const key of Object.values(sessions)) {
    expectResponse(await api('GET', `/projects/${other.id}`, { key }), 401);
    expectResponse(await api('GET', '/projects', { key, project: other.id }), 401);
  }
});

test('a session escalates to nothing: no key beyond its scopes, no change to production, no deletion in bulk', async () => {
  const both = await sessionWith(tenant, 'write webhook');
  const settings = { environment: 'production' };
  expectResponse(await api('PATCH', `/projects/${tenant.id}`, { key: both, body: settings }), 403);
  const tool = await makeTool(server, tenant.keys.write, customer);
  expectResponse(
    await api('POST', '/custom-tools/bulk', { key: both, body: { ids: [tool.id], action: 'delete' } }),
    403,
  );
  const provider = { provider: 'github', client_id: 'x', client_secret: 'y', permissions: ['admin'] };
  expectResponse(await api('POST', `/projects/${tenant.id}/oauth-providers`, { key: both, body: provider }), 403);
  const webhook = { url: 'https://hooks.example.com/', events: ['member_session.created'] };
  expectResponse(await api('POST', `/projects/${tenant.id}/webhooks`, { key: both, body: webhook }), 403);
});

test('a change by a session is in the audit log with the member, and what it creates names the member', async () => {
  const body = { name: 'by a person', base_url: 'https://api.example.com', endpoint_path: '/' };
  const tool = expectResponse(
    await api('POST', '/custom-tools', { key: sessions.write, body: { ...body, name: 'by_a_person' } }),
    201,
  );
  assert.match(tool.created_by, /^mem_/);
  const log = `/projects/${tenant.id}/audit-log`;
  const { data } = expectResponse(await api('GET', log, { key: ROOT_KEY }), 200);
  const entry = data.find((each: { target_id: string }) => each.target_id === tool.id);
  assert.deepEqual(
    [entry.actor_kind ?? entry.actor?.kind, entry.actor_id ?? entry.actor?.id],
    ['member', tool.created_by],
  );
});

test('a project that a session creates comes with a key that ends with the session', async () => {
  const made = expectResponse(await api('POST', '/projects', { key: sessions.write, body: { name: 'sibling' } }), 201);
  assert.deepEqual(made.api_key.permissions, ['write']);
  assert.ok(Date.parse(made.api_key.expires_at) <= server.app.now() + 900_000);
});
