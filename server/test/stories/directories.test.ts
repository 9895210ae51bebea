// Publishing in directories: what the report finds in tools, calls and settings, what changed since a submission, and the entry for the
// MCP registry.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rulesOf } from '@toolgate/contract/directories/rules.ts';
import { removeOldRows } from '../../src/retention.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeClient } from '../support/make/make-oauth.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
/** The same projects, as an operator serves them who is ready to publish. */
const served = await startServer({
  TOOLGATE_PUBLIC_URL: 'https://tools.example.com',
  TOOLGATE_OPENAI_APPS_CHALLENGE: 'challenge-4711',
  DATABASE_URL: server.app.config.database_url ?? '',
});
const { api } = server;

type Tenant = Awaited<ReturnType<typeof makeTenant>>;
type Check = { id: string; status: string; tool_id: string | null; message: string; remedy: string };

const reportOf = async ({ id, keys }: Tenant, directory = 'claude', at = served): Promise<any> =>
  expectResponse(await at.api('GET', `/projects/${id}/directory-report?for=${directory}`, { key: keys.read }), 200);
/** The entries of one rule. */
const entriesOf = async (tenant: Tenant, id: string, directory = 'claude', at = served): Promise<Check[]> =>
  (await reportOf(tenant, directory, at)).checks.filter((check: Check) => check.id === id);
const statusOf = async (tenant: Tenant, id: string, directory = 'claude', at = served) =>
  (await entriesOf(tenant, id, directory, at)).map(({ status }) => status);
const tool = ({ keys }: Tenant, fields: object = {}) => makeTool(server, keys.write, customer, fields);
const settings = ({ id }: Tenant, body: object) =>
  served.api('PATCH', `/projects/${id}/settings`, { key: ROOT_KEY, body });
const submit = ({ id, keys }: Tenant, body: object = { for: 'claude' }) =>
  api('POST', `/projects/${id}/directory-submissions`, { key: keys.write, body });

const listing = {
  homepage_url: 'https://example.com',
  privacy_url: 'https://example.com/privacy',
  terms_url: 'https://example.com/terms',
  support_email: 'support@example.com',
  description: 'Find orders of the shop, and say where a parcel is.',
  icon_url: 'https://example.com/icon.png',
  version: '1.2.0',
};
const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const good = {
  title: 'Find an order',
  description: 'Finds an order by its number, and says where it is.',
  method: 'GET',
  annotations: hints,
};

test('a project that is ready fails no rule of any directory', async () => {
  const tenant = await makeTenant(server, { name: 'Shop' });
  await tool(tenant, good);
  await settings(tenant, { listing });
  expectResponse(
    await api('POST', `/projects/${tenant.id}/oauth-providers`, {
      key: ROOT_KEY,
      body: { provider: 'google', client_id: 'shop', client_secret: 'a secret of google' },
    }),
    201,
  );
  await makeClient(server, tenant.id, {
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://chatgpt.com/connector/oauth/abc'],
  });
  const limit = { name: 'Calls', per: 'member', limit: 100, window_seconds: 60 };
  expectResponse(await api('POST', `/projects/${tenant.id}/limits`, { key: ROOT_KEY, body: limit }), 201);
  for (const directory of ['claude', 'chatgpt', 'registry'] as const) {
    expectResponse(await submit(tenant, { for: directory }), 201);
    const report = await reportOf(tenant, directory);
    assert.deepEqual(Object.keys(report), ['object', 'for', 'rules_date', 'checks']);
    assert.equal(report.object, 'directory_report');
    assert.equal(report.for, directory);
    assert.match(report.rules_date, /^\d{4}-\d\d-\d\d$/);
    for (const check of report.checks) {
      assert.deepEqual(Object.keys(check), ['id', 'status', 'tool_id', 'message', 'remedy']);
      assert.match(check.remedy, / See https:\/\/\S+$/, check.id);
    }
    const open = report.checks.filter(({ status }: Check) => status !== 'pass' && status !== 'manual');
    assert.deepEqual(open, []);
    assert.deepEqual(
      report.checks.map(({ id }: Check) => id),
      rulesOf(directory).map(({ id }) => id),
    );
  }
});

test('what nobody set, wrote or confirmed is named with its tool', async () => {
  const tenant = await makeTenant(server);
  const bad = await tool(tenant, { method: 'POST', description: 'Cancels\u200b' });
  const longest = await tool(tenant, { ...good, description: 'x'.repeat(1_025) });
  const hidden = await tool(tenant, { ...good, description: 'Finds an order by its \u202enumber, and more.' });
  const odd = await tool(tenant, {
    ...good,
    annotations: { ...hints, readOnlyHint: false, destructiveHint: true },
  });
  const fine = await tool(tenant, { ...good, description: 'Finds a family 👨‍👩‍👧 by the name of it.' });
  const off = await tool(tenant, { is_enabled: false });
  const report = await reportOf(tenant);
  const named = (id: string) =>
    report.checks
      .filter((check: Check) => check.id === id && check.status !== 'pass')
      .map((check: Check) => check.tool_id);
  assert.deepEqual(named('hints_set'), [bad.id]);
  assert.deepEqual(named('titles_set'), [bad.id]);
  assert.deepEqual(new Set(named('description_text')), new Set([bad.id, longest.id, hidden.id]));
  assert.deepEqual(named('reads_and_destroys'), [odd.id]);
  assert.deepEqual(new Set(named('confirmation')), new Set([bad.id, odd.id]));
  const all = report.checks.map(({ tool_id }: Check) => tool_id);
  assert.ok(!all.includes(off.id) && !all.includes(fine.id));
  assert.equal((await entriesOf(tenant, 'hints_set'))[0]?.status, 'fail');

  const [unconfirmed] = await entriesOf(tenant, 'confirmation');
  assert.equal(unconfirmed?.status, 'warning');
  await settings(tenant, { confirm_destructive: true });
  assert.deepEqual(await statusOf(tenant, 'confirmation'), ['pass']);

  const confirmed = { action: 'confirm_hints', ids: [bad.id] };
  expectResponse(await api('POST', '/custom-tools/bulk', { key: tenant.keys.write, body: confirmed }), 200);
  assert.deepEqual(await statusOf(tenant, 'hints_set'), ['pass']);
});

test('a project without tools, sign-in, limits and listing, at an address that is not public, is not ready', async () => {
  const tenant = await makeTenant(server);
  for (const [id, status] of [
    ['tools_enabled', 'fail'],
    ['oauth', 'fail'],
    ['redirect_allowed', 'warning'],
    ['limits_set', 'warning'],
    ['listing_privacy_url', 'fail'],
    ['definitions_changed', 'manual'],
  ] as const)
    assert.deepEqual(await statusOf(tenant, id), [status], id);
  assert.deepEqual(await statusOf(tenant, 'public_address', 'claude', server), ['fail']);
  assert.deepEqual(await statusOf(tenant, 'public_address'), ['pass']);
  assert.deepEqual(await statusOf(tenant, 'domain_verification', 'chatgpt', server), ['manual']);
  assert.deepEqual(await statusOf(tenant, 'domain_verification', 'chatgpt'), ['pass']);
  assert.deepEqual(await statusOf(tenant, 'listing_version', 'registry'), ['fail']);
  assert.deepEqual(await statusOf(tenant, 'server_json', 'registry'), ['fail']);
  assert.deepEqual(await statusOf(tenant, 'listing_version', 'claude'), [], 'it is not a rule there');
});

test('the report names fifty tools of a rule and counts the others', async () => {
  const tenant = await makeTenant(server);
  await Promise.all(Array.from({ length: 53 }, () => tool(tenant)));
  const found = await entriesOf(tenant, 'hints_set');
  assert.equal(found.length, 51);
  assert.ok(found.slice(0, 50).every(({ tool_id }) => tool_id !== null));
  assert.equal(found[50]?.tool_id, null);
  assert.match(found[50]?.message ?? '', /^3 more tools/);
});

test('large results and results that violate their schema are found in the calls of the last days', async () => {
  const tenant = await makeTenant(server);
  const large = await tool(tenant, good);
  const strict = await tool(tenant, { ...good, output_schema: { type: 'object', required: ['id'] } });
  customer.respond(large.endpoint_path, { body: { text: 'x'.repeat(120_000) } });
  customer.respond(strict.endpoint_path, { body: { name: 'without an id' } });
  expectResponse(await execute(server, tenant.keys.read, large.id), 200);
  const params = { name: strict.name, arguments: {} };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
  const response = await api('POST', '/mcp', { key: tenant.keys.read, body, headers });
  assert.equal(expectResponse(response, 200).result.isError, true);
  await server.app.batch_writer.flush();

  const [size] = await entriesOf(tenant, 'result_tokens');
  assert.deepEqual([size?.status, size?.tool_id], ['fail', large.id]);
  assert.match(size?.message ?? '', /30,0\d\d tokens/);
  const [violation] = await entriesOf(tenant, 'schema_violations');
  assert.deepEqual([violation?.status, violation?.tool_id], ['fail', strict.id]);
  assert.match(violation?.message ?? '', /1 of 1 results .*100 %/);

  expectResponse(
    await api('PATCH', `/custom-tools/${large.id}`, { key: tenant.keys.write, body: { is_enabled: false } }),
    200,
  );
  assert.deepEqual(await statusOf(tenant, 'result_tokens'), ['pass'], 'only enabled tools count');
  served.advance(9 * 86_400_000);
  assert.deepEqual(await statusOf(tenant, 'schema_violations'), ['pass'], 'only the last days count');
  served.advance(-9 * 86_400_000);
  const kept = async () => {
    const { rows } = await server.app.pool.query('select from output_mismatches where tool_id = $1', [strict.id]);
    return rows.length;
  };
  for (const [days, count] of [
    [9, 1],
    [11, 0],
  ] as const) {
    await removeOldRows({ ...server.app, now: () => server.app.now() + days * 86_400_000 });
    assert.equal(await kept(), count, `after ${days} days`);
  }
});

test('a submission keeps the definitions, and the report names what was added, changed and removed since', async () => {
  const tenant = await makeTenant(server);
  const [kept, changed, removed, off] = [
    await tool(tenant),
    await tool(tenant),
    await tool(tenant),
    await tool(tenant),
  ];
  const first = expectResponse(await submit(tenant), 201);
  assert.deepEqual(Object.keys(first).sort(), [
    'created_at',
    'created_by',
    'for',
    'id',
    'object',
    'project_id',
    'tool_count',
    'version',
  ]);
  assert.deepEqual(
    [first.object, first.for, first.tool_count, first.version],
    ['directory_submission', 'claude', 4, null],
  );
  assert.deepEqual(await statusOf(tenant, 'definitions_changed'), ['pass']);
  assert.deepEqual(await statusOf(tenant, 'definitions_changed', 'chatgpt'), ['manual'], 'another directory');

  const key = tenant.keys.admin;
  expectResponse(
    await api('PATCH', `/custom-tools/${changed.id}`, { key, body: { description: 'Something else.' } }),
    200,
  );
  expectResponse(await api('DELETE', `/custom-tools/${removed.id}`, { key }), 204);
  expectResponse(await api('POST', `/custom-tools/${off.id}/disable`, { key }), 200);
  const added = await tool(tenant);
  const found = await entriesOf(tenant, 'definitions_changed');
  assert.deepEqual(
    Object.fromEntries(found.map(({ tool_id, message }) => [tool_id, message.replace(/^.*?: (.*) since .*$/, '$1')])),
    {
      [changed.id]: 'its definition changed',
      [removed.id]: 'it was removed or disabled',
      [off.id]: 'it was removed or disabled',
      [added.id]: 'it is new',
    },
  );
  assert.ok(found.every(({ status, tool_id }) => status === 'warning' && tool_id !== kept.id));

  const second = expectResponse(await submit(tenant), 201);
  assert.deepEqual(await statusOf(tenant, 'definitions_changed'), ['pass']);
  expectResponse(await submit(tenant, { for: 'registry' }), 201);
  const list = (query: string) =>
    api('GET', `/projects/${tenant.id}/directory-submissions?${query}`, { key: tenant.keys.read });
  const page = expectResponse(await list('for=claude&limit=1'), 200);
  assert.deepEqual([page.data[0].id, page.has_more], [second.id, true]);
  const next = expectResponse(await list(`for=claude&limit=1&cursor=${page.next_cursor}`), 200);
  assert.deepEqual([next.data[0].id, next.has_more], [first.id, false]);
  assert.equal(expectResponse(await list(''), 200).data.length, 3);
  const { rows } = await server.app.pool.query(
    'select count(distinct submission_id)::int as kept from directory_submission_tools where project_id = $1',
    [tenant.id],
  );
  assert.equal(rows[0].kept, 2, 'of each directory only the definitions of the last submission');
  const log = expectResponse(await api('GET', `/projects/${tenant.id}/audit-log?limit=5`, { key }), 200);
  assert.ok(
    log.data.some((entry: any) => entry.action === 'directory_submission.created' && entry.target_id === second.id),
  );
});

test('who may not write records no submission, and who may not read sees no report', async () => {
  const tenant = await makeTenant(server);
  const { id, keys } = tenant;
  const body = { for: 'claude' };
  expectResponse(await api('POST', `/projects/${id}/directory-submissions`, { key: keys.read, body }), 403);
  expectResponse(await api('GET', `/projects/${id}/directory-report?for=claude`, { key: keys.write }), 403);
  expectResponse(await api('GET', `/projects/${id}/server.json`, { key: keys.write }), 403);
  for (const query of ['', '?for=', '?for=apple', '?for=claude&for=chatgpt'])
    expectResponse(await api('GET', `/projects/${id}/directory-report${query}`, { key: keys.read }), 422);
  for (const wrong of [{}, { for: 'apple' }, { for: 'claude', note: '' }, { for: '\u0000' }])
    expectResponse(await submit(tenant, wrong), 422);
});

test('server.json has the reversed domain, the version, and at most 100 characters of the description', async () => {
  const tenant = await makeTenant(server, { name: 'Führung & Shop' });
  const read = () => served.api('GET', `/projects/${tenant.id}/server.json`, { key: tenant.keys.read });
  const refused = expectResponse(await read(), 409);
  assert.deepEqual([refused.error.code, refused.error.details.field], ['LISTING_INCOMPLETE', 'listing.version']);
  const description = `${'x'.repeat(99)}👍 and more`;
  await settings(tenant, { listing: { ...listing, description } });
  assert.deepEqual(expectResponse(await read(), 200), {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'com.example.tools/fuhrung-shop',
    title: 'Führung & Shop',
    description: 'x'.repeat(99),
    version: '1.2.0',
    websiteUrl: listing.homepage_url,
    icons: [{ src: listing.icon_url }],
    remotes: [{ type: 'streamable-http', url: `https://tools.example.com/api/v1/mcp/${tenant.id}` }],
  });
  assert.deepEqual(await statusOf(tenant, 'server_json', 'registry'), ['pass']);
});

test('the listing is a setting: fields that are left out stay, and what no directory would take is refused', async () => {
  const tenant = await makeTenant(server);
  const change = (fields: object) => settings(tenant, { listing: fields });
  const none = Object.fromEntries(Object.keys(listing).map((field) => [field, null]));
  const path = `/projects/${tenant.id}/settings`;
  assert.deepEqual(expectResponse(await served.api('GET', path, { key: tenant.keys.read }), 200).listing, none);
  assert.deepEqual(expectResponse(await change({ version: '1.0.0' }), 200).listing, { ...none, version: '1.0.0' });
  assert.deepEqual(expectResponse(await change({ ...listing, version: null }), 200).listing, {
    ...listing,
    version: null,
  });
  for (const version of ['1', '1.2', 'v2.0.1', '2.0.0-beta.1', '1.0.0+build.5', '2026.11.17'])
    assert.equal(expectResponse(await change({ version }), 200).listing.version, version);
  for (const [field, value] of [
    ...['^1.2.3', '~1.2', '>=1', '1.x', '1.*', '1.2.3 - 2.0.0', 'latest', '', `1.${'0'.repeat(300)}`].map((each) => [
      'version',
      each,
    ]),
    ...[
      'http://example.com',
      'example.com',
      'https://',
      'https://localhost',
      'https://a:b@example.com',
      'https://exa mple.com',
      'https://example.com/\u0000',
      'javascript:alert(1)',
      `https://example.com/${'x'.repeat(3000)}`,
    ].map((each) => ['privacy_url', each]),
    ['icon_url', `https://example.com/${'x'.repeat(250)}`],
    ['support_email', 'nobody'],
    ['support_email', 'a@example.com\u0000'],
    ['description', ''],
    ['description', ' '],
    ['description', 'a\u0000b'],
    ['description', 'x'.repeat(1_025)],
    ['phone', '1'],
  ] as [string, string][]) {
    const { error } = expectResponse(await change({ [field]: value }), 422);
    assert.equal(error.details.field, `listing.${field}`, value);
  }
  const surrogate = `{"listing":{"description":"\\ud800"}}`;
  expectResponse(await served.api('PATCH', path, { key: ROOT_KEY, body: surrogate }), 422);
  const after = expectResponse(await served.api('GET', path, { key: tenant.keys.read }), 200).listing;
  assert.deepEqual(after, { ...listing, version: '2026.11.17' });
});

test('the challenge of OpenAI is served as text, and is unknown unless it is set', async () => {
  const path = '/.well-known/openai-apps-challenge';
  const response = await fetch(`${served.url}${path}`);
  assert.deepEqual([response.status, await response.text()], [200, 'challenge-4711']);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal((await fetch(`${server.url}${path}`)).status, 404);
});
