// Every operation of the OpenAPI document × every permission × another project. The document is the list, so a new route is
// covered automatically. What an id names is created with the recorded example of its operation, or by a line in `make`.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { type Permission, permissions } from '@toolgate/contract/permissions.ts';
import { newId } from '../../src/database/ids.ts';
import { insertCalls } from '../../src/features/activity/analytics/store.ts';
import { saveConnection } from '../../src/features/oauth/connections/save.ts';
import { readExamples } from '../../src/http/openapi-examples.ts';
import { hashToken } from '../../src/secrets/tokens.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { makeCertificate } from '../support/make/make-certificate.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { newCall } from '../support/make/new-call.ts';
import { makeSigner } from '../support/make/sign-assertion.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api, app } = server;

const create = async (project: string, path: string, body?: object) =>
  expectResponse(await api('POST', path, { key: ROOT_KEY, project, body }), 201);
const webhook = (project: string) =>
  create(project, `/projects/${project}/webhooks`, { url: 'https://hooks.example.com/in', events: ['*'] });

/** Creates one of each resource that a path can name, in this project. */
const make: Record<string, (project: string) => Promise<string>> = {
  api_key_id: async (project) => (await makeKey(server, project)).id,
  integration_id: async (project) => (await create(project, `/projects/${project}/integrations`, { name: 'app' })).id,
  async assertion_key_id(project) {
    const { kid, algorithm, pem: public_key } = makeSigner();
    return (await create(project, '/assertion-keys', { kid, algorithm, public_key })).id;
  },
  async member_id(project) {
    const keys = `/projects/${project}/integrations/${await make.integration_id?.(project)}/api-keys`;
    const { key } = await create(project, keys, { name: 'app', permissions: ['read'] });
    const body = { member_external_id: 'alice' };
    return expectResponse(await api('POST', '/api/v1/mcp/session-token', { key, body }), 200).member.id;
  },
  tool_id: async (project) =>
    (await create(project, '/custom-tools', { name: 'tool', base_url: 'https://api.example.com', endpoint_path: '/' }))
      .id,
  toolset_id: async (project) => (await makeToolset(server, project)).id,
  limit_id: async (project) => {
    const body = { name: 'l', per: 'project', limit: 1, window_seconds: 1 };
    return expectResponse(await server.api('POST', `/projects/${project}/limits`, { key: ROOT_KEY, body }), 201).id;
  },
  mcp_server_id: async (project) => {
    const body = { slug: 'up', name: 'Up', url: 'https://mcp.example.com/mcp' };
    return expectResponse(await server.api('POST', `/projects/${project}/mcp-servers`, { key: ROOT_KEY, body }), 201)
      .id;
  },
  certificate_id: async (project) => (await makeCertificate(server, project)).id,
  async approval_id(project) {
    const fields = { name: 'asked', base_url: 'https://api.example.com', endpoint_path: '/', confirm: { by: 'user' } };
    await create(project, '/custom-tools', fields);
    const { key } = await makeKey(server, project, ['read']);
    return expectResponse(await api('POST', '/custom-tools/asked/execute', { key }), 409).error.details.approval_id;
  },
  async file_id(project) {
    const { key } = await makeKey(server, project, ['read']);
    return expectResponse(await api('POST', `/projects/${project}/files`, { key, body: 'a' }), 201).id;
  },
  hook_id: async (project) => {
    const body = { url: 'https://policy.example.com/', points: ['before'] };
    return (await create(project, `/projects/${project}/hooks`, body)).id;
  },
  log_stream_id: async (project) =>
    (
      await create(project, `/projects/${project}/log-streams`, {
        kind: 'https',
        source: 'tool_calls',
        endpoint: 'https://logs.example.com/',
      })
    ).id,
  async task_id(project) {
    const id = newId('tsk');
    await app.database
      .insertInto('tasks')
      .values({
        id,
        project_id: project,
        subject_id: 'key_1',
        tool_id: 'tool_1',
        tool_name: 'make_report',
        tool_version: 1,
        origin: 'https://api.example.com',
        arguments_hash: id,
        call_id: 'call_1',
        request_id: 'req_1',
        transport: 'rest',
        argument_bytes: 0,
        status: 'working',
        expires_at: new Date(app.now() + 60_000).toISOString(),
      })
      .execute();
    return id;
  },
  slug: async (project) => (await makeToolset(server, project)).slug,
  version: async () => '1',
  webhook_id: async (project) => (await webhook(project)).id,
  async delivery_id(project) {
    const { id } = await webhook(project);
    return (await create(project, `/projects/${project}/webhooks/${id}/ping`)).id;
  },
  oauth_provider_id: async (project) =>
    (
      await create(project, `/projects/${project}/oauth-providers`, {
        provider: 'google',
        client_id: 'id',
        client_secret: 'secret',
      })
    ).id,
  oauth_client_id: async (project) =>
    (
      await create(project, `/projects/${project}/oauth-clients`, {
        name: 'app',
        redirect_uris: ['https://app.example.com/callback'],
      })
    ).id,
  async connection_id(project) {
    const ids = { provider_id: await make.oauth_provider_id?.(project), member_id: await make.member_id?.(project) };
    const { provider_id = '', member_id = '' } = ids;
    const tokens = { access_token: 'a', refresh_token: null, expires_at: null, scope: null };
    return (await saveConnection(app, { project_id: project, provider_id, member_id, tokens })).id;
  },
  async grant_id(project) {
    const id = newId('oag');
    const created_at = new Date(app.now()).toISOString();
    await app.database
      .insertInto('oauth_grants')
      .values({
        id,
        project_id: project,
        member_id: (await make.member_id?.(project)) ?? '',
        provider_id: 'oap_1',
        client_kind: 'metadata',
        client_id: 'https://app.example.com/client.json',
        client_name: 'app',
        scopes: ['mcp'],
        redirect_uri: 'https://app.example.com/callback',
        code_hash: hashToken(id),
        code_expires_at: created_at,
        created_at,
      })
      .execute();
    return id;
  },
  async event_id(project) {
    await makeKey(server, project);
    return expectResponse(await api('GET', `/projects/${project}/events`, { key: ROOT_KEY }), 200).data[0].id;
  },
  async call_id(project) {
    const call = newCall(project, { created_at: app.now() });
    await insertCalls(app.pool, [call]);
    return call.id;
  },
  async request_id(project) {
    const { headers } = await api('GET', '/custom-tools?limit=x', { key: ROOT_KEY, project });
    await app.batch_writer.flush();
    return headers.get('x-request-id') as string;
  },
};
/** By a POST to the path that ends before the id. */
async function makeByExample(path: string, id: string, project: string): Promise<string> {
  const [collection = ''] = path.split(`/{${id}}`);
  const creation = operations.find((operation) => operation.method === 'POST' && operation.path === collection);
  assert.ok(creation, `nothing creates what {${id}} names: add it to \`make\``);
  const body = examples[creation.id]?.request['application/json'] as object;
  return (await create(project, fill(collection, { project_id: project }).replace('/api/v1', ''), body)).id;
}
const { operations: examples } = readExamples();
const ABSENT: Record<string, string> = { version: '1' };

type Described = { operationId: string; description?: string; security?: object[] };
type Operation = {
  id: string;
  name: string;
  method: string;
  path: string;
  access: Permission | 'api_key' | 'caller' | 'public';
};

const operations = readOperations(expectResponse(await api('GET', '/openapi.json'), 200));

function readOperations({ paths }: { paths: Record<string, Record<string, Described>> }): Operation[] {
  // No credential of a project is accepted there: metrics.test.ts, accounts-people.test.ts.
  const ofProjects = Object.entries(paths).filter(
    ([path]) => !/^\/(metrics|api\/v1\/(account|organization))/.test(path),
  );
  return ofProjects.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      access: readAccess(operation),
    })),
  );
}

/** Reads from the description who may call it. */
function readAccess({ operationId, security, description = '' }: Described): Operation['access'] {
  if (security?.length === 0) return 'public';
  const permission = permissions.find((each) => description.includes(`with the permission \`${each}\``));
  if (permission) return permission;
  if (/For any active API key(,| and) for member sessions/.test(description)) return 'caller';
  assert.match(description, /For any active API key/, `${operationId} does not say who may call it`);
  return 'api_key';
}

const idsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id as string);

function fill(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? ABSENT[name] ?? 'key_0000000000000000000000');
}

function mayCall(permission: Permission, access: Operation['access']): boolean {
  return permission === 'admin' || permission === access || access === 'api_key' || access === 'caller';
}

/** The refusal without its request id; the MCP endpoint wraps it in JSON-RPC. */
const shape = ({ status, body }: ApiResponse) => [status, { ...(body?.error?.data ?? body?.error), request_id: '' }];
const refusedKey = [
  401,
  {
    code: 'INVALID_API_KEY',
    message: 'Invalid or inactive API key',
    details: {},
    request_id: '',
    docs_url: 'http://127.0.0.1:3000/docs/errors#invalid_api_key',
    remedy: reasonRows.invalid_api_key.remedy,
  },
];

const tables = (
  await app.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'project_id'
       and not (select relispartition from pg_class where oid = table_name::regclass)`,
  )
).rows;
const rowsOf = [
  `select t::text as row from projects t where id = $1`,
  ...tables.map(({ name }) => `select t::text as row from "${name}" t where project_id = $1`),
].join(' union all ');

/** Every row of a project, in every table. */
async function snapshot(project_id: string): Promise<string[]> {
  // The last uses of the keys are written later than the answers.
  await app.batch_writer.flush();
  // With a name it is planned once: planning takes ten times as long as reading.
  const { rows } = await app.pool.query({ name: 'snapshot', text: `${rowsOf} order by 1`, values: [project_id] });
  return rows.map(({ row }) => row);
}

// The tests that must change nothing share two projects: to make them takes longer than the requests.
const mine = await makeTenant(server);
const theirs = await makeTenant(server);
const made = new Map<string, Promise<string>>();

/** What an id of the path names, made once in the other project. */
function foreignId(path: string, id: string): Promise<string> {
  const [collection = ''] = path.split(`/{${id}}`);
  const key = make[id] ? id : collection;
  const found = made.get(key) ?? make[id]?.(theirs.id) ?? makeByExample(path, id, theirs.id);
  made.set(key, found);
  return found;
}

// Failed authentications are counted per address and minute: each test starts a new minute.
beforeEach(() => server.advance(60_000));

const authenticated = operations.filter(({ access }) => access !== 'public');

test('the document lists the operations, and no public one concerns projects, tools, assertion keys or members', () => {
  assert.ok(authenticated.length >= 14);
  const open = operations.filter(({ access }) => access === 'public').map(({ name }) => name);
  // The public keys of a project: those of a JWT that it signed must be found by whoever gets it.
  const keys = /\/projects\/\{project_id\}\/(jwks\.json|\.well-known\/openid-configuration)$/;
  for (const name of open)
    if (!keys.test(name)) assert.doesNotMatch(name, /\/(projects|custom-tools|assertion-keys|members)/);
});

for (const { name, method, path, access } of authenticated) {
  test(`${name} refuses a call without a credential`, async () => {
    const { id } = theirs;
    const url = fill(path, { project_id: id });
    assert.deepEqual(shape(await api(method, url)), refusedKey);
    assert.deepEqual(shape(await api(method, url, { project: id })), refusedKey);
    assert.deepEqual(shape(await api(method, `${url}?key=${ROOT_KEY}&api_key=${ROOT_KEY}`)), refusedKey);
  });

  test(`${name} needs ${access}`, async () => {
    const { id, keys } = await makeTenant(server);
    const url = fill(path, { project_id: id });
    const [may, mayNot] = [
      permissions.filter((each) => mayCall(each, access)),
      permissions.filter((each) => !mayCall(each, access)),
    ];
    for (const permission of mayNot) {
      expectResponse(await api(method, url, { key: keys[permission] }), 403, 'Insufficient permissions');
    }
    for (const permission of may) {
      const response = await api(method, url, { key: keys[permission] });
      assert.ok(
        ![401, 403].includes(response.status) && response.status < 500,
        `${permission}: ${response.status} ${response.text}`,
      );
    }
  });

  test(`${name} ${access === 'caller' ? 'refuses' : 'accepts'} the root key`, async () => {
    const { id } = await makeProject(server);
    const { status, text } = await api(method, fill(path, { project_id: id }), { key: ROOT_KEY, project: id });
    if (access === 'caller') assert.equal(status, 403);
    else assert.ok(![401, 403].includes(status) && status < 500, text);
  });

  test(`${name} gives no key access to another project`, async () => {
    const before = await snapshot(theirs.id);
    for (const key of Object.values(mine.keys)) {
      const named = fill(path, { project_id: mine.id });
      assert.deepEqual(shape(await api(method, named, { key, project: theirs.id })), refusedKey);
      if (!path.includes('{project_id}')) continue;
      const foreign = fill(path, { project_id: theirs.id });
      assert.deepEqual(shape(await api(method, foreign, { key })), refusedKey);
      assert.deepEqual(shape(await api(method, foreign, { key, project: theirs.id })), refusedKey);
    }
    assert.deepEqual(await snapshot(theirs.id), before);
  });

  const ids = idsIn(path).filter((id) => id !== 'project_id');
  if (ids.length === 0) continue;
  test(`${name} treats an id of another project like one that does not exist`, async () => {
    const foreign: Record<string, string> = { project_id: mine.id };
    for (const id of ids) foreign[id] = await foreignId(path, id);
    const before = await snapshot(theirs.id);
    for (const body of [undefined, {}]) {
      if (method === 'GET' && body) continue;
      const absent = await api(method, fill(path, { project_id: mine.id }), { key: mine.keys.admin, body });
      const response = await api(method, fill(path, foreign), { key: mine.keys.admin, body });
      assert.ok(response.status >= 400 && response.status < 500, response.text);
      assert.deepEqual(shape(response), shape(absent));
    }
    assert.deepEqual(await snapshot(theirs.id), before);
  });
}
