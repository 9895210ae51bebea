// The commands of the resources, each at least once, over a real server.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { readExamples } from '../../server/src/http/openapi-examples.ts';
import { makeKey, makeTenant } from '../../server/test/support/make/make.ts';
import { makeIntegration, makeIntegrationKey } from '../../server/test/support/make/make-members.ts';
import { execute } from '../../server/test/support/make/make-tools.ts';
import { startCustomer, testAuthority } from '../../server/test/support/peers/fake-customer.ts';
import { makeJobApi, pollingOf } from '../../server/test/support/peers/job-api.ts';
import { echoTool, startMcpUpstream } from '../../server/test/support/peers/mcp-upstream.ts';
import { ROOT_KEY, startServer } from '../../server/test/support/servers/start-server.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { operations } from '../src/operation.ts';
import { processContext } from '../src/process-context.ts';
import { createProgram } from '../src/program.ts';
import { createClient } from './run-toolgate.ts';

const customer = await startCustomer();
after(() => customer.close());
const upstream = await startMcpUpstream('modern');
after(() => upstream.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${customer.address},${upstream.address}` });
const tenant = await makeTenant(server);
const folder = mkdtempSync(join(tmpdir(), 'toolgate-cli-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const ran = new Set<string>();
/** A client that notes which commands it ran. */
function noting(key: string, more: Record<string, string> = {}) {
  const client = createClient(server.url, key, more);
  const note = (args: string[]) => ran.add(args.slice(0, 2).join(' '));
  return {
    async json(...args: string[]) {
      note(args);
      return client.json(args);
    },
    async fails(...args: string[]) {
      note(args);
      return client.fails(args, 1);
    },
    async run(...args: string[]) {
      note(args);
      return client.run(args);
    },
  };
}
const admin = noting(tenant.keys.admin, { SECRET_OF_THE_TEST: 'sealed-by-the-test' });
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

test('files are uploaded, read, downloaded and deleted; a file argument is uploaded by who calls', async () => {
  const client = noting(tenant.keys.admin);
  const source = join(folder, 'report.pdf');
  writeFileSync(source, '%PDF-1.7');
  const file = await client.json('files', 'upload', source);
  assert.deepEqual([file.name, file.content_type, file.size], ['report.pdf', 'application/pdf', 8]);
  const named = await client.json('files', 'upload', source, '--name', 'Q1.txt', '--type', 'text/plain');
  assert.deepEqual([named.name, named.content_type], ['Q1.txt', 'text/plain']);
  assert.equal((await client.json('files', 'get', file.id)).sha256, file.sha256);
  const target = join(folder, 'downloaded.pdf');
  await client.json('files', 'download', file.id, '--output', target);
  assert.equal(readFileSync(target, 'utf8'), '%PDF-1.7');
  assert.match(await client.fails('files', 'download', file.id, '--output', target), /already exists/);
  await client.json('files', 'delete', file.id);
  assert.match(await client.fails('files', 'get', file.id), /NOT_FOUND/);
  assert.match(await client.fails('files', 'upload', join(folder, 'none.pdf')), /cannot be read/);

  const input_schema = { type: 'object', properties: { report: { type: 'string', format: 'binary' } } };
  const fields = {
    name: 'send_report',
    base_url: customer.url,
    endpoint_path: '/reports',
    method: 'POST',
    input_schema,
  };
  await server.api('POST', '/custom-tools', { key: tenant.keys.admin, body: fields });
  await client.run('tools', 'call', 'send_report', '--arg', `report=@${source}`);
  const rows = await server.app.database
    .selectFrom('files')
    .select(['id', 'name'])
    .where('name', '=', 'report.pdf')
    .execute();
  assert.equal(rows.length, 1);
});

test('projects are created, listed, read, changed, measured and deleted', async () => {
  const root = noting(ROOT_KEY);
  const made = await root.json('projects', 'create', '--name', 'By hand', '--plan', 'pro');
  assert.equal(made.plan, 'pro');
  assert.ok(ids(await root.json('projects', 'list', '--all')).includes(made.id));
  assert.equal((await root.json('projects', 'update', made.id, '--name', 'Renamed')).name, 'Renamed');
  assert.equal((await root.json('projects', 'get', made.id)).name, 'Renamed');
  const changed = await root.json('projects', 'settings', made.id, '--set', 'mcp_instructions=Be brief.');
  assert.equal(changed.mcp_instructions, 'Be brief.');
  assert.deepEqual(await root.json('projects', 'settings', made.id), changed);
  assert.equal((await root.json('projects', 'usage', made.id)).limit, 1000);
  assert.equal((await root.json('projects', 'payload-usage', made.id)).used_bytes, 0);
  assert.equal((await root.json('projects', 'retention', made.id)).audit_days, 400);
  assert.deepEqual(await root.json('projects', 'delete', made.id), { id: made.id, done: true });
  assert.match(await root.fails('projects', 'get', made.id), /NOT_FOUND/);
});

test('a key of a project needs no --project, and commands on one project take its own', async () => {
  assert.equal((await admin.json('projects', 'get')).id, tenant.id);
  assert.deepEqual(ids(await admin.json('projects', 'list')), [tenant.id]);
});

test('an API key is shown by create and rotate alone', async () => {
  const made = await admin.json('keys', 'create', '--name', 'ci', '--permissions', 'read,write');
  assert.deepEqual(made.permissions.toSorted(), ['read', 'write']);
  const successor = await admin.json('keys', 'rotate', made.id, '--overlap-seconds', '60');
  assert.notEqual(successor.key, made.key);
  const shown = [
    await admin.json('keys', 'list', '--all'),
    await admin.json('keys', 'get', made.id),
    await admin.json('keys', 'update', made.id, '--name', 'old', '--active', 'false'),
    await admin.json('keys', 'revoke', made.id),
  ];
  assert.ok(![made.key, successor.key].some((key) => JSON.stringify(shown).includes(key)));
  assert.deepEqual([shown[2].name, shown[2].status], ['old', 'inactive']);
  await admin.json('keys', 'delete', made.id);
  assert.match(await admin.fails('keys', 'get', made.id), /NOT_FOUND/);
});

test('a tool is created with a secret of the environment, changed, versioned, switched and deleted', async () => {
  const file = join(folder, 'tool.yaml');
  writeFileSync(
    file,
    'description: Finds an order\ninput_schema:\n  type: object\n  properties: {id: {type: string}}\n',
  );
  const named = ['--name', 'find_order', '--base-url', customer.url, '--path', '/orders/{{id}}', '--method', 'GET'];
  const secret = ['--auth-strategy', 'bearer_token', '--secret-env', 'SECRET_OF_THE_TEST'];
  const made = await admin.json('tools', 'create', ...named, ...secret, '--data', file, '--set', 'timeout_ms=4000');
  assert.deepEqual([made.timeout_ms, made.description], [4000, 'Finds an order']);
  assert.deepEqual(made.input_schema.properties, { id: { type: 'string' } });
  assert.equal((await execute(server, tenant.keys.write, made.id, { id: '7' })).status, 200);
  assert.equal(customer.at('/orders/7').at(-1)?.headers.authorization, 'Bearer sealed-by-the-test');

  assert.deepEqual(ids(await admin.json('tools', 'list', '--search', 'find_order')), [made.id]);
  assert.equal((await admin.json('tools', 'update', 'find_order', '--description', 'Finds one')).version, 2);
  assert.equal((await admin.json('tools', 'get', 'find_order')).description, 'Finds one');
  assert.equal((await admin.json('tools', 'versions', 'find_order')).length, 2);
  assert.equal((await admin.json('tools', 'version', 'find_order', '1')).version, 1);
  const request = await admin.json('tools', 'preview', 'find_order', '--set', 'arguments={"id":"8"}');
  assert.ok(request.url.startsWith(`${customer.url}/orders/8?`), request.url);
  const definition = JSON.stringify({ base_url: customer.url, endpoint_path: '/notes' });
  const unsaved = await admin.json('tools', 'preview-definition', '--set', `definition=${definition}`);
  assert.equal(unsaved.url, `${customer.url}/notes`);
  const rule = ['--set', 'response={"select":["id"]}', '--set', `body=${JSON.stringify('{"id":7,"link":"x"}')}`];
  assert.equal((await admin.json('tools', 'preview-response', 'find_order', ...rule)).body, '{"id":7}');
  assert.equal((await admin.json('tools', 'disable', 'find_order')).is_enabled, false);
  assert.deepEqual(ids(await admin.json('tools', 'list', '--enabled', 'false')), [made.id]);
  assert.equal((await admin.json('tools', 'enable', 'find_order')).is_enabled, true);
  await admin.json('tools', 'bulk', 'disable', '--ids', made.id);
  await admin.json('tools', 'bulk', 'confirm_hints', '--ids', made.id);
  assert.deepEqual((await admin.json('tools', 'get', made.id)).derived_annotations, []);
  assert.equal((await admin.json('tools', 'get', made.id)).is_enabled, false);
  await admin.json('tools', 'delete', 'find_order');
  assert.match(await admin.fails('tools', 'get', made.id), /NOT_FOUND/);
});

test('a webhook is created, pinged, redelivered and deleted, and its secret is shown by create and rotate-secret alone', async () => {
  const made = await admin.json('webhooks', 'create', `${customer.url}/hook`, '--events', 'integration.*');
  assert.match(made.secret, /^whsec_/);
  await admin.json('webhooks', 'ping', made.id);
  await server.runJobs();
  assert.ok(customer.at('/hook').length >= 1);
  const [delivery] = await admin.json('webhooks', 'deliveries', made.id, '--status', 'succeeded');
  assert.equal((await admin.json('webhooks', 'delivery', made.id, delivery.id)).id, delivery.id);
  await admin.json('webhooks', 'redeliver', made.id, delivery.id);
  await admin.json('webhooks', 'recover', made.id, '--since', new Date(server.app.now() - 60_000).toISOString());
  const rotated = await admin.json('webhooks', 'rotate-secret', made.id, '--overlap-seconds', '60');
  assert.notEqual(rotated.secret, made.secret);
  const shown = [
    await admin.json('webhooks', 'list'),
    await admin.json('webhooks', 'get', made.id),
    await admin.json('webhooks', 'update', made.id, '--enabled', 'false', '--set', `url=${customer.url}/moved`),
  ];
  assert.ok(![made.secret, rotated.secret].some((secret) => JSON.stringify(shown).includes(secret)));
  assert.deepEqual([shown[2].is_enabled, shown[2].url], [false, `${customer.url}/moved`]);
  await admin.json('webhooks', 'delete', made.id);
  assert.match(await admin.fails('webhooks', 'get', made.id), /NOT_FOUND/);
});

test('a webhook takes its headers from the environment and gets a test event, and no command shows a value', async () => {
  const made = await admin.json('webhooks', 'create', `${customer.url}/gateway`, '--events', 'integration.*');
  const update = ['webhooks', 'update', made.id];
  const header = (name: string) => ['--header-env', `${name}=SECRET_OF_THE_TEST`];
  const changed = await admin.json(...update, ...header('X-One'), ...header('X-Two'));
  assert.deepEqual(changed.header_names, ['X-One', 'X-Two']);
  assert.ok(!JSON.stringify(changed).includes('sealed-by-the-test'));
  const sent = await admin.json('webhooks', 'test-event', made.id, '--type', 'custom_tool.created');
  assert.deepEqual([sent.event_type, sent.is_test], ['custom_tool.created', true]);
  await server.runJobs();
  const [request] = customer.at('/gateway');
  assert.deepEqual([request?.headers['x-one'], request?.headers['x-webhook-test']], ['sealed-by-the-test', 'true']);
  assert.deepEqual((await admin.json(...update, '--set', 'headers={}')).header_names, []);
});

test('members get sessions by their id or by an assertion that is signed here, lose them, and are deleted', async () => {
  const { id } = await makeIntegration(server, tenant.id);
  const app = noting((await makeIntegrationKey(server, tenant.id, id, ['admin'])).key);
  assert.match((await app.json('members', 'create-session', 'zoë 7')).session_token, /^svc_mst_/);

  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [own, registered] = [join(folder, 'private.pem'), join(folder, 'public.pem')];
  writeFileSync(own, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(registered, publicKey.export({ type: 'spki', format: 'pem' }));
  const key = await app.json('assertion-keys', 'create', registered, '--kid', 'cli-1', '--algorithm', 'ES256');
  const signed = await app.json('members', 'create-session', 'zoë 7', '--signing-key', own, '--kid', 'cli-1');
  assert.match(signed.session_token, /^svc_mst_/);

  const [member] = await app.json('members', 'list', '--external-id', 'zoë 7');
  assert.equal((await app.json('members', 'get', member.id)).external_id, 'zoë 7');
  assert.deepEqual(await app.json('members', 'connections', member.id), []);
  assert.deepEqual(await app.json('members', 'grants', member.id), []);
  assert.match(await app.fails('members', 'disconnect', member.id, 'ocn_none'), /NOT_FOUND/);
  assert.match(await app.fails('members', 'end-grant', member.id, 'ogr_none'), /NOT_FOUND/);
  await app.json('members', 'revoke-sessions', member.id);
  const refused = await server.api('GET', '/custom-tools', { key: signed.session_token });
  assert.equal(refused.status, 401);
  await app.json('members', 'delete', member.id);
  assert.match(await app.fails('members', 'delete', member.id), /NOT_FOUND/);
  assert.deepEqual(await app.json('members', 'list'), []);

  assert.deepEqual(ids(await app.json('assertion-keys', 'list')), [key.id]);
  assert.equal((await app.json('assertion-keys', 'get', key.id)).kid, 'cli-1');
  assert.ok(await app.json('assertion-keys', 'debug', 'not.an.assertion'));
  await app.json('assertion-keys', 'deactivate', key.id);
  await app.json('assertion-keys', 'delete', key.id);
});

test('a limit is created, changed, read, listed and deleted, and its usage is shown', async () => {
  const fields = ['--name', 'CLI', '--per', 'api_key', '--limit', '10', '--window-seconds', '60'];
  const made = await admin.json('limits', 'create', ...fields, '--set', 'match={"tags":["cli"]}');
  assert.deepEqual([made.limit, made.match], [10, { tags: ['cli'] }]);
  assert.equal((await admin.json('limits', 'update', made.id, '--limit', '20')).limit, 20);
  assert.equal((await admin.json('limits', 'get', made.id)).name, 'CLI');
  assert.ok(ids(await admin.json('limits', 'list')).includes(made.id));
  assert.deepEqual(await admin.json('limits', 'usage', made.id), []);
  await admin.json('limits', 'delete', made.id);
});

test('an MCP server is added, synced, reviewed, approved, exported and applied, and deleted', async () => {
  const uri = 'ui://cli/table.html';
  upstream.setViews({ [uri]: { content: { text: '<p>a table</p>' } } });
  upstream.set([echoTool('echo'), echoTool('other', { _meta: { ui: { resourceUri: uri } } }), echoTool('third')]);
  const made = await admin.json('mcp-servers', 'create', upstream.url, '--slug', 'cli', '--name', 'CLI');
  assert.equal((await admin.json('mcp-servers', 'update', made.id, '--sync-minutes', '60')).sync_minutes, 60);
  assert.equal((await admin.json('mcp-servers', 'sync', made.id)).pending_count, 3);
  const review = await admin.json('mcp-servers', 'review', made.id);
  assert.deepEqual(
    review.map(({ name }: { name: string }) => name),
    ['cli_echo', 'cli_other', 'cli_third'],
  );
  const shown = await admin.json('mcp-servers', 'view', made.id, '--sha256', review[1].view.sha256);
  assert.equal(shown.html, '<p>a table</p>');
  await admin.json('mcp-servers', 'reject', made.id, '--set', 'tool_names=["third"]');
  assert.equal((await admin.json('mcp-servers', 'approve', made.id, '--tool-names', 'echo')).tool_count, 1);
  assert.equal((await admin.json('mcp-servers', 'tools', made.id))[0].name, 'cli_echo');
  assert.equal((await admin.json('mcp-servers', 'get', made.id)).pending_count, 1);
  assert.ok(ids(await admin.json('mcp-servers', 'list')).includes(made.id));

  const toolset = { slug: 'from-mcp', name: 'From MCP', tool_ids: [(await admin.json('tools', 'get', 'cli_echo')).id] };
  await server.api('POST', `/projects/${tenant.id}/toolsets`, { key: tenant.keys.admin, body: toolset });
  const file = join(folder, 'mcp.yaml');
  await admin.json('export', file);
  assert.deepEqual((await admin.json('apply', file)).changes, []);
  const text = readFileSync(file, 'utf8');
  const lock = join(folder, 'lock.yaml');
  writeFileSync(lock, stringify({ ...parse(text), tools: undefined, limits: undefined }));
  const other = await makeTenant(server);
  const elsewhere = noting(other.keys.admin);
  const applied = await elsewhere.json('apply', lock);
  assert.ok(applied.changes.some(({ name }: { name: string }) => name === 'mcp_servers cli'));
  assert.equal((await elsewhere.json('tools', 'get', 'cli_echo')).source.upstream_name, 'echo');
  assert.deepEqual((await elsewhere.json('apply', lock)).changes, []);
  upstream.set([echoTool('echo', { description: 'Changed behind your back' })]);
  const third = noting((await makeTenant(server)).keys.admin);
  const { version, mcp_servers } = parse(text);
  writeFileSync(lock, stringify({ version, mcp_servers }));
  assert.match(await third.fails('apply', lock), /differs from the one that the file approves/);
  await admin.json('mcp-servers', 'sync', made.id);
  const approved = await admin.json('mcp-servers', 'approve', made.id, '--tool-names', 'all');
  assert.deepEqual([approved.pending_count, approved.tool_count], [0, 1]);
  await admin.json('mcp-servers', 'delete', made.id);
});

test('a tool and an MCP server that act in the name of members are approved', async () => {
  const about = { auth_strategy: 'member_jwt', auth_config: { audience: 'https://api.example.com' } };
  const file = join(folder, 'members.yaml');
  const place = { base_url: 'https://api.example.com', endpoint_path: '/orders' };
  const mcp_servers = [{ slug: 'jwt', name: 'JWT', url: upstream.url, ...about }];
  writeFileSync(file, stringify({ version: 1, tools: [{ name: 'about_member', ...place, ...about }], mcp_servers }));
  const other = await makeTenant(server);
  const developer = createClient(server.url, (await makeKey(server, other.id, ['read', 'write', 'webhook'])).key);
  const { code, stderr } = await developer.run(['apply', file]);
  assert.equal(code, 0, stderr);
  for (const name of ['tools about_member', 'mcp_servers jwt']) assert.ok(stderr.includes(`${name} is not approved`));
  const approver = noting(other.keys.admin);
  assert.equal((await approver.json('tools', 'approve', 'about_member')).is_approved, true);
  const [{ id, is_approved }] = await approver.json('mcp-servers', 'list');
  assert.equal(is_approved, false);
  assert.equal((await approver.json('mcp-servers', 'approve-server', id)).is_approved, true);
  await approver.json('export', file);
  assert.ok(!readFileSync(file, 'utf8').includes('is_approved'), 'an approval is of one project');
});

test('where members sign in for an MCP server is approved', async () => {
  const own = ['--slug', 'own', '--name', 'Own', '--auth-strategy', 'member_oauth'];
  const { id } = await admin.json('mcp-servers', 'create', upstream.url, ...own);
  const issuer = 'https://auth.example.com';
  const [authorization_endpoint, token_endpoint] = [`${issuer}/authorize`, `${issuer}/token`];
  const flags = ['--issuer', issuer, '--authorization-endpoint', authorization_endpoint, '--token-endpoint'];
  const { pinned_issuer } = await admin.json('mcp-servers', 'approve-issuer', id, ...flags, token_endpoint);
  assert.deepEqual(pinned_issuer, { issuer, authorization_endpoint, token_endpoint });
  await admin.json('mcp-servers', 'delete', id);
});

test('approvals: a call that waits is listed, read, approved and declined', async () => {
  const name = 'cli_confirmed';
  const fields = {
    name,
    base_url: 'https://api.example.com',
    endpoint_path: '/confirmed',
    confirm: { by: 'approver' },
  };
  await server.api('POST', '/custom-tools', { key: tenant.keys.admin, body: fields });
  const ask = async (n: number) => {
    const response = await server.api('POST', `/custom-tools/${name}/execute`, {
      key: tenant.keys.read,
      body: { arguments: { n } },
    });
    return response.body.error.details.approval_id;
  };
  const [one, other] = [await ask(1), await ask(2)];
  assert.deepEqual(ids(await admin.json('approvals', 'list', '--status', 'pending')).sort(), [one, other].sort());
  assert.deepEqual((await admin.json('approvals', 'get', one)).arguments, { n: 1 });
  assert.equal((await admin.json('approvals', 'approve', one, '--reason', 'agreed')).reason, 'agreed');
  assert.equal((await admin.json('approvals', 'decline', other)).status, 'declined');
});

test('tasks: a call that goes on is listed, read, cancelled, and waited for', async () => {
  const job = makeJobApi(customer);
  const fields = {
    name: 'cli_export',
    base_url: customer.url,
    endpoint_path: job.start,
    polling: { ...pollingOf(job), interval_seconds: 1 },
  };
  await server.api('POST', '/custom-tools', { key: tenant.keys.admin, body: fields });
  const { task } = await admin.json('tools', 'call', fields.name);
  assert.deepEqual(ids(await admin.json('tasks', 'list', '--status', 'working')), [task.id]);
  assert.equal((await admin.json('tasks', 'get', task.id)).tool_name, fields.name);
  assert.equal((await admin.json('tasks', 'cancel', task.id)).status, 'cancelled');

  job.say({ body: { state: 'done', output: { rows: 3 } } });
  let is_over = false;
  const calling = admin.json('tools', 'call', fields.name, '--wait').finally(() => {
    is_over = true;
  });
  while (!is_over) {
    server.advance(2_000);
    await server.runJobs();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.deepEqual((await calling).body, { rows: 3 });
});

test('directory check exits with 1 while a rule fails, and a submission, its list and server.json are printed', async () => {
  const name = 'directory_tool';
  await admin.json('tools', 'create', '--name', name, '--base-url', 'https://a.example', '--path', '/x');
  const failed = await admin.run('directory', 'check', '--for', 'claude');
  assert.equal(failed.code, 1);
  assert.match(failed.stdout, /^FAIL\thints_set\ttool_\w+\tdirectory_tool: .*\t.* See https:/m);
  assert.match(failed.stderr, /\d+ failed, \d+ warnings, \d+ to check by hand\. Rules of \d{4}-/);
  const json = await admin.run('directory', 'check', '--for', 'registry', '--json');
  assert.equal(json.code, 1);
  assert.equal(JSON.parse(json.stdout).for, 'registry');
  assert.notEqual((await admin.run('directory', 'check')).code, 0, 'which directory?');
  const made = await admin.json('directory', 'submit', '--for', 'claude');
  assert.deepEqual(ids(await admin.json('directory', 'submissions', '--for', 'claude')), [made.id]);
  const listing = { version: '1.0.0', description: 'Finds orders.' };
  await admin.json('projects', 'settings', '--set', `listing=${JSON.stringify(listing)}`);
  const { stdout } = await admin.run('directory', 'server-json');
  assert.equal(JSON.parse(stdout).version, '1.0.0');
  await admin.json('tools', 'delete', name);
});

test('a certificate is created, changed, read, listed, tried and deleted', async () => {
  const ca = JSON.stringify(testAuthority.certificate);
  const made = await admin.json('certificates', 'create', 'Company', '--set', `ca=${ca}`);
  assert.equal((await admin.json('certificates', 'update', made.id, '--name', 'Partner')).name, 'Partner');
  assert.equal((await admin.json('certificates', 'get', made.id)).has_client_key, false);
  const [listed] = await admin.json('certificates', 'list');
  assert.equal(listed.id, made.id);
  assert.equal((await admin.json('certificates', 'test', made.id, customer.url)).is_successful, true);
  await admin.json('certificates', 'delete', made.id);
});

test('a hook is created, changed, tried, read, listed and deleted, and its secret is rotated', async () => {
  const made = await admin.json('hooks', 'create', 'https://policy.example.com/x', '--points', 'before');
  assert.match(made.secret, /^hksec_/);
  assert.equal((await admin.json('hooks', 'update', made.id, '--timeout-ms', '100')).timeout_ms, 100);
  assert.equal((await admin.json('hooks', 'get', made.id)).url, 'https://policy.example.com/x');
  assert.ok(ids(await admin.json('hooks', 'list')).includes(made.id));
  const rotated = await admin.json('hooks', 'rotate-secret', made.id, '--overlap-seconds', '0');
  assert.notEqual(rotated.secret, made.secret);
  const name = 'hooked_tool';
  await admin.json('tools', 'create', '--name', name, '--base-url', 'https://a.example', '--path', '/x');
  const tried = await admin.json('hooks', 'test', made.id, '--tool', name, '--set', 'arguments={"a":1}');
  assert.deepEqual([tried.decision, tried.request.arguments], ['failed', { a: 1 }]);
  await admin.json('tools', 'delete', name);
  await admin.json('hooks', 'delete', made.id);
});

test('a log stream is created, changed, read, listed, tried and deleted, and its secret is rotated', async () => {
  const to = ['--kind', 'https', '--source', 'tool_calls', '--endpoint', 'https://logs.example/x'];
  const made = await admin.json('log-streams', 'create', ...to, '--header-env', 'Authorization=SECRET_OF_THE_TEST');
  assert.match(made.secret, /^whsec_/);
  assert.deepEqual([made.header_names, made.flush_seconds], [['Authorization'], 5]);
  const changed = await admin.json('log-streams', 'update', made.id, '--flush-seconds', '60', '--enabled', 'false');
  assert.deepEqual([changed.flush_seconds, changed.is_enabled], [60, false]);
  assert.equal((await admin.json('log-streams', 'get', made.id)).lag_seconds, 0);
  assert.ok(ids(await admin.json('log-streams', 'list')).includes(made.id));
  assert.notEqual((await admin.json('log-streams', 'rotate-secret', made.id)).secret, made.secret);
  assert.equal((await admin.json('log-streams', 'test', made.id)).is_successful, false);
  await admin.json('log-streams', 'delete', made.id);
});

test('a toolset is created and changed, narrows a key, and access explain says what the key sees', async () => {
  const name = 'toolset_tool';
  const tool = await admin.json('tools', 'create', '--name', name, '--base-url', 'https://a.example', '--path', '/x');
  const copy = await admin.json('tools', 'duplicate', tool.id, '--name', 'toolset_copy');
  const made = await admin.json('toolsets', 'create', '--slug', 'cli', '--name', 'CLI', '--tool-ids', tool.id);
  assert.equal(made.tool_count, 1);
  assert.equal((await admin.json('toolsets', 'update', made.id, '--description', 'For the test')).slug, 'cli');
  const shown = ['--grant', 'on_request', '--exposure', 'search', '--pinned-tool-ids', tool.id];
  const updated = await admin.json('toolsets', 'update', made.id, ...shown);
  assert.deepEqual([updated.grant, updated.exposure, updated.pinned_tool_ids], ['on_request', 'search', [tool.id]]);
  assert.equal((await admin.json('toolsets', 'get', made.id)).description, 'For the test');
  assert.ok(ids(await admin.json('toolsets', 'list')).includes(made.id));
  const key = await admin.json('keys', 'create', '--name', 'n', '--permissions', 'read', '--toolset-ids', made.id);
  const explained = await admin.json('access', 'explain', '--api-key-id', key.id);
  const refusals = new Map(explained.map((entry: any) => [entry.name, entry.refused_by]));
  assert.deepEqual([refusals.get(name), refusals.get('toolset_copy')], [null, 'disabled']);
  await admin.json('toolsets', 'delete', made.id, '--detach', 'true');
  for (const { id } of [tool, copy]) await admin.json('tools', 'delete', id);
});

test('integrations have keys of their own, and OAuth clients belong to them', async () => {
  const made = await admin.json('integrations', 'create', '--name', 'Shop');
  assert.equal((await admin.json('integrations', 'update', made.id, '--description', 'web')).description, 'web');
  assert.equal((await admin.json('integrations', 'get', made.id)).name, 'Shop');
  assert.ok(ids(await admin.json('integrations', 'list')).includes(made.id));
  const of = ['--integration', made.id];
  const key = await admin.json('keys', 'create', '--name', 'app', '--permissions', 'read', ...of);
  assert.deepEqual(ids(await admin.json('keys', 'list', ...of)), [key.id]);

  const named = ['--name', 'App', '--redirect-uris', 'https://app.example/back', '--set', `integration_id=${made.id}`];
  const client = await admin.json('oauth-clients', 'create', ...named);
  assert.equal((await admin.json('oauth-clients', 'get', client.id)).client_secret, undefined);
  assert.ok((await admin.json('oauth-clients', 'rotate-secret', client.id)).client_secret !== client.client_secret);
  assert.equal((await admin.json('oauth-clients', 'update', client.id, '--name', 'App 2')).name, 'App 2');
  assert.deepEqual(ids(await admin.json('oauth-clients', 'list')), [client.id]);
  await admin.json('oauth-clients', 'delete', client.id);
  await admin.json('integrations', 'delete', made.id);
});

test('an OAuth provider is registered with a secret of the environment, tested and deleted', async () => {
  const secret = ['--secret-env', 'SECRET_OF_THE_TEST'];
  const made = await admin.json('oauth-providers', 'create', '--provider', 'github', '--client-id', 'c', ...secret);
  assert.ok(!JSON.stringify(await admin.json('oauth-providers', 'list')).includes('sealed-by-the-test'));
  assert.equal((await admin.json('oauth-providers', 'update', made.id, '--name', 'Code')).name, 'Code');
  assert.equal((await admin.json('oauth-providers', 'get', made.id)).name, 'Code');
  assert.ok(await admin.json('oauth-providers', 'test', made.id));
  const report = await admin.json('oauth-providers', 'debug-id-jag', made.id, '--assertion', 'x');
  assert.equal(report.failed_check, 'shape');
  assert.equal((await admin.json('oauth-providers', 'approve', made.id)).is_approved, true);
  await admin.json('oauth-providers', 'delete', made.id);
});

test('calls, events, the audit log and the trace of a refused request can be read', async () => {
  const named = ['--name', 'logged', '--base-url', customer.url, '--path', '/logged'];
  const tool = await admin.json('tools', 'create', ...named);
  const response = await execute(server, tenant.keys.write, 'logged');
  await waitUntil(
    async () => (await admin.json('calls', 'list', '--tool', tool.id)).length === 1,
    60_000,
    'the call is in the log',
  );
  assert.equal((await admin.json('calls', 'get', response.body.call_id)).tool_name, 'logged');
  const counted = await admin.json('analytics', 'get', '--group-by', 'tool');
  assert.ok(
    counted.data.some(({ group }: { group: string }) => group === tool.id),
    JSON.stringify(counted),
  );
  assert.ok(Array.isArray((await admin.json('analytics', 'results')).tools));
  const [event] = await admin.json('events', 'list', '--type', 'custom_tool.created', '--limit', '1');
  assert.equal((await admin.json('events', 'get', event.id)).id, event.id);
  const entries = await admin.json('audit', 'list', '--action', 'custom_tool.created', '--target', tool.id);
  assert.deepEqual(
    entries.map(({ target_id }: { target_id: string }) => target_id),
    [tool.id],
  );
  const refused = await server.api('GET', '/custom-tools/tool_none', { key: tenant.keys.read });
  const request = refused.body.error.request_id;
  await waitUntil(
    async () => (await admin.json('requests', 'get', request)).request_id === request,
    60_000,
    'the trace is written',
  );
  const listed = await admin.json('requests', 'list', '--status', '404');
  assert.ok(listed.some(({ request_id }: { request_id: string }) => request_id === request));
});

test('a list shows what was asked for: --limit, --all, and a word about the rest', async () => {
  const named = (name: string) => ['--name', name, '--base-url', customer.url, '--path', `/${name}`];
  for (const name of ['paged_a', 'paged_b', 'paged_c']) await admin.json('tools', 'create', ...named(name));
  const { run } = createClient(server.url, tenant.keys.read);
  const { stdout, stderr } = await run(['tools', 'list', '--search', 'paged_', '--limit', '2']);
  assert.equal(stdout.trim().split('\n').length, 2);
  assert.match(stderr, /more than 2: use --all/);
  assert.equal((await admin.json('tools', 'list', '--search', 'paged_', '--limit', '1', '--all')).length, 3);
});

/** Groups with nothing but the five usual commands that no test above is about. */
const plain = createProgram(processContext()).commands.filter(
  (group) =>
    group.commands.map((command) => command.name()).join() === 'list,get,create,update,delete' &&
    !['integrations', 'toolsets'].includes(group.name()),
);
for (const group of plain)
  test(`${group.name()} are created, listed, read, changed and deleted`, async () => {
    const method = group.name().replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const request = (id: string) => Object.entries(readExamples().operations[id]?.request['application/json'] ?? {});
    const flags = (id: string) => request(id).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const [creation, change] = ['create', 'update'].map((name) =>
      Object.entries(operations).find(([, operation]) => operation.method === `${method}.${name}`),
    );
    assert.ok(creation && change);
    const { id } = await admin.json(group.name(), 'create', ...flags(creation[0]));
    const changed = await admin.json(group.name(), 'update', id, ...flags(change[0]));
    assert.deepEqual(await admin.json(group.name(), 'get', id), changed);
    assert.ok(ids(await admin.json(group.name(), 'list')).includes(id));
    await admin.json(group.name(), 'delete', id);
    assert.ok(!ids(await admin.json(group.name(), 'list')).includes(id));
  });

test('every command of every resource was run here', () => {
  /** Each has a test file of its own. */
  const elsewhere = [
    'audit rotate-key',
    'audit verify',
    'audit verify-file',
    'calls tail',
    'master-key rotate',
    'owner create',
    'owner reset',
    'signing-keys rotate',
    'tools call',
    'tools import',
    'tools load-sample',
    'webhooks listen',
  ];
  const all = createProgram(processContext()).commands.flatMap((group) =>
    group.commands.map((command) => `${group.name()} ${command.name()}`),
  );
  assert.deepEqual(
    all.filter((name) => !ran.has(name) && !elsewhere.includes(name)),
    [],
  );
});
