// toolgate apply: a file is written by others, so the command line decides which environment variables it may use.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { expectResponse, makeTenant } from '../../server/test/support/make/make.ts';
import { execute } from '../../server/test/support/make/make-tools.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';
import { createClient, runOnTerminal } from './run-toolgate.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const folder = mkdtempSync(join(tmpdir(), 'toolgate-cli-secrets-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = 'secret-of-this-machine-0123456789';
const host = new URL(customer.url).host;

function fileWith(variable: string, name = 'sealed'): string {
  const tool = {
    name,
    base_url: customer.url,
    endpoint_path: '/sealed',
    input_schema: { type: 'object' },
    auth_strategy: 'bearer_token',
    encrypted_auth_secret: `\${${variable}}`,
  };
  const file = join(folder, 'file.yaml');
  writeFileSync(file, stringify({ version: 1, tools: [{ ...tool, is_enabled: true }] }));
  return file;
}

const tenant = await makeTenant(server);
const tools = async () => (await server.api('GET', '/custom-tools', { key: tenant.keys.read })).body.data;

test('a variable that the command line does not allow is not read, with or without --dry-run', async () => {
  const client = createClient(server.url, tenant.keys.admin, { AWS_SECRET_ACCESS_KEY: SECRET });
  for (const options of [[], ['--dry-run'], ['--allow-env', 'AWS_SECRET'], ['--allow-env', 'aws_secret_access_key']]) {
    const message = await client.fails(['apply', fileWith('AWS_SECRET_ACCESS_KEY'), ...options], 1);
    assert.match(message, /AWS_SECRET_ACCESS_KEY\} is not allowed/);
    assert.match(message, /--allow-env AWS_SECRET_ACCESS_KEY/);
    assert.ok(message.includes(host) && !message.includes(SECRET), message);
  }
  assert.deepEqual(await tools(), []);
});

test('the credentials of toolgate itself are never sent, whatever the command line allows', async () => {
  const own = ['TOOLGATE_API_KEY', 'TOOLGATE_ROOT_KEY', 'TOOLGATE_MASTER_KEYS', 'DATABASE_URL', 'toolgate_api_key'];
  for (const name of own) {
    const client = createClient(server.url, tenant.keys.admin, name === 'TOOLGATE_API_KEY' ? {} : { [name]: SECRET });
    assert.match(await client.fails(['apply', fileWith(name)], 1), /one of toolgate's own credentials/);
    const refused = await client.fails(['apply', fileWith(name), '--allow-env', name], 2);
    assert.match(refused, /a file cannot use toolgate's own credentials/);
  }
  assert.deepEqual(await tools(), []);
});

test('what --allow-env names is used, and each variable is shown with the host that gets it before it does', async () => {
  const client = createClient(server.url, tenant.keys.admin, { SHOP_TOKEN: SECRET, OTHER: 'x' });
  const args = ['apply', fileWith('SHOP_TOKEN'), '--allow-env', 'OTHER', '--allow-env', 'SHOP_TOKEN'];
  const dry = await client.run([...args, '--dry-run', '--json']);
  const use = { variable: 'SHOP_TOKEN', host, entry: 'tools sealed', field: 'encrypted_auth_secret' };
  assert.deepEqual(JSON.parse(dry.stdout).secrets, [use]);
  assert.ok(dry.stderr.includes(`SHOP_TOKEN → ${host} (tools sealed: encrypted_auth_secret)`), dry.stderr);
  assert.deepEqual(await tools(), []);
  const { code, stdout, stderr } = await client.run(args);
  assert.equal(code, 0, stderr);
  assert.ok(stderr.includes(`SHOP_TOKEN → ${host}`) && !(stdout + stderr).includes(SECRET), stderr);
  expectResponse(await execute(server, tenant.keys.write, 'sealed'), 200);
  assert.equal(customer.at('/sealed').at(-1)?.headers.authorization, `Bearer ${SECRET}`);
});

test('a variable with the prefix TOOLGATE_SECRET_ needs no option', async () => {
  const client = createClient(server.url, tenant.keys.admin, { TOOLGATE_SECRET_SHOP: 'another-secret' });
  const { changes, secrets } = await client.json(['apply', fileWith('TOOLGATE_SECRET_SHOP')]);
  assert.deepEqual([changes.length, secrets[0].host], [1, host]);
});

const issued = {
  auth_strategy: 'oauth2_client_credentials',
  auth_config: { token_url: 'https://login.example.net/token', client_id: 'toolgate' },
  encrypted_auth_secret: `\${SHOP_TOKEN}`,
};
const issuedTool = {
  name: 'issued',
  base_url: 'https://api.example.com',
  endpoint_path: '/',
  input_schema: { type: 'object' },
  ...issued,
};
const applied = (tool: object) => stringify({ version: 1, tools: [tool] });

test('a secret that is exchanged for a token is shown with the host of token_url, of tools and of MCP servers', async () => {
  const client = createClient(server.url, tenant.keys.admin, { SHOP_TOKEN: SECRET });
  const billing = { slug: 'billing', name: 'Billing', url: 'https://mcp.example.com/mcp', ...issued };
  const file = stringify({ version: 1, tools: [issuedTool], mcp_servers: [billing] });
  const refused = await client.run(['apply', '-'], file);
  assert.match(refused.stderr, /To send it to login\.example\.net, add --allow-env SHOP_TOKEN/);
  const dry = await client.run(['apply', '-', '--dry-run', '--json', '--allow-env', 'SHOP_TOKEN'], file);
  assert.deepEqual(
    JSON.parse(dry.stdout).secrets.map((use: { entry: string; host: string }) => [use.entry, use.host]),
    [
      ['mcp_servers billing', 'login.example.net'],
      ['tools issued', 'login.example.net'],
    ],
  );
  assert.ok(!`${dry.stdout}${dry.stderr}`.includes('example.com'), dry.stderr);
});

test('a token_url that the strategy does not use hides nothing: the secret is shown with the host of the API', async () => {
  const other = await makeTenant(server);
  const client = createClient(server.url, other.keys.admin, { SHOP_TOKEN: SECRET });
  const allow = ['--allow-env', 'SHOP_TOKEN'];
  assert.equal((await client.run(['apply', '-', ...allow], applied(issuedTool))).code, 0);
  const { auth_config: _, ...bearer } = { ...issuedTool, auth_strategy: 'bearer_token' };
  const misleading = { ...issuedTool, name: 'new', auth_strategy: 'bearer_token' };
  for (const tool of [bearer, misleading]) {
    const { stdout } = await client.run(['apply', '-', '--dry-run', '--json', ...allow], applied(tool));
    assert.equal(JSON.parse(stdout).secrets[0].host, 'api.example.com');
  }
});

test('a tool that is called elsewhere, or gets its tokens elsewhere, needs its secret again, before anything changes', async () => {
  const other = await makeTenant(server);
  const client = createClient(server.url, other.keys.admin, { SHOP_TOKEN: SECRET });
  const { code, stderr } = await client.run(['apply', '-', '--allow-env', 'SHOP_TOKEN'], applied(issuedTool));
  assert.equal(code, 0, stderr);
  const { encrypted_auth_secret: _, ...kept } = issuedTool;
  const again = await client.run(['apply', '-'], applied(kept));
  assert.deepEqual([again.code, again.stdout], [0, '']);
  for (const change of [
    { base_url: 'https://elsewhere.example.com' },
    { auth_config: { ...issued.auth_config, token_url: 'https://login.example.net/other' } },
  ]) {
    const refused = await client.run(['apply', '-'], applied({ ...kept, ...change }));
    assert.deepEqual([refused.code, /tools issued requires a secret/.test(refused.stderr)], [1, true], refused.stderr);
  }
});

test('an option that is no name of a variable is refused', async () => {
  const client = createClient(server.url, tenant.keys.admin);
  assert.match(await client.fails(['apply', fileWith('X'), '--allow-env', 'A=b'], 2), /not the name of an environment/);
});

/** Clears the screen, turns the text around, begins a new line, and is not seen. */
const ODD = 'a\u001b[2Jb\u202ec\nd\u200be\u009bf\u{e0041}g';
const escapes = ['\\u001b', '\\u202e', '\\u200b', '\\u009b', '\\udb40\\udc41'];
const isRaw = (text: string) =>
  ['\u001b', '\u202e', '\u200b', '\u009b', '\u{e0041}'].some((each) => text.includes(each));

test('control, bidi and invisible characters of names are written as escapes, in every kind of output', async () => {
  const odd = await makeTenant(server);
  const body = { name: ODD, description: ODD };
  const { id } = expectResponse(
    await server.api('POST', `/projects/${odd.id}/integrations`, { key: odd.keys.admin, body }),
    201,
  );
  const client = createClient(server.url, odd.keys.admin);
  const exported = join(folder, 'odd.yaml');
  const outputs = [
    await client.run(['integrations', 'list']),
    await client.run(['integrations', 'get', id]),
    await client.run(['integrations', 'list', '--json']),
    await client.run(['export', '-']),
    await client.run(['export', exported]),
    await client.run(['apply', '-', '--dry-run'], stringify({ version: 1, integrations: [{ name: ODD + 1 }] })),
    await client.run(['apply', '-'], stringify({ version: 1, integrations: [{ name: 'x', [ODD]: 1 }] })),
    await client.run(['apply', '-'], stringify({ version: 1, oauth_clients: [{ name: 'x', integration: ODD + 2 }] })),
    await client.run(['tools', ODD]),
    await client.run(['tools', 'get', ODD]),
    await client.run(['apply', `${folder}/${ODD.replace('/', '')}`]),
  ];
  /** They do not repeat the name: a file that is written, and an answer that something was not found. */
  const silent = [4, 9];
  outputs.forEach(({ stdout, stderr }, at) => {
    assert.ok(!isRaw(stdout + stderr), `output ${at}`);
    if (!silent.includes(at))
      assert.ok(
        escapes.slice(1, 3).every((each) => (stdout + stderr).includes(each)),
        `output ${at}: ${stdout}${stderr}`,
      );
  });
  assert.ok(!isRaw(readFileSync(exported, 'utf8')));
  assert.equal(parse(readFileSync(exported, 'utf8')).integrations[0].name, ODD);
  assert.equal(JSON.parse((await client.run(['integrations', 'get', id, '--json'])).stdout).name, ODD);
  const terminal = await runOnTerminal(['integrations', 'list'], client.environment);
  assert.ok(!terminal.stdout.includes('\u001b[2J') && !terminal.stdout.includes('\u202e'), terminal.stdout);
});

test('a name of an entry cannot begin a line of its own', async () => {
  const client = createClient(server.url, tenant.keys.admin);
  const file = stringify({ version: 1, integrations: [{ name: 'a\n+ tools harmless' }] });
  const { stdout } = await client.run(['apply', '-', '--dry-run'], file);
  assert.equal(stdout.trimEnd().split('\n').length, 1);
});
