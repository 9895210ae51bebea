// toolgate export and apply: a project's configuration as a file.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { expectResponse, makeTenant, unique } from '../../server/test/support/make/make.ts';
import { makeCertificate } from '../../server/test/support/make/make-certificate.ts';
import { mcpServersOf } from '../../server/test/support/make/make-mcp-server.ts';
import { makeIntegration, registerSigner } from '../../server/test/support/make/make-members.ts';
import { execute, makeTool } from '../../server/test/support/make/make-tools.ts';
import { makeToolset } from '../../server/test/support/make/make-toolset.ts';
import { makeWebhook } from '../../server/test/support/make/make-webhook.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { echoTool, startMcpUpstream } from '../../server/test/support/peers/mcp-upstream.ts';
import { ROOT_KEY, startServer } from '../../server/test/support/servers/start-server.ts';
import { type SectionName, sections } from '../src/config/sections.ts';
import { createClient } from './run-toolgate.ts';

const customer = await startCustomer();
after(() => customer.close());
const upstream = await startMcpUpstream('modern', [echoTool('echo')]);
after(() => upstream.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${customer.address},${upstream.address}` });
const folder = mkdtempSync(join(tmpdir(), 'toolgate-cli-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (name: string) => join(folder, name);
const read = (file: string) => parse(readFileSync(file, 'utf8'));
const write = (name: string, content: object) => {
  writeFileSync(fileOf(name), stringify({ version: 1, ...content }));
  return fileOf(name);
};

/** How a file names a secret. */
const reference = (name: string) => `\${${name}}`;
const SECRET = 'secret-of-the-provider-0123456789';

type Tenant = Awaited<ReturnType<typeof makeTenant>>;
const clientOf = ({ keys }: Tenant, variables: Record<string, string> = {}) =>
  createClient(server.url, keys.admin, variables);

/** A project with an entry in every section. */
async function makeFurnished(): Promise<Tenant> {
  const tenant = await makeTenant(server);
  const key = tenant.keys.admin;
  const integration = await makeIntegration(server, tenant.id, { name: 'Shop', description: 'öffentlich' });
  const provider = expectResponse(
    await server.api('POST', `/projects/${tenant.id}/oauth-providers`, {
      key,
      body: { provider: 'github', name: 'Code', client_id: 'c', client_secret: SECRET, scopes: ['repo', 'user'] },
    }),
    201,
  );
  const client = { name: 'App', redirect_uris: ['https://app.example/back'], integration_id: integration.id };
  expectResponse(await server.api('POST', `/projects/${tenant.id}/oauth-clients`, { key, body: client }), 201);
  await registerSigner(server, tenant.id);
  await makeWebhook(server, customer, tenant.id, { events: ['integration.created', 'custom_tool.created'] });
  const odd = { description: 'Finds: "it"\n- and more', headers: { 'X-Tenant': 'no' }, is_enabled: false };
  const schema = { type: 'object', properties: { on: { enum: ['yes', '007', null, 1.5] } } };
  await makeTool(server, key, customer, { name: 'plain', ...odd, input_schema: schema });
  const auth_config = { oauth_provider_id: provider.id };
  await makeTool(server, key, customer, {
    name: 'as_member',
    auth_strategy: 'member_oauth',
    require_member: true,
    auth_config,
  });
  const plain = expectResponse(await server.api('GET', '/custom-tools/plain', { key }), 200);
  const toolset = await makeToolset(server, tenant.id, {
    slug: 'support',
    tool_ids: [plain.id],
    tags: ['orders'],
    grant: 'on_request',
    exposure: 'search',
    pinned_tool_ids: [plain.id],
  });
  const limit = { name: 'Orders', per: 'member', limit: 9, window_seconds: 60, match: { tool_ids: [plain.id] } };
  for (const body of [limit, { ...limit, name: 'Everything', match: null }])
    expectResponse(await server.api('POST', `/projects/${tenant.id}/limits`, { key, body }), 201);
  const { id: certificate_id } = await makeCertificate(server, tenant.id, { name: 'Company' });
  const match = { tool_ids: [plain.id] };
  const hook = { url: 'https://b.example.com/', points: ['before', 'after'], match, certificate_id };
  for (const body of [hook, { ...hook, url: 'https://a.example.com/', match: null, on_failure: 'allow' }])
    expectResponse(await server.api('POST', `/projects/${tenant.id}/hooks`, { key, body }), 201);
  const stream = { name: 'Changes', kind: 'https', source: 'audit_log', endpoint: 'https://example.com/logs' };
  const headers = { Authorization: SECRET };
  const made = await server.api('POST', `/projects/${tenant.id}/log-streams`, { key, body: { ...stream, headers } });
  expectResponse(made, 201);
  await mcpServersOf(server, tenant).ready(upstream, { slug: 'up' });
  const narrowed = { key, body: { toolset_ids: [toolset.id] } };
  expectResponse(await server.api('PATCH', `/projects/${tenant.id}/integrations/${integration.id}`, narrowed), 200);
  const member_access = { default: ['support'], rules: [{ claim: 'role', equals: 'x', toolsets: ['support'] }] };
  const listing = { version: '1.2.0', privacy_url: 'https://example.com/privacy' };
  const settings = { key, body: { mcp_instructions: 'Be brief: "always"', member_access, listing } };
  expectResponse(await server.api('PATCH', `/projects/${tenant.id}/settings`, settings), 200);
  return tenant;
}

/** Everything that apply could change, with the times and versions that a change would move. */
async function stateOf({ id, keys: { admin: key } }: Tenant): Promise<unknown> {
  const below = [
    'toolsets',
    'certificates',
    'limits',
    'hooks',
    'integrations',
    'oauth-providers',
    'oauth-clients',
    'webhooks',
    'log-streams',
    'mcp-servers',
    'settings',
  ];
  const paths = ['/custom-tools', '/assertion-keys', ...below.map((name) => `/projects/${id}/${name}`)];
  const responses = await Promise.all(paths.map((path) => server.api('GET', path, { key })));
  return responses
    .map((response) => expectResponse(response, 200))
    .map((response) =>
      JSON.parse(JSON.stringify(response, (name, value) => (name === 'lag_seconds' ? undefined : value))),
    );
}

const source = await makeFurnished();
const exported = fileOf('exported.yaml');
const ran = await clientOf(source).run(['export', exported]);

/** The exported file with the secret that a new provider needs. */
function withSecret(): string {
  const content = read(exported);
  content.oauth_providers[0].client_secret = reference('TOOLGATE_SECRET_PROVIDER');
  writeFileSync(fileOf('with-secret.yaml'), stringify(content));
  return fileOf('with-secret.yaml');
}

test('export writes one YAML file with every section, names instead of ids, and no secret', async () => {
  assert.deepEqual([ran.code, ran.stdout], [0, ''], ran.stderr);
  const text = readFileSync(exported, 'utf8');
  const content = read(exported);
  const sections = [
    'toolsets',
    'certificates',
    'integrations',
    'oauth_providers',
    'assertion_keys',
    'mcp_servers',
    'tools',
    'limits',
    'hooks',
    'webhooks',
    'log_streams',
    'oauth_clients',
  ];
  assert.deepEqual(Object.keys(content), ['version', 'settings', ...sections]);
  for (const section of sections) assert.ok(content[section].length > 0, section);
  assert.deepEqual(content.tools[0].auth_config, { oauth_provider: 'Code' });
  assert.equal(content.oauth_clients[0].integration, 'Shop');
  const matches = content.limits.map(({ name, match }: any) => [name, match]);
  assert.deepEqual(Object.fromEntries(matches), { Orders: { tools: ['plain'] }, Everything: null });
  const hooks = content.hooks.map(({ url, match }: any) => [url, match]);
  // In the order in which they are asked.
  const asked = [
    ['https://b.example.com/', { tools: ['plain'] }],
    ['https://a.example.com/', null],
  ];
  assert.deepEqual(hooks, asked);
  assert.deepEqual([content.certificates[0].name, content.hooks[0].certificate], ['Company', 'Company']);
  const { tools, pinned_tools, grant } = content.toolsets[0];
  assert.deepEqual([tools, pinned_tools, grant], [['plain'], ['plain'], 'on_request']);
  assert.doesNotMatch(
    text,
    /svc_(live|test|mst|ocs)_|(wh|hk)sec_|PRIVATE KEY|\b(prj|tool|int|whk|oprv|ocl|lim|hook|crt)_\w{10}/,
  );
  assert.ok(!text.includes(SECRET));
  const { stdout } = await clientOf(source).run(['export', '-']);
  assert.equal(stdout, text);
  assert.deepEqual(await clientOf(source).json(['export', '-']), content);
});

test('a file may have some fields of the listing: the others stay, and a second apply changes nothing', async () => {
  const target = await makeTenant(server);
  const client = clientOf(target);
  const file = fileOf('listing.yaml');
  for (const listing of [{ version: '1.0.0' }, { description: 'Finds orders.' }]) {
    writeFileSync(file, stringify({ version: 1, settings: { listing } }));
    assert.equal((await client.json(['apply', file])).changes.length, 1);
    assert.equal((await client.json(['apply', file])).changes.length, 0);
  }
  const { listing } = await client.json(['projects', 'settings']);
  assert.deepEqual([listing.version, listing.description, listing.icon_url], ['1.0.0', 'Finds orders.', null]);
});

test('apply makes an empty project equal; --dry-run changes nothing before, and a second apply nothing after', async () => {
  const target = await makeTenant(server);
  const client = clientOf(target, { TOOLGATE_SECRET_PROVIDER: SECRET });
  const file = withSecret();
  const empty = await stateOf(target);
  const dry = await client.json(['apply', file, '--dry-run']);
  assert.deepEqual(await stateOf(target), empty);
  const applied = await client.json(['apply', file]);
  const names = ({ changes }: { changes: { name: string }[] }) => changes.map(({ name }) => name);
  assert.deepEqual(names(applied), names(dry));
  assert.ok(names(applied).includes('tools as_member'));

  const again = fileOf('again.yaml');
  await client.run(['export', again]);
  assert.deepEqual(read(again), read(exported));
  const state = await stateOf(target);
  assert.deepEqual((await client.json(['apply', file])).changes, []);
  assert.deepEqual(await stateOf(target), state);
  assert.deepEqual((await clientOf(target).json(['apply', exported])).changes, [], 'a secret that is left out stays');
  assert.deepEqual(await stateOf(target), state);
});

test('a project to which its own export is applied does not change', async () => {
  const state = await stateOf(source);
  const { code, stdout, stderr } = await clientOf(source).run(['apply', exported]);
  assert.deepEqual([code, stdout], [0, ''], stderr);
  assert.match(stderr, /Nothing to change/);
  assert.deepEqual(await stateOf(source), state);
});

test('a tool that would send tokens of members to an origin that its provider does not list is refused, and nothing changes', async () => {
  const target = await makeTenant(server);
  const client = clientOf(target, { TOOLGATE_SECRET_PROVIDER: SECRET });
  const allowed = 'https://api.example.com';
  const provider = {
    ...{ name: 'Code', provider: 'github', client_id: 'c', client_secret: reference('TOOLGATE_SECRET_PROVIDER') },
    allowed_origins: [allowed],
  };
  const tool = (base_url: string, fields: object = {}) => ({
    ...{ name: 'as_member', base_url, endpoint_path: '/', auth_strategy: 'member_oauth', require_member: true },
    auth_config: { oauth_provider: 'Code' },
    ...fields,
  });
  const fileWith = (...tools: object[]) => write('origins.yaml', { oauth_providers: [provider], tools });
  const expectRefused = async (file: string) => {
    const before = await stateOf(target);
    const words = await client.fails(['apply', file], 1);
    assert.match(
      words,
      /tools as_member would send members' tokens to https:\/\/other\.example\.com\. Add it to allowed_origins/,
    );
    assert.match(words, /the OAuth provider Code\./);
    assert.deepEqual(await stateOf(target), before);
  };

  await expectRefused(fileWith(tool('https://other.example.com')));
  // The only provider of the file, when the tool names none.
  await expectRefused(fileWith(tool('https://other.example.com', { auth_config: {} })));
  // Another port or scheme is another origin; the port of the scheme and a slash are not.
  await client.fails(['apply', fileWith(tool('https://api.example.com:8443'))], 1);
  await client.json(['apply', fileWith(tool(`${allowed}:443`))]);
  await expectRefused(fileWith(tool('https://other.example.com')));
  // A tool that sends no tokens may go anywhere, and so may one whose provider has no list in the file.
  const { allowed_origins: _list, ...withoutList } = provider;
  const free = { name: 'free', base_url: 'https://other.example.com', endpoint_path: '/' };
  await client.json(['apply', write('origins.yaml', { oauth_providers: [withoutList], tools: [free] })]);
});

test('only what differs is changed: other fields, other entries and other sections stay', async () => {
  const target = await makeTenant(server);
  const tool = await makeTool(server, target.keys.admin, customer, { name: 'kept', timeout_ms: 4000 });
  await makeIntegration(server, target.id, { name: 'Other' });
  const file = write('partial.yaml', { tools: [{ name: 'kept', description: 'New' }] });
  const { changes } = await clientOf(target).json(['apply', file]);
  assert.deepEqual(changes, [{ action: 'update', name: 'tools kept', fields: ['description'], id: tool.id }]);
  const found = expectResponse(await server.api('GET', `/custom-tools/${tool.id}`, { key: target.keys.read }), 200);
  assert.deepEqual([found.timeout_ms, found.description], [4000, 'New']);
  assert.equal((await clientOf(target).json(['integrations', 'list'])).length, 1);
  const same = write('partial.yaml', { tools: [{ name: 'kept', base_url: `${customer.url}/` }] });
  assert.deepEqual((await clientOf(target).json(['apply', same])).changes, [], 'stored as the same origin');
});

test('a secret is the name of a variable; written in the file, unset, or missing for a new tool it is refused and nothing changes', async () => {
  const target = await makeTenant(server);
  const tool = (fields: object) => ({
    tools: [
      { name: 'first_and_fine', base_url: customer.url, endpoint_path: '/fine', input_schema: { type: 'object' } },
      {
        name: 'sealed',
        base_url: customer.url,
        endpoint_path: '/sealed',
        input_schema: { type: 'object' },
        auth_strategy: 'bearer_token',
        ...fields,
      },
    ],
  });
  const before = await stateOf(target);
  const refused: [object, RegExp][] = [
    [{ encrypted_auth_secret: 'in the file' }, /must be \$\{NAME\}/],
    [
      { encrypted_auth_secret: reference('TOOLGATE_SECRET_NOT_SET') },
      /the environment variable TOOLGATE_SECRET_NOT_SET is not set/,
    ],
    [{}, /tools sealed requires a secret/],
  ];
  for (const [fields, words] of refused) {
    const file = write('refused.yaml', tool(fields));
    for (const options of [[], ['--dry-run']]) {
      const message = await clientOf(target).fails(['apply', file, ...options], 1);
      assert.match(message, words);
      assert.ok(!message.includes('in the file'), 'the secret is repeated');
    }
  }
  assert.deepEqual(await stateOf(target), before);

  const file = write('sealed.yaml', tool({ encrypted_auth_secret: reference('TOOLGATE_SECRET_TOOL') }));
  const first = clientOf(target, { TOOLGATE_SECRET_TOOL: 'one-secret' });
  assert.equal((await first.json(['apply', file])).changes.length, 2);
  const sent = async () => {
    expectResponse(await execute(server, target.keys.write, 'sealed'), 200);
    return customer.at('/sealed').at(-1)?.headers.authorization;
  };
  assert.equal(await sent(), 'Bearer one-secret');
  assert.deepEqual((await first.json(['apply', file])).changes, [], 'the same secret is no change');
  const changed = await clientOf(target, { TOOLGATE_SECRET_TOOL: 'another-secret' }).json(['apply', file]);
  assert.deepEqual(changed.changes[0].fields, ['encrypted_auth_secret']);
  assert.equal(await sent(), 'Bearer another-secret');
});

test('nothing is deleted without --prune, and with it only in the sections that the file has', async () => {
  const target = await makeFurnished();
  const client = clientOf(target);
  const file = write('prune.yaml', { tools: [{ name: 'plain' }], webhooks: [] });
  assert.deepEqual((await client.json(['apply', file])).changes, []);
  const before = await stateOf(target);
  const planned = await client.json(['apply', file, '--prune', '--dry-run']);
  assert.deepEqual(await stateOf(target), before);
  const { changes } = await client.json(['apply', file, '--prune']);
  assert.deepEqual(
    changes.map(({ action }: { action: string }) => action),
    ['delete', 'delete'],
  );
  assert.deepEqual(planned.changes.length, 2);
  const left = fileOf('left.yaml');
  await client.run(['export', left]);
  const { tools, webhooks, integrations } = read(left);
  assert.deepEqual([tools.map(({ name }: { name: string }) => name), webhooks], [['plain'], []]);
  assert.equal(integrations.length, 1);
});

test('a file that is not a configuration is refused with the place of the mistake, before anything is sent', async () => {
  const { fails } = createClient('http://127.0.0.1:1', 'svc_test_none');
  const wrong: [string, RegExp][] = [
    ['a: [', /is not valid YAML/],
    ['- a', /must contain one object/],
    ['version: 2', /version must be 1/],
    ['version: 1\ntolls: []', /unknown section tolls/],
    ['version: 1\ntools: {}', /tools must be a list/],
    ['version: 1\ntools: [{description: x}]', /tools\[0\] has no name/],
    ['version: 1\ntools: [{name: x, color: red}]', /color is not a field of tools/],
    ['version: 1\nsettings: 5', /settings must be an object/],
  ];
  for (const [text, words] of wrong) assert.match(await fails(['apply', '-'], 1, text), words);
});

test('the secrets of new webhooks and OAuth clients are shown only with --show-secrets', async () => {
  const webhook = () => ({ webhooks: [{ url: `${customer.url}/${unique('hook')}`, events: ['project.updated'] }] });
  const client = clientOf(await makeTenant(server));
  const hidden = await client.run(['apply', write('hidden.yaml', webhook())]);
  assert.doesNotMatch(hidden.stdout + hidden.stderr, /whsec_/);
  assert.match(hidden.stderr, /has a new secret, which is not shown/);
  const shown = await client.json(['apply', write('shown.yaml', webhook()), '--show-secrets']);
  assert.match(shown.changes[0].secret, /^whsec_/);
});

test('the headers of a webhook come from the environment; the same ones are no change, and {} removes them', async () => {
  const target = await makeTenant(server);
  const path = `/${unique('hook')}`;
  const entry = (headers: object) => ({
    webhooks: [{ url: customer.url + path, events: ['project.updated'], headers }],
  });
  const file = write('headers.yaml', entry({ Authorization: reference('TOOLGATE_SECRET_HEADER') }));
  const first = clientOf(target, { TOOLGATE_SECRET_HEADER: 'Bearer one-value' });
  assert.equal((await first.json(['apply', file])).changes.length, 1);
  assert.deepEqual((await first.json(['apply', file])).changes, [], 'the same headers are no change');
  const changed = await clientOf(target, { TOOLGATE_SECRET_HEADER: 'Bearer another' }).json(['apply', file]);
  assert.deepEqual(changed.changes[0].fields, ['headers']);
  const list = async () =>
    (await server.api('GET', `/projects/${target.id}/webhooks`, { key: target.keys.read })).body.data[0];
  const { id, header_names } = await list();
  assert.deepEqual(header_names, ['Authorization']);
  await server.api('POST', `/projects/${target.id}/webhooks/${id}/ping`, { key: target.keys.webhook });
  await server.runJobs();
  assert.equal(customer.at(path)[0]?.headers.authorization, 'Bearer another');

  const written = write('written.yaml', entry({ Authorization: 'Bearer in-the-file' }));
  const message = await first.fails(['apply', written], 1);
  assert.match(message, /headers\.Authorization must be \$\{NAME\}/);
  assert.ok(!message.includes('in-the-file'));
  const out = fileOf('exported-headers.yaml');
  await first.run(['export', out]);
  assert.doesNotMatch(readFileSync(out, 'utf8'), /Bearer/);
  await first.json(['apply', write('none.yaml', entry({}))]);
  assert.deepEqual((await list()).header_names, []);
});

test('an assertion key cannot be changed, and the project is named that needs one deactivated', async () => {
  const target = await makeTenant(server);
  const pem = () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' });
  const entry = (public_key: unknown) => ({ assertion_keys: [{ kid: 'k', algorithm: 'ES256', public_key }] });
  const client = clientOf(target);
  const first = pem();
  assert.equal((await client.json(['apply', write('key.yaml', entry(first))])).changes.length, 1);
  assert.deepEqual((await client.json(['apply', write('key.yaml', entry(String(first).trim()))])).changes, []);
  assert.match(await client.fails(['apply', write('key.yaml', entry(pem()))], 1), /cannot be changed. Deactivate it/);
});

test('the root key exports the project of --project', async () => {
  const root = createClient(server.url, ROOT_KEY);
  assert.deepEqual(await root.json(['export', '-', '--project', source.id]), read(exported));
});

test('every field that the API takes for a resource is in its section of the file', async () => {
  const { paths, components } = expectResponse(await server.api('GET', '/openapi.json'), 200);
  const inProject = '/api/v1/projects/{project_id}';
  const created: Record<SectionName, string> = {
    toolsets: `${inProject}/toolsets`,
    certificates: `${inProject}/certificates`,
    integrations: `${inProject}/integrations`,
    oauth_providers: `${inProject}/oauth-providers`,
    assertion_keys: '/api/v1/assertion-keys',
    mcp_servers: `${inProject}/mcp-servers`,
    tools: '/api/v1/custom-tools',
    limits: `${inProject}/limits`,
    hooks: `${inProject}/hooks`,
    webhooks: `${inProject}/webhooks`,
    log_streams: `${inProject}/log-streams`,
    oauth_clients: `${inProject}/oauth-clients`,
  };
  for (const { name, fields, secrets = [], references = [] } of sections) {
    const { schema } = paths[created[name]].post.requestBody.content['application/json'];
    const { properties } = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema;
    const written = [...fields, ...secrets].map(
      (field) => references.find((each) => each.inside === undefined && each.written === field)?.field ?? field,
    );
    // A file has no ids: it can be applied to another project.
    const left = name === 'limits' ? ['id', 'overrides'] : ['id'];
    const more = name === 'mcp_servers' ? ['approved', 'pinned_issuer'] : [];
    const taken = [...Object.keys(properties).filter((field) => !left.includes(field)), ...more];
    assert.deepEqual(written.toSorted(), taken.toSorted(), name);
  }
});
