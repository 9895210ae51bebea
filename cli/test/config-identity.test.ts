// toolgate export and apply keep what identity for companies added: ID-JAGs of providers, machines, tools that say for whom they call,
// and log streams. Secrets come from the environment.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { expectResponse, makeTenant } from '../../server/test/support/make/make.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';
import { createClient } from './run-toolgate.ts';

const server = await startServer();
const folder = mkdtempSync(join(tmpdir(), 'toolgate-cli-identity-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = 'a-secret-that-is-in-no-file';
const VARIABLES = { TOOLGATE_SECRET_ONE: SECRET };
const reference = `\${TOOLGATE_SECRET_ONE}`;
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const provider = {
  provider: 'oidc',
  name: 'Company',
  issuer: 'https://login.example.com',
  client_id: 'toolgate',
  accepts_id_jag: true,
  required_claims: { tid: '007', org: 'no' },
  link_by: 'email',
  max_assertion_seconds: 600,
};
const clients = [
  {
    name: 'Job with keys',
    redirect_uris: [],
    grant_types: ['client_credentials'],
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1e3', alg: 'ES256', use: 'sig' }] },
    jwks_uri: null,
  },
  {
    name: 'Job with keys at an address',
    redirect_uris: [],
    grant_types: ['client_credentials'],
    jwks: null,
    jwks_uri: 'https://app.example.com/jwks.json',
  },
  { name: 'Exchanges only', redirect_uris: [], grant_types: [], jwks: null, jwks_uri: null },
  {
    name: 'Both',
    redirect_uris: ['https://app.example.com/back'],
    // A set: export sorts it.
    grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
    jwks: null,
    jwks_uri: null,
  },
];
const place = { base_url: 'https://api.example.com', endpoint_path: '/orders' };
const tools = [
  { name: 'with_jwt', ...place, auth_strategy: 'member_jwt', auth_config: { audience: 'https://api.example.com' } },
  {
    name: 'with_exchange',
    ...place,
    auth_strategy: 'token_exchange',
    auth_config: { token_url: 'https://login.example.com/token', audience: 'orders', scope: 'read', client_id: 'tg' },
  },
];
const streams = [
  {
    name: 'Bucket',
    kind: 's3',
    source: 'audit_log',
    is_enabled: false,
    endpoint: 'https://store.example.com',
    bucket: 'example-logs',
    region: 'eu-central-1',
    prefix: 'toolgate/',
    access_key_id: 'AKIATEST',
    flush_seconds: 60,
  },
  {
    name: 'Collector',
    kind: 'otlp_http',
    source: 'tool_calls',
    endpoint: 'https://otlp.example.com',
    flush_seconds: 7,
  },
  { name: 'Batches', kind: 'https', source: 'tool_calls', endpoint: 'https://logs.example.com/in', flush_seconds: 5 },
];

type Tenant = Awaited<ReturnType<typeof makeTenant>>;

async function makeSource(): Promise<Tenant> {
  const tenant = await makeTenant(server);
  const key = tenant.keys.admin;
  const create = async (path: string, body: object) =>
    expectResponse(await server.api('POST', path, { key, body }), 201);
  const base = `/projects/${tenant.id}`;
  await create(`${base}/oauth-providers`, { ...provider, client_secret: SECRET });
  for (const client of clients) await create(`${base}/oauth-clients`, client);
  for (const tool of tools)
    await create('/custom-tools', {
      ...tool,
      ...(tool.auth_strategy === 'token_exchange' && { encrypted_auth_secret: SECRET }),
    });
  for (const stream of streams)
    await create(`${base}/log-streams`, {
      ...stream,
      ...(stream.kind === 's3' ? { secret_access_key: SECRET } : { headers: { Authorization: SECRET } }),
    });
  return tenant;
}

/** What the API shows of these fields, by name. */
async function shown({ id, keys: { admin: key } }: Tenant, path: string, fields: readonly object[]) {
  const { data } = expectResponse(await server.api('GET', path.replace('{id}', id), { key }), 200);
  return fields.map((wanted) => {
    const entry = data.find(({ name }: any) => name === (wanted as any).name) ?? {};
    return Object.fromEntries(Object.keys(wanted).map((field) => [field, entry[field]]));
  });
}

async function expectAll(tenant: Tenant): Promise<void> {
  assert.deepEqual(await shown(tenant, '/projects/{id}/oauth-providers', [provider]), [provider]);
  assert.deepEqual(await shown(tenant, '/projects/{id}/oauth-clients', clients), clients);
  assert.deepEqual(await shown(tenant, '/custom-tools', tools), tools);
  assert.deepEqual(await shown(tenant, '/projects/{id}/log-streams', streams), streams);
}

test('a round trip keeps every field, and a second project gets the same with secrets of the environment', async () => {
  const [source, target] = [await makeSource(), await makeTenant(server)];
  await expectAll(source);
  const file = join(folder, 'identity.yaml');
  const client = createClient(server.url, source.keys.admin);
  const exported = await client.run(['export', file]);
  assert.equal(exported.code, 0, exported.stderr);
  assert.ok(!readFileSync(file, 'utf8').includes(SECRET), 'no secret is written');
  assert.deepEqual((await client.json(['apply', file])).changes, []);

  const other = createClient(server.url, target.keys.admin, VARIABLES);
  assert.match(await other.fails(['apply', file], 1), /requires a secret/);
  assert.deepEqual(
    (await shown(target, '/projects/{id}/oauth-clients', clients))[0]?.name,
    undefined,
    'nothing changes',
  );
  const content = parse(readFileSync(file, 'utf8'));
  const named = (section: string, name: string) => content[section].find((entry: any) => entry.name === name);
  named('oauth_providers', 'Company').client_secret = reference;
  named('tools', 'with_exchange').encrypted_auth_secret = reference;
  named('log_streams', 'Bucket').secret_access_key = reference;
  named('log_streams', 'Collector').headers = { Authorization: reference };
  writeFileSync(file, stringify(content));
  await other.json(['apply', file]);
  await expectAll(target);
  assert.deepEqual((await other.json(['apply', file])).changes, [], 'a second apply changes nothing');
  const [collector] = await shown(target, '/projects/{id}/log-streams', [{ name: 'Collector', header_names: [] }]);
  assert.deepEqual(collector?.header_names, ['Authorization']);

  // What a file takes back is taken back, and nothing else.
  Object.assign(named('oauth_providers', 'Company'), { accepts_id_jag: false, required_claims: {} });
  Object.assign(named('oauth_clients', 'Job with keys'), { jwks: null, jwks_uri: 'https://app.example.com/two.json' });
  named('log_streams', 'Batches').flush_seconds = 30;
  writeFileSync(file, stringify(content));
  const { changes } = await other.json(['apply', file]);
  assert.deepEqual(changes.map(({ name }: any) => name).sort(), [
    'log_streams Batches',
    'oauth_clients Job with keys',
    'oauth_providers Company',
  ]);
  const [changed] = await shown(target, '/projects/{id}/oauth-providers', [provider]);
  assert.deepEqual([changed?.accepts_id_jag, changed?.required_claims, changed?.link_by], [false, {}, 'email']);
});
