// Who a member is, and where the token of a member goes, is decided by admins in production (rules 15). The first test is the whole
// attack; the others are its steps, and other ways to the same end.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { openBrowser, signIn } from '../support/browser.ts';
import { expectResponse, makeKey, unique } from '../support/make/make.ts';
import { makeOwner, makePerson, type Person } from '../support/make/make-accounts.ts';
import { isAlive, makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import {
  authorizeUrl,
  CALLBACK,
  connect,
  makeClient,
  makeProvider,
  postForm,
  providerFields,
  startOAuthServer,
} from '../support/make/make-oauth.ts';
import { execute, makeTool, toolFields } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY } from '../support/servers/start-server.ts';

const clock = { now: Date.now };
const real = await startOpenIdProvider({ now: () => clock.now() });
const evil = await startOpenIdProvider({ now: () => clock.now() });
const customer = await startCustomer();
const thief = await startCustomer();
const server = await startOAuthServer([real, evil, customer, thief]);
const { api } = server;
clock.now = () => server.app.now();
after(() => Promise.all([real.close(), evil.close(), customer.close(), thief.close()]));
beforeEach(() => {
  for (const peer of [real, evil]) peer.reset();
  server.advance(61_000);
});

const memberOAuth = { auth_strategy: 'member_oauth', require_member: true };
const projectPath = ({ id }: { id: string }) => `/projects/${id}`;
const patchAs = (key: string, path: string, body: object) => api('PATCH', path, { key, body });

/** A project with a real provider, a client, and a tool that gets the tokens of its members. */
async function makeShop(environment = 'production') {
  const tenant = await makeMemberTenant(server, { environment });
  const provider = await makeProvider(server, tenant.id, real);
  const client = await makeClient(server, tenant.id, { redirect_uris: [CALLBACK] });
  const fields = { ...memberOAuth, auth_config: { oauth_provider_id: provider.id } };
  const tool = await makeTool(server, tenant.keys.admin, customer, fields);
  const developer = (await makeKey(server, tenant.id, ['read', 'write', 'webhook'])).key;
  return { ...tenant, provider, client, fields, tool, developer };
}

type Shop = Awaited<ReturnType<typeof makeShop>>;

const visit = ({ client }: Shop, peer: OpenIdProvider, provider: string) => {
  const parameters = { client_id: client.client_id, redirect_uri: CALLBACK, scope: 'mcp' };
  return signIn(openBrowser(server), peer, authorizeUrl(parameters), { provider });
};

/** The tokens of a sign-in, or the reason why it failed. */
async function signInAt(shop: Shop, peer: OpenIdProvider, provider: string) {
  const page = await visit(shop, peer, provider);
  const code = page.location && new URL(page.location).searchParams.get('code');
  if (!code) return { refused: page.text };
  const { client_id, client_secret } = shop.client;
  return { tokens: expectResponse(await postForm(server, '/oauth/token', { code, client_id, client_secret }), 200) };
}

const memberIds = async ({ keys }: Shop): Promise<string[]> =>
  expectResponse(await api('GET', '/members', { key: keys.admin }), 200).data.map(
    ({ external_id }: { external_id: string }) => external_id,
  );

test('a developer cannot become another member in production, nor get the token of one', async () => {
  const shop = await makeShop();
  const victim = await makeSession(server, shop, 'user_42');
  const { tokens } = await connect(server, real, shop.provider, victim.member.id);
  expectResponse(await execute(server, victim.session_token, shop.tool.id), 200);

  // The attack: members by email, an issuer of one's own that states the id of the victim, a tool at a server of one's own.
  const settings = `${projectPath(shop)}/settings`;
  expectRefusal(await patchAs(shop.developer, settings, { oauth_member_id: 'email' }), 403);
  const providers = `${projectPath(shop)}/oauth-providers`;
  expectRefusal(await api('POST', providers, { key: shop.developer, body: providerFields(evil) }), 403);
  const body = toolFields(thief.url, shop.fields);
  expectRefusal(await api('POST', '/custom-tools', { key: shop.developer, body }), 403);
  expectRefusal(await patchAs(shop.developer, `/custom-tools/${shop.tool.id}`, { base_url: thief.url }), 403);

  // Each step also fails if the one before was taken in another way, such as before an upgrade.
  expectResponse(await patchAs(shop.keys.admin, settings, { oauth_member_id: 'email' }), 200);
  const own = await makeProvider(server, shop.id, evil);
  for (const email of ['user_42', `oidc:${victim.member.id}@example.com`]) {
    evil.setUser({ sub: 'attacker', email, email_verified: true });
    assert.match((await signInAt(shop, evil, own.id)).refused ?? '', /an email address that cannot be used/);
  }
  await server.app.database
    .updateTable('custom_tools')
    .set({ base_url: thief.url })
    .where('project_id', '=', shop.id)
    .where('id', '=', shop.tool.id)
    .execute();
  expectResponse(await patchAs(shop.keys.admin, `/custom-tools/${shop.tool.id}`, { description: 'as before' }), 200);
  const { details } = expectRefusal(await execute(server, victim.session_token, shop.tool.id), 500);
  assert.equal(details.reason, 'member_token_origin_not_allowed');
  assert.deepEqual(thief.requests, []);
  assert.ok(real.isAccessToken(tokens.access_token));
});

test('a person with role developer is refused the same, and an admin of the organization is not', async () => {
  const owner = await makeOwner(server);
  const developer = await makePerson(server, owner, 'developer');
  const admin = await makePerson(server, owner, 'admin');
  const body = { name: 'Shop in production', environment: 'production' };
  const project = expectResponse(await owner.api('POST', '/projects', { body }), 201);
  const add = (person: Person) =>
    person.api('POST', `/projects/${project.id}/oauth-providers`, { body: providerFields(real) });
  assert.equal(expectRefusal(await add(developer), 403).details.reason, 'admin_in_production');
  assert.equal(expectResponse(await add(admin), 201).is_approved, true);
});

type Step = { method: string; path: (shop: Shop) => string; body: (shop: Shop) => object; status: number };
const patchProvider = (body: object) => ({
  method: 'PATCH',
  path: (shop: Shop) => `${projectPath(shop)}/oauth-providers/${shop.provider.id}`,
  body: () => body,
  status: 200,
});
const onTool = (body: (shop: Shop) => object): Step => ({
  method: 'PATCH',
  path: ({ tool }) => `/custom-tools/${tool.id}`,
  body,
  status: 200,
});
const clientPath = (shop: Shop) => `${projectPath(shop)}/oauth-clients/${shop.client.id}`;
const document = (url: string) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url }],
  paths: { '/stolen': { get: { operationId: unique('stolen'), responses: {} } } },
});

/** What decides who a member is, or where a member's token goes. */
const deciding: Record<string, Step> = {
  'adding a provider': {
    method: 'POST',
    path: (shop) => `${projectPath(shop)}/oauth-providers`,
    body: () => providerFields(evil),
    status: 201,
  },
  "changing a provider's client": patchProvider({ client_id: 'another' }),
  "changing a provider's allowed_origins": patchProvider({ allowed_origins: ['https://evil.example.com'] }),
  "adding to a provider's permissions": patchProvider({ permissions: ['read'] }),
  'adding an OAuth client': {
    method: 'POST',
    path: (shop) => `${projectPath(shop)}/oauth-clients`,
    body: () => ({ name: 'App', redirect_uris: ['https://evil.example.com/callback'] }),
    status: 201,
  },
  "changing a client's redirect_uris": {
    method: 'PATCH',
    path: clientPath,
    body: () => ({ redirect_uris: ['https://evil.example.com/callback'] }),
    status: 200,
  },
  "rotating a client's secret": {
    method: 'POST',
    path: (shop) => `${clientPath(shop)}/rotate-secret`,
    body: () => ({}),
    status: 201,
  },
  'changing oauth_member_id': {
    method: 'PATCH',
    path: (shop) => `${projectPath(shop)}/settings`,
    body: () => ({ oauth_member_id: 'email' }),
    status: 200,
  },
  'changing approval_url': {
    method: 'PATCH',
    path: (shop) => `${projectPath(shop)}/settings`,
    body: () => ({ approval_url: 'https://evil.example.com/approve?id={id}' }),
    status: 200,
  },
  'changing connect_url': {
    method: 'PATCH',
    path: (shop) => `${projectPath(shop)}/settings`,
    body: () => ({ connect_url: 'https://evil.example.com/connect' }),
    status: 200,
  },
  'creating a tool with member_oauth': {
    method: 'POST',
    path: () => '/custom-tools',
    body: ({ fields }) => toolFields(customer.url, fields),
    status: 201,
  },
  'creating a disabled one': {
    method: 'POST',
    path: () => '/custom-tools',
    body: ({ fields }) => toolFields(customer.url, { ...fields, is_enabled: false }),
    status: 201,
  },
  'importing tools with member_oauth': {
    method: 'POST',
    path: () => '/custom-tools/import',
    body: ({ fields }) => ({ document: document(customer.url), ...fields }),
    status: 201,
  },
};

for (const [what, { method, path, body, status }] of Object.entries(deciding))
  test(`${what} needs admin in production, and not in development`, async () => {
    for (const environment of ['production', 'development']) {
      const shop = await makeShop(environment);
      const send = (key: string) => api(method, path(shop), { key, body: body(shop) });
      if (environment === 'production') {
        const { details } = expectRefusal(await send(shop.developer), 403);
        assert.equal(details.reason, 'admin_in_production');
        expectResponse(await send(shop.keys.admin), status);
      } else expectResponse(await send(shop.developer), status);
    }
  });

const others: Record<string, Step> = {
  'its name, scopes and secret': patchProvider({ name: 'Login', scopes: ['openid'], client_secret: 'rotated' }),
  'fewer permissions and disabling it': patchProvider({ permissions: [], is_enabled: false }),
  'the same values': patchProvider({ allowed_origins: [customer.url], is_enabled: true, is_approved: true }),
  "a tool's description, path and timeout": onTool(() => ({
    description: 'Orders',
    endpoint_path: '/orders',
    timeout_ms: 2000,
    base_url: customer.url,
  })),
  'disabling a tool': onTool(() => ({ is_enabled: false })),
};

for (const [what, { method, path, body, status }] of Object.entries(others))
  test(`in production a developer may still set ${what}`, async () => {
    const shop = await makeShop();
    expectResponse(await api(method, path(shop), { key: shop.developer, body: body(shop) }), status);
  });

test('a tool comes to a member token by no other way: another strategy, provider or version, bulk, import', async () => {
  const shop = await makeShop();
  const second = await makeProvider(server, shop.id, evil);
  const plain = await makeTool(server, shop.developer, thief, { require_member: true });
  const refuse = async (path: string, body: object, method = 'PATCH') =>
    expectRefusal(await api(method, path, { key: shop.developer, body }), 403);
  await refuse(`/custom-tools/${plain.id}`, shop.fields);
  await refuse(`/custom-tools/${shop.tool.id}`, { auth_config: { oauth_provider_id: second.id } });
  // A version is restored by saving its definition again.
  expectResponse(await patchAs(shop.keys.admin, `/custom-tools/${plain.id}`, shop.fields), 200);
  expectResponse(await patchAs(shop.keys.admin, `/custom-tools/${plain.id}`, { auth_strategy: 'none' }), 200);
  const version = await api('GET', `/custom-tools/${plain.id}/versions/2`, { key: shop.keys.read });
  await refuse(`/custom-tools/${plain.id}`, expectResponse(version, 200).definition);

  expectResponse(await patchAs(shop.developer, `/custom-tools/${shop.tool.id}`, { is_enabled: false }), 200);
  await refuse(`/custom-tools/${shop.tool.id}`, { is_enabled: true });
  await refuse(`/custom-tools/${shop.tool.id}/enable`, {}, 'POST');
  await refuse('/custom-tools/bulk', { ids: [plain.id, shop.tool.id], action: 'enable' }, 'POST');
  const imported = { document: document(customer.url), on_conflict: 'update', is_enabled: true };
  const { created } = expectResponse(
    await api('POST', '/custom-tools/import', {
      key: shop.keys.admin,
      body: { ...imported, is_enabled: false, ...shop.fields },
    }),
    201,
  );
  await refuse('/custom-tools/import', imported, 'POST');
  const { is_enabled } = expectResponse(
    await api('GET', `/custom-tools/${created[0].id}`, { key: shop.keys.read }),
    200,
  );
  assert.equal(is_enabled, false);
  expectResponse(
    await api('POST', '/custom-tools/bulk', { key: shop.keys.admin, body: { ids: [shop.tool.id], action: 'enable' } }),
    200,
  );
});

test('an admin who saves a tool adds its origin; without it in the list no token is sent there', async () => {
  const shop = await makeShop();
  const path = `${projectPath(shop)}/oauth-providers/${shop.provider.id}`;
  const origins = async () => expectResponse(await api('GET', path, { key: shop.keys.read }), 200).allowed_origins;
  assert.deepEqual(await origins(), [customer.url]);
  const alice = await makeSession(server, shop);
  await connect(server, real, shop.provider, alice.member.id);
  const call = () => execute(server, alice.session_token, shop.tool.id);
  expectResponse(await call(), 200);

  for (const [allowed_origins, status] of [
    [[], 500],
    [['https://other.example.com'], 500],
    [[customer.url, `${customer.url}/`], 200],
  ] as const) {
    expectResponse(await patchAs(shop.keys.admin, path, { allowed_origins }), 200);
    assert.equal((await call()).status, status);
  }
  assert.deepEqual(await origins(), [customer.url]);
  expectResponse(await patchAs(shop.keys.admin, `/custom-tools/${shop.tool.id}`, { base_url: thief.url }), 200);
  assert.deepEqual(await origins(), [customer.url, thief.url]);
  for (const wrong of ['http://api.example.com', 'https://api.example.com/v1', 'https://10.0.0.1', 'example.com'])
    expectRefusal(await patchAs(shop.keys.admin, path, { allowed_origins: [wrong] }), 422);
});

test('in development an empty list allows every origin, and another list only its own', async () => {
  const shop = await makeShop('development');
  const path = `${projectPath(shop)}/oauth-providers/${shop.provider.id}`;
  const save = () => api('POST', '/custom-tools', { key: shop.developer, body: toolFields(thief.url, shop.fields) });
  const { details } = expectRefusal(await save(), 422);
  assert.deepEqual([details.field, details.reason], ['base_url', 'member_token_origin_not_allowed']);
  expectResponse(await patchAs(shop.developer, path, { allowed_origins: [] }), 200);
  const tool = expectResponse(await save(), 201);
  const alice = await makeSession(server, shop);
  await connect(server, real, shop.provider, alice.member.id);
  expectResponse(await execute(server, alice.session_token, tool.id), 200);
});

test('what somebody without admin set up in development is not used in production before an admin approves it', async () => {
  const shop = await makeShop('development');
  const body = { ...providerFields(evil), allowed_origins: [thief.url] };
  const path = `${projectPath(shop)}/oauth-providers`;
  const own = expectResponse(await api('POST', path, { key: shop.developer, body }), 201);
  assert.equal(own.is_approved, false);
  const fields = { ...memberOAuth, auth_config: { oauth_provider_id: own.id } };
  const tool = await makeTool(server, shop.developer, thief, fields);
  evil.setUser({ sub: 'mallory', email: 'mallory@example.com', email_verified: true });
  const { tokens } = await signInAt(shop, evil, own.id);
  const before = thief.requests.length;
  expectResponse(await execute(server, tokens.access_token, tool.id), 200);
  const real_one = await signInAt(shop, real, shop.provider.id);

  expectResponse(await patchAs(shop.keys.admin, projectPath(shop), { environment: 'production' }), 200);
  assert.equal(await isAlive(server, tokens.access_token), false);
  assert.equal(await isAlive(server, real_one.tokens.access_token), true);
  const { client_id, client_secret } = shop.client;
  const refresh = { refresh_token: tokens.refresh_token, client_id, client_secret };
  assert.equal((await postForm(server, '/oauth/token', refresh)).status, 400);
  assert.equal((await visit(shop, evil, own.id)).location?.startsWith(evil.url) ?? false, false);
  const alice = await makeSession(server, shop);
  await connect(server, evil, own, alice.member.id);
  const refusal = async () => expectRefusal(await execute(server, alice.session_token, tool.id), 500).details.reason;
  assert.equal(await refusal(), 'tool_not_approved');
  expectResponse(await patchAs(shop.keys.admin, `/custom-tools/${tool.id}`, { is_approved: true }), 200);
  assert.equal(await refusal(), 'oauth_provider_not_approved');
  assert.equal(thief.requests.length, before + 1);

  expectRefusal(await patchAs(shop.developer, `${path}/${own.id}`, { is_approved: true }), 403);
  expectResponse(await patchAs(shop.keys.admin, `${path}/${own.id}`, { is_approved: true }), 200);
  expectResponse(await execute(server, alice.session_token, tool.id), 200);
  assert.ok((await signInAt(shop, evil, own.id)).tokens);
});

test('a change by somebody without admin in development takes the approval of a provider back', async () => {
  const changes = [
    { allowed_origins: [thief.url] },
    { client_id: 'another' },
    { permissions: ['read'] },
    { is_enabled: true },
  ];
  for (const change of changes) {
    const shop = await makeShop('development');
    const path = `${projectPath(shop)}/oauth-providers/${shop.provider.id}`;
    if ('is_enabled' in change) expectResponse(await patchAs(shop.keys.admin, path, { is_enabled: false }), 200);
    assert.equal(expectResponse(await patchAs(shop.developer, path, { name: 'Login' }), 200).is_approved, true);
    assert.equal(expectResponse(await patchAs(shop.developer, path, change), 200).is_approved, false);
    expectRefusal(await patchAs(shop.developer, path, { is_approved: true }), 403);
  }
});

test('a tool whose provider has an empty list sends no token once its project is in production', async () => {
  const shop = await makeShop('development');
  const path = `${projectPath(shop)}/oauth-providers/${shop.provider.id}`;
  expectResponse(await patchAs(shop.keys.admin, path, { allowed_origins: [] }), 200);
  const alice = await makeSession(server, shop);
  await connect(server, real, shop.provider, alice.member.id);
  expectResponse(await execute(server, alice.session_token, shop.tool.id), 200);
  expectResponse(await patchAs(shop.keys.admin, projectPath(shop), { environment: 'production' }), 200);
  expectRefusal(await execute(server, alice.session_token, shop.tool.id), 500);
});

test('a member who is known by email belongs to the issuer that stated the address first', async () => {
  const shop = await makeShop();
  const path = `${projectPath(shop)}/settings`;
  expectResponse(await patchAs(shop.keys.admin, path, { oauth_member_id: 'email' }), 200);
  const partner = await makeProvider(server, shop.id, evil);
  const at = (peer: OpenIdProvider, email: string, provider: string) => {
    peer.setUser({ sub: unique('person'), email, email_verified: true });
    return signInAt(shop, peer, provider);
  };
  assert.ok((await at(real, 'Ada@Example.com', shop.provider.id)).tokens);
  assert.match((await at(evil, 'ada@example.com', partner.id)).refused ?? '', /signs in at another provider/);
  assert.ok((await at(evil, 'bob@example.com', partner.id)).tokens);
  assert.match((await at(real, 'bob@example.com', shop.provider.id)).refused ?? '', /signs in at another provider/);
  assert.ok((await at(real, 'ada@example.com', shop.provider.id)).tokens);
  // The customer's own word always names the member.
  assert.equal((await makeSession(server, shop, 'ada@example.com')).member.external_id, 'ada@example.com');
  assert.deepEqual((await memberIds(shop)).toSorted(), ['ada@example.com', 'bob@example.com']);

  // An issuer that an admin removed from the project has no members any more: they sign in where the project says now.
  const provider = `${projectPath(shop)}/oauth-providers/${partner.id}`;
  expectResponse(await api('DELETE', provider, { key: ROOT_KEY }), 204);
  assert.ok((await at(real, 'bob@example.com', shop.provider.id)).tokens);
});

test('a member from an assertion is the same member after a sign-in by email, and then belongs to that issuer', async () => {
  const shop = await makeShop();
  const path = `${projectPath(shop)}/settings`;
  expectResponse(await patchAs(shop.keys.admin, path, { oauth_member_id: 'email' }), 200);
  const partner = await makeProvider(server, shop.id, evil);
  const { member } = await makeSession(server, shop, 'eve@example.com');
  for (const peer of [real, evil]) peer.setUser({ sub: 'eve', email: 'eve@example.com', email_verified: true });
  assert.ok((await signInAt(shop, real, shop.provider.id)).tokens);
  assert.match((await signInAt(shop, evil, partner.id)).refused ?? '', /signs in at another provider/);
  assert.equal((await makeSession(server, shop, 'eve@example.com')).member.id, member.id);
});
