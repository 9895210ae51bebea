// What the cookie of a person opens. Every operation of the OpenAPI document × every role, without Origin, with a foreign one, and
// for another organization. The document is the list, so a new route is covered automatically.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Permission } from '@toolgate/contract/permissions.ts';
import { permissionsOf, type Role, roles } from '@toolgate/contract/roles.ts';
import { createOwner } from '../../src/features/identity/accounts/owner.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import { makeOwner, makePerson, PASSWORD, type Person, signIn } from '../support/make/make-accounts.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api, app } = server;
const owner = await makeOwner(server);
const people = {} as Record<Role, Person>;
for (const role of roles) people[role] = await makePerson(server, owner, role);
const { viewer } = people;

const outside = { email: 'outside@example.com', name: 'Outside', password: PASSWORD, organization: 'Acme' };
await createOwner(app, outside);
const stranger = await signIn(server, outside.email);

type Described = { operationId: string; description?: string; security?: object[] };
type Needed = Permission | 'owner' | 'any' | 'never';
type Operation = { name: string; method: string; path: string; needed: Needed };

const { paths } = expectResponse(await api('GET', '/openapi.json'), 200);
const operations: Operation[] = Object.entries<Record<string, Described>>(paths)
  .filter(([path]) => path.startsWith('/api/') && path !== '/api/v1/account/sign-out')
  .flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        needed: readNeeded(operation),
      })),
  );

/** Reads from the description which role may call it. */
function readNeeded({ operationId, description = '' }: Described): Needed {
  // The project of these tests is a development project.
  if (description.includes('In development projects, also for people with the role `developer`')) return 'write';
  const permission = /with the permission `(\w+)`|people whose role has the permission `(\w+)`/.exec(description);
  if (permission) return (permission[1] ?? permission[2]) as Permission;
  if (description.includes('For people whose role is `owner` or `admin`')) return 'admin';
  if (description.includes('For people whose role is `owner`')) return 'owner';
  if (description.includes('or people who are signed in')) return 'any';
  assert.match(
    description,
    /For any active API key and for member sessions/,
    `${operationId} does not say who may call it`,
  );
  return 'never';
}

/** Everything that a path may name is absent, so that no call changes anything. */
function fill(path: string, project_id: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name) =>
    name === 'project_id' ? project_id : name === 'version' ? '1' : 'x_1',
  );
}

/** A body that is not JSON: refused after the authorization, before anything is done. */
const nothing = (method: string) => (method === 'GET' ? {} : { body: '{"' });

function mayCall(role: Role, needed: Needed): boolean {
  if (needed === 'any' || needed === 'never') return needed === 'any';
  if (needed === 'owner') return role === 'owner';
  const held = permissionsOf(role);
  return held.includes(needed) || held.includes('admin');
}

// Failed credentials are counted by address and minute.
beforeEach(() => server.advance(60_000));

test('the document has all operations, and the roles are sets of the four permissions', () => {
  assert.ok(operations.length > 100, String(operations.length));
  assert.deepEqual([...permissionsOf('developer')].sort(), ['read', 'webhook', 'write']);
  assert.deepEqual(permissionsOf('viewer'), ['read']);
});

for (const { name, method, path, needed } of operations) {
  const url = fill(path, owner.project.id);
  const project = owner.project.id;

  test(`${name} is for the roles that have ${needed}`, async () => {
    for (const role of roles) {
      const { status, body, text } = await people[role].api(method, url, { project, ...nothing(method) });
      if (!mayCall(role, needed)) {
        assert.equal(status, 403, `${role}: ${status} ${text}`);
        assert.equal(body?.error?.data?.code ?? body?.error?.code, 'INSUFFICIENT_PERMISSIONS');
      } else assert.ok(![401, 403].includes(status) && status < 500, `${role}: ${status} ${text}`);
    }
  });

  test(`${name} does not take the cookie from another site${method === 'GET' ? '' : ', nor without Origin'}`, async () => {
    const { cookie } = people.owner;
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: server.url.replace('http:', 'https:') },
      { origin: `${server.url}.evil.example.com` },
      { origin: server.url, 'sec-fetch-site': 'cross-site' },
      { origin: server.url, 'sec-fetch-site': 'same-site' },
    ];
    if (method !== 'GET') foreign.push({});
    for (const headers of foreign) {
      const { status, body, text } = await api(method, url, { project, headers: { cookie, ...headers } });
      assert.equal(status, 403, `${JSON.stringify(headers)}: ${status} ${text}`);
      const code = body?.error?.data?.code ?? body?.error?.code;
      // The MCP endpoint checks the origin of every request by a rule of its own.
      assert.ok(code === 'ORIGIN_NOT_ALLOWED' || (path.includes('/mcp') && code === 'HOST_NOT_ALLOWED'), code);
    }
  });

  if (/\/api\/v1\/(account|organization)/.test(path)) continue;
  test(`${name} shows another organization no project of this one`, async () => {
    const response = await stranger.api(method, url, { project, ...nothing(method) });
    assert.equal(response.status, 404, response.text);
  });
}

test('a read with the cookie needs no Origin, and works when the person opens the address', async () => {
  const { cookie } = people.viewer;
  for (const headers of [{}, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }])
    expectResponse(await api('GET', '/account', { headers: { cookie, ...headers } }), 200);
});

test('a bearer token decides alone, whatever cookie comes with it', async () => {
  const project = await makeProject(server);
  const { key } = await makeKey(server, project.id, ['read']);
  const headers = { cookie: people.owner.cookie };
  expectResponse(await api('GET', `/projects/${project.id}`, { key, headers }), 200);
  expectResponse(await api('DELETE', `/projects/${project.id}`, { key, headers }), 403);
  expectResponse(await api('GET', `/projects/${project.id}`, { key: 'svc_live_wrong', headers }), 401);
  expectResponse(await api('GET', '/account', { key, headers }), 403);
  expectResponse(await api('GET', '/account', { headers: { ...headers, authorization: 'Basic eDp5' } }), 401);
});

test('no answer allows another origin to read it', async () => {
  for (const method of ['GET', 'OPTIONS']) {
    const headers = { cookie: viewer.cookie, origin: server.url, 'access-control-request-method': 'GET' };
    const response = await api(method, '/account', { headers });
    assert.deepEqual(
      [...response.headers.keys()].filter((name) => name.startsWith('access-control')),
      [],
    );
  }
});

test('a damaged, unknown or doubled cookie is not signed in', async () => {
  const [name = '', value = ''] = people.owner.cookie.split('=');
  for (const cookie of [
    `${name}=${'a'.repeat(43)}`,
    `${name}=${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`,
    `${name}=${value}; ${name}=${value}`,
    `${name}=${value}x`,
    `__Host-${name}=${value}`,
  ])
    assert.equal(
      expectResponse(await api('GET', '/account', { headers: { cookie } }), 401).error.code,
      'NOT_SIGNED_IN',
    );
  const cookie = `theme=dark; ${name}=${value}; other=1`;
  expectResponse(await api('GET', '/account', { headers: { cookie } }), 200);
});

test('unknown cookies are counted as failed credentials of their address', async () => {
  const attempt = (i: number) =>
    api('GET', '/account', { headers: { cookie: `toolgate_session=${String(i).padStart(43, 'x')}` } });
  for (let i = 0; i < 60; i += 1) expectResponse(await attempt(i), 401);
  expectResponse(await attempt(61), 429);
  expectResponse(await viewer.api('GET', '/account'), 200);
});

test('over HTTPS the cookie is Secure and has the prefix __Host-, and the public URL is the origin', async () => {
  const secure = await startServer({ TOOLGATE_PUBLIC_URL: 'https://tools.example.com' });
  const { cookie } = await makeOwner(secure);
  assert.match(cookie, /^__Host-toolgate_session=[\w-]{43}$/);
  const response = await secure.api('POST', '/account/sign-in', {
    headers: { origin: 'https://tools.example.com' },
    body: { email: 'olivia@example.com', password: PASSWORD },
  });
  assert.match(response.headers.get('set-cookie') ?? '', /; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax$/);
  const rename = (origin: string) =>
    secure.api('PATCH', '/account', { headers: { cookie, origin }, body: { name: 'Olivia' } });
  expectResponse(await rename('https://tools.example.com'), 200);
  expectResponse(await rename('http://tools.example.com'), 403);
  expectResponse(await rename(secure.url), 403);
});

test('projects of the owners of the first organization start on enterprise, those of others on the default plan', async () => {
  const planOf = async (person: Person, more: object = {}) => {
    const body = { name: 'Another', ...more };
    const { id, plan } = expectResponse(await person.api('POST', '/projects', { body }), 201);
    expectResponse(await api('DELETE', `/projects/${id}`, { key: ROOT_KEY }), 204);
    return plan;
  };
  assert.equal(await planOf(owner), 'enterprise');
  assert.equal(await planOf(owner, { plan: 'pro' }), 'pro');
  assert.equal(await planOf(people.admin), 'free');
  assert.equal(await planOf(people.developer), 'free');
  assert.equal(await planOf(stranger), 'free', 'an owner of another organization');
});

test('a person has 10,000 requests an hour, which do not count against the project', async () => {
  const { headers } = await viewer.api('GET', `/projects/${owner.project.id}`);
  assert.equal(headers.get('x-ratelimit-limit'), '10000');
  for (let i = 0; i < 120; i += 1) await viewer.api('GET', `/projects/${owner.project.id}`);
  const usage = expectResponse(await viewer.api('GET', `/projects/${owner.project.id}/usage`), 200);
  assert.deepEqual([usage.plan, usage.limit, usage.used], ['enterprise', 100_000, 0]);
  const { key } = await makeKey(server, owner.project.id);
  expectResponse(await api('GET', `/projects/${owner.project.id}`, { key }), 200);
  for (;;) if (!(await app.limits.take(viewer.account.id, 10_000, app.now())).allowed) break;
  const refused = await viewer.api('GET', '/account');
  expectResponse(refused, 429, 'Rate limit exceeded');
  assert.equal(refused.body.error.details.reason, 'account_requests_per_hour');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  expectResponse(await people.developer.api('GET', '/account'), 200);
});

test('changes are in the audit log with the person as the actor', async () => {
  const { developer, admin } = people;
  const tool = { name: 'tool', base_url: 'https://api.example.com', endpoint_path: '/' };
  const made = expectResponse(
    await developer.api('POST', '/custom-tools', { project: owner.project.id, body: tool }),
    201,
  );
  assert.equal(made.created_by ?? developer.account.id, developer.account.id);
  const log = expectResponse(await admin.api('GET', `/projects/${owner.project.id}/audit-log?target=${made.id}`), 200);
  assert.deepEqual(log.data[0].actor, { kind: 'account', id: developer.account.id });
  assert.ok(log.data[0].ip);

  const people_log = expectResponse(
    await admin.api('GET', `/organization/audit-log?actor=${owner.account.id}&action=invitation.created`),
    200,
  );
  assert.equal(people_log.data.length, 4);
  assert.equal(people_log.data[0].project_id, null);
  const all = expectResponse(await stranger.api('GET', '/organization/audit-log?limit=100'), 200);
  assert.deepEqual([...new Set(all.data.map(({ target_id }: any) => target_id))], [stranger.account.id]);
});

test('an idempotency key of one person is not that of another', async () => {
  const headers = { 'idempotency-key': 'once' };
  const create = (person: Person) => person.api('POST', '/projects', { body: { name: 'Once' }, headers });
  const [first, again, other] = [await create(people.owner), await create(people.owner), await create(people.admin)];
  assert.equal(expectResponse(again, 201).id, expectResponse(first, 201).id);
  assert.notEqual(expectResponse(other, 201).id, first.body.id);
});

test('a deleted project is gone for people at once', async () => {
  const { id } = expectResponse(await people.owner.api('POST', '/projects', { body: { name: 'Short' } }), 201);
  expectResponse(await people.owner.api('GET', `/projects/${id}`), 200);
  expectResponse(await api('DELETE', `/projects/${id}`, { key: ROOT_KEY }), 204);
  expectResponse(await people.owner.api('GET', `/projects/${id}`), 404);
});

test('a developer manages the keys of a development project that have no permission they lack', async () => {
  const { developer, viewer } = people;
  const project = owner.project.id;
  const keys = `/projects/${project}/api-keys`;
  const mine = expectResponse(
    await developer.api('POST', keys, { body: { name: 'mine', permissions: ['read', 'write'] } }),
    201,
  );
  const strong = await makeKey(server, project, ['admin']);
  expectResponse(await developer.api('GET', keys), 200);
  expectResponse(await developer.api('GET', `${keys}/${mine.id}`), 200);
  const next = expectResponse(await developer.api('POST', `${keys}/${mine.id}/rotate`, { body: {} }), 201);
  expectResponse(await developer.api('POST', `${keys}/${next.id}/revoke`), 200);
  const integration = expectResponse(
    await developer.api('POST', `/projects/${project}/integrations`, { body: { name: 'app' } }),
    201,
  );
  const ofIntegration = `/projects/${project}/integrations/${integration.id}/api-keys`;
  expectResponse(await developer.api('POST', ofIntegration, { body: { name: 'app', permissions: ['read'] } }), 201);
  for (const refused of [
    await developer.api('POST', keys, { body: { name: 'more', permissions: ['read', 'admin'] } }),
    await developer.api('POST', ofIntegration, { body: { name: 'more', permissions: ['admin'] } }),
    await developer.api('POST', `${keys}/${strong.id}/rotate`, { body: {} }),
    await developer.api('POST', `${keys}/${strong.id}/revoke`),
    await developer.api('PATCH', `${keys}/${mine.id}`, { body: { name: 'x' } }),
    await developer.api('DELETE', `${keys}/${mine.id}`),
    await viewer.api('POST', keys, { body: { name: 'mine', permissions: ['read'] } }),
  ])
    expectResponse(refused, 403, 'Insufficient permissions');
  expectResponse(await api('GET', '/projects', { key: strong.key }), 200);
});

test('a developer manages no keys of a production project', async () => {
  const body = { name: 'live', environment: 'production' };
  const { id } = expectResponse(await owner.api('POST', '/projects', { body }), 201);
  const key = await makeKey(server, id, ['read']);
  const keys = `/projects/${id}/api-keys`;
  for (const refused of [
    await people.developer.api('GET', keys),
    await people.developer.api('POST', keys, { body: { name: 'mine', permissions: ['read'] } }),
    await people.developer.api('POST', `${keys}/${key.id}/rotate`, { body: {} }),
    await people.developer.api('POST', `${keys}/${key.id}/revoke`),
  ])
    expectResponse(refused, 403, 'Insufficient permissions');
});
