// toolgate tools import, tools load-sample and tools call.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { expectResponse, makeTenant, unique } from '../../server/test/support/make/make.ts';
import { makeIntegration, makeIntegrationKey } from '../../server/test/support/make/make-members.ts';
import { makeTool } from '../../server/test/support/make/make-tools.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { listenOnFreePort } from '../../server/test/support/servers/free-port.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';
import { createClient, runOnTerminal } from './run-toolgate.ts';
import { runProcess } from './toolgate-process.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeTenant(server);
const client = createClient(server.url, tenant.keys.admin, { API_SECRET: 'secret-of-the-import' });
const folder = mkdtempSync(join(tmpdir(), 'toolgate-cli-tools-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Four operations: a read and a write, with and without the tag "admin". */
function petsDocument(word: string, title = 'List pets') {
  const ok = { responses: { 200: { description: 'ok' } } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: customer.url }],
    paths: {
      '/pets': {
        get: { operationId: `${word}_list`, summary: title, tags: ['pets'], ...ok },
        post: { operationId: `${word}_create`, tags: ['admin'], ...ok },
      },
      '/pets/{id}': {
        parameters: [id],
        get: { operationId: `${word}_get`, tags: ['pets'], ...ok },
        delete: { operationId: `${word}_remove`, tags: ['admin'], ...ok },
      },
    },
  };
}
function writeDocument(word: string, title?: string): string {
  const file = join(folder, `${word}.json`);
  writeFileSync(file, JSON.stringify(petsDocument(word, title)));
  return file;
}
/** What removes the line of a progress bar. */
const CLEAR = `\r${String.fromCharCode(27)}[K`;
const names = (tools: { name: string }[]) => tools.map(({ name }) => name).sort();
const allTools = () => client.json(['tools', 'list', '--all']);
const toolsOf = (word: string) => client.json(['tools', 'list', '--search', word, '--all']);

test('load-sample creates tools that can be called without an API of your own', async () => {
  const { created } = await client.json(['tools', 'load-sample']);
  assert.deepEqual(created, ['find_products', 'place_order', 'my_orders']);
  const result = await client.json(['tools', 'call', 'find_products', '--arg', 'search=tea']);
  assert.equal(result.body.products[0].id, 'tea');
  assert.match((await client.run(['tools', 'load-sample'])).stderr, /NAME_TAKEN/);
});

test('import --dry-run changes nothing; import creates disabled tools; a second one changes nothing; a changed one updates', async () => {
  const file = writeDocument('twice');
  const dry = await client.run(['tools', 'import', file, '--dry-run']);
  assert.equal(dry.stdout.match(/^\+ twice_/gm)?.length, 4, dry.stdout);
  assert.match(dry.stderr, /Nothing was changed\. An import would result in: 4 new/);
  assert.deepEqual(await toolsOf('twice'), []);

  assert.equal((await client.json(['tools', 'import', file])).created.length, 4);
  const made = await toolsOf('twice');
  assert.deepEqual(names(made), ['twice_create', 'twice_get', 'twice_list', 'twice_remove']);
  assert.ok(made.every(({ is_enabled }: { is_enabled: boolean }) => !is_enabled));
  await client.json(['tools', 'import', file]);
  assert.deepEqual(await toolsOf('twice'), made);

  const changed = await client.json(['tools', 'import', writeDocument('twice', 'List all pets')]);
  assert.deepEqual([changed.created.length, names(changed.updated)], [0, ['twice_list']]);
  await client.fails(['tools', 'import', file, '--on-conflict', 'fail'], 1);
});

test('--include and --exclude choose operations; the other options are those of every new tool', async () => {
  const file = writeDocument('chosen');
  const chosen = ['--include', 'tag=pets', '--include', 'method=DELETE', '--exclude', 'chosen_get'];
  const all = ['--auth-strategy', 'bearer_token', '--secret-env', 'API_SECRET', '--require-member', '--enable'];
  const result = await client.json([
    'tools',
    'import',
    file,
    ...chosen,
    ...all,
    '--base-url',
    'https://api.example.com',
  ]);
  assert.deepEqual(names(result.created), ['chosen_list', 'chosen_remove']);
  const [tool] = await toolsOf('chosen_list');
  const { base_url, auth_strategy, has_auth_secret, require_member, is_enabled } = tool;
  assert.deepEqual(
    [base_url, auth_strategy, has_auth_secret, require_member, is_enabled],
    ['https://api.example.com', 'bearer_token', true, true, true],
  );
});

test('--tag and --method choose operations that have one of each; --context-in is that of all tools', async () => {
  const run = ['tools', 'import', writeDocument('tagged'), '--on-conflict', 'skip'];
  const created = async (...options: string[]) => names((await client.json([...run, ...options, '--dry-run'])).created);
  assert.deepEqual(await created('--tag', 'pets'), ['tagged_get', 'tagged_list']);
  assert.deepEqual(await created('--method', 'post', '--method', 'DELETE'), ['tagged_create', 'tagged_remove']);
  const several = ['--tag', 'pets', '--tag', 'admin', '--method', 'GET', '--method', 'DELETE'];
  assert.deepEqual(await created(...several), ['tagged_get', 'tagged_list', 'tagged_remove']);
  assert.deepEqual(await created(...several, '--exclude', 'tag=admin'), ['tagged_get', 'tagged_list']);
  await client.fails([...run, '--tag', 'pets', '--include', 'path=/pets'], 2);

  await client.json([...run, '--tag', 'pets', '--context-in', 'headers']);
  const made: { context_in: string }[] = await toolsOf('tagged');
  assert.deepEqual(
    made.map(({ context_in }) => context_in),
    ['headers', 'headers'],
  );
  await client.fails([...run, '--context-in', 'body'], 2);
});

test('an import maps security schemes to secrets of the environment, and says which have none, what changed and what is gone', async () => {
  const secured = (word: string, paths: object) => ({
    ...petsDocument(word),
    servers: [{ url: 'https://secured.example.com' }],
    security: [{ bearerAuth: [] }],
    components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    paths,
  });
  const { paths } = petsDocument('secured');
  const file = join(folder, 'secured.json');
  writeFileSync(file, JSON.stringify(secured('secured', paths)));
  const without = await client.run(['tools', 'import', file, '--dry-run']);
  assert.match(
    without.stderr,
    /4 tools can use the security scheme bearerAuth: set its secret with --secret-env bearer/,
  );
  const given = ['--secret-env', 'bearerAuth=API_SECRET', '--no-output-schemas'];
  const { created } = await client.json(['tools', 'import', file, ...given]);
  assert.ok(created.every((tool: { auth_strategy: string }) => tool.auth_strategy === 'bearer_token'));
  const [tool] = await toolsOf('secured_list');
  assert.equal(tool.has_auth_secret, true);

  const { '/pets': pets } = paths;
  writeFileSync(file, JSON.stringify(secured('secured', { '/pets': { get: { ...pets.get, summary: 'New' } } })));
  const again = await client.run(['tools', 'import', file, ...given]);
  assert.match(again.stdout, /^~ secured_list\t.*title/m);
  assert.match(again.stderr, /No longer in the document: .*secured_remove/);
  await client.fails(['tools', 'import', file, '--secret-env', 'bearerAuth=NOT_SET'], 2);
});

test('a document is read from stdin and from an address that only this machine reaches; a broken one changes nothing', async () => {
  const yaml = `openapi: 3.0.3\ninfo: {title: a, version: "1"}\nservers: [{url: "${customer.url}"}]\npaths:\n  /a:\n    get: {operationId: from_stdin, responses: {"200": {description: ok}}}\n`;
  const { code, stderr } = await runProcess(['tools', 'import', '-'], client.environment, yaml);
  assert.equal(code, 0, stderr);
  assert.equal((await toolsOf('from_stdin')).length, 1);

  const http = createServer((request, response) => {
    response.statusCode = request.url === '/openapi.json' ? 200 : 404;
    response.end(JSON.stringify(petsDocument('fetched')));
  });
  after(() => http.close());
  const address = `http://127.0.0.1:${await listenOnFreePort(http)}`;
  await client.json(['tools', 'import', `${address}/openapi.json`]);
  assert.equal((await toolsOf('fetched')).length, 4);
  assert.match(await client.fails(['tools', 'import', `${address}/none`], 1), /cannot be read: status 404/);

  const before = await allTools();
  await client.fails(['tools', 'import', '-'], 1, '{"openapi": "3.1.0", "paths": ');
  assert.deepEqual(await allTools(), before);
});

test('on a terminal an import shows a progress bar and then removes it', async () => {
  const { stdout, code } = await runOnTerminal(['tools', 'import', writeDocument('bar')], client.environment);
  assert.equal(code, 0, stdout);
  const [bar = '', ...rest] = stdout
    .split(CLEAR)
    .filter((part) => part !== '')
    .slice(-2);
  assert.match(bar, /^import \[ *= *\]$/);
  assert.match(stripVTControlCharacters(rest.join('')), /^\+ bar_/);
});

test('call sends the arguments as the schema types them, and prints the answer', async () => {
  const input_schema = {
    type: 'object',
    properties: { id: { type: 'string' }, count: { type: 'integer' }, tags: { type: 'array' } },
    required: ['id'],
  };
  const tool = await makeTool(server, tenant.keys.write, customer, { input_schema, context_in: 'headers' });
  customer.respond(tool.endpoint_path, (request) => ({ body: { echo: JSON.parse(request.body.toString()) } }));
  const args = ['--arg', 'id=007', '--arg', 'count=2', '--arg', 'tags=["a=b"]'];
  const { body } = await client.json(['tools', 'call', tool.name, ...args]);
  assert.deepEqual(body.echo, { id: '007', count: 2, tags: ['a=b'] });

  await server.api('PATCH', `/custom-tools/${tool.id}`, {
    key: tenant.keys.write,
    body: { response: { drop: ['echo.tags'] } },
  });
  assert.deepEqual((await client.json(['tools', 'call', tool.name, ...args])).body.echo, { id: '007', count: 2 });
  const whole = await client.json(['tools', 'call', tool.name, ...args, '--raw', 'true']);
  assert.deepEqual(whole.body.echo, { id: '007', count: 2, tags: ['a=b'] });

  const file = join(folder, 'arguments.yaml');
  writeFileSync(file, 'id: Zürich 東京\ncount: 1\n');
  const { stdout } = await client.run(['tools', 'call', tool.id, '--input', file, '--arg', 'count=3']);
  assert.deepEqual(JSON.parse(stdout), { echo: { id: 'Zürich 東京', count: 3 } });

  await client.fails(['tools', 'call', tool.name], 1);
  await client.fails(['tools', 'call', tool.name, '--arg', 'id=1', '--arg', 'id=2'], 2);
  const text = 'No\u202esuch pet, '.repeat(50);
  customer.respond(tool.endpoint_path, { status: 500, body: JSON.stringify({ message: text }) });
  const failure = await client.fails(['tools', 'call', tool.name, '--arg', 'id=1'], 1);
  assert.match(failure, /\n {2}\{"message":"No\\u202esuch pet, No.{400,900}…\nYour API returned 500/);
});

test('call --as acts for a member: by id in development, by an assertion signed here in production', async () => {
  const production = await makeTenant(server, { environment: 'production' });
  for (const [owner, isProduction] of [
    [tenant, false],
    [production, true],
  ] as const) {
    const tool = await makeTool(server, owner.keys.write, customer, { require_member: true, context_in: 'headers' });
    const { id } = await makeIntegration(server, owner.id);
    const { key } = await makeIntegrationKey(server, owner.id, id, ['admin']);
    const app = createClient(server.url, key);
    await app.fails(['tools', 'call', tool.name], 1);
    const signing: string[] = [];
    if (isProduction) {
      await app.fails(['tools', 'call', tool.name, '--as', 'zoë'], 1);
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const kid = unique('kid');
      const public_key = publicKey.export({ type: 'spki', format: 'pem' });
      const body = { kid, algorithm: 'Ed25519', public_key };
      expectResponse(await server.api('POST', '/assertion-keys', { key, body }), 201);
      const file = join(folder, `${kid}.pem`);
      writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
      signing.push('--signing-key', file, '--kid', kid, '--algorithm', 'Ed25519');
    }
    await app.json(['tools', 'call', tool.name, '--as', 'zoë', ...signing]);
    const members = customer.at(tool.endpoint_path).map(({ headers }) => String(headers['x-toolgate-member-id']));
    assert.deepEqual(members.map(decodeURIComponent), ['zoë']);
  }
});
