// The call log: what an entry says, its filters, and what was said in a call.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '../../src/database/ids.ts';
import { insertCalls, type NewCall } from '../../src/features/activity/analytics/store.ts';
import { callTool, legacy, modern } from '../mcp/rpc.ts';
import { insertMembers } from '../support/database/insert-members.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { newCall } from '../support/make/new-call.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, app } = server;

const list = async (project_id: string, query = '', key = ROOT_KEY) =>
  expectResponse(await api('GET', `/projects/${project_id}/tool-calls${query}`, { key }), 200).data;

/** The entry of a request that was answered. */
async function entryOf(project_id: string, response: ApiResponse) {
  await app.batch_writer.flush();
  const [entry, ...more] = await list(project_id, `?request_id=${response.headers.get('x-request-id')}`);
  assert.deepEqual(more, []);
  return entry;
}

test('an entry has every field of the contract, the person of a test call, and only those', async () => {
  const { id, keys } = await makeTenant(server);
  const tool = await makeTool(server, keys.write, customer);
  const { id: api_key_id, key } = await makeKey(server, id, ['read']);
  const response = await execute(server, key, tool.id, { q: 'é' });
  const { duration_ms, stages, created_at, ...entry } = await entryOf(id, response);
  assert.deepEqual(entry, {
    id: expectResponse(response, 200).call_id,
    object: 'tool_call',
    project_id: id,
    tool_id: tool.id,
    tool_name: tool.name,
    tool_version: 1,
    api_key_id,
    session_id: null,
    member_id: null,
    integration_id: null,
    account_id: null,
    is_test: false,
    transport: 'rest',
    client_name: null,
    protocol_version: null,
    via: null,
    outcome: 'succeeded',
    is_waiting: false,
    status: 200,
    error_code: null,
    upstream_status: 200,
    request_bytes: entry.request_bytes,
    response_bytes: entry.response_bytes,
    result_tokens: entry.result_tokens,
    shaped_tokens: entry.shaped_tokens,
    policy: [],
    waiting_ms: null,
    poll_count: null,
    task_ms: null,
    request_id: response.headers.get('x-request-id'),
  });
  assert.deepEqual(Object.keys(stages), ['queue_ms', 'connect_ms', 'upstream_ms']);
  assert.ok(stages.queue_ms + stages.connect_ms + stages.upstream_ms <= duration_ms + 2, JSON.stringify(stages));
  assert.match(created_at, /Z$/);
});

test('the time of a slow customer is upstream, and a call that was never sent has no stages', async () => {
  const { id, keys } = await makeTenant(server);
  const tool = await makeTool(server, keys.write, customer, { timeout_ms: 1000 });
  customer.respond(tool.endpoint_path, { delay_ms: 120 });
  assert.ok((await entryOf(id, await execute(server, keys.read, tool.id))).stages.upstream_ms >= 115);
  customer.respond(tool.endpoint_path, { hang: true });
  const { error_code, stages } = await entryOf(id, await execute(server, keys.read, tool.id));
  assert.equal(error_code, 'TOOL_TIMED_OUT');
  assert.ok(stages.upstream_ms >= 900 && stages.connect_ms === 0, JSON.stringify(stages));
  const refused = await entryOf(id, await execute(server, keys.read, tool.id, { project_id: 'x' }));
  assert.deepEqual([refused.status, refused.stages], [400, null]);
});

test('a call by a member session names the key that created the session', async () => {
  const tenant = await makeMemberTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer, { require_member: true });
  const { session_token, member } = await makeSession(server, tenant);
  const entry = await entryOf(tenant.id, await execute(server, session_token, tool.id));
  const { api_key_id, integration_id, member_id, session_id } = entry;
  assert.deepEqual(
    [api_key_id, integration_id, member_id],
    [tenant.integrationKey.id, tenant.integration.id, member.id],
  );
  assert.match(session_id, /^ses_/);
});

test('an MCP call names its revision, and its client if the request says it', async () => {
  const { id, keys } = await makeTenant(server);
  const tool = await makeTool(server, keys.write, customer);
  const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'Acme\u0000 \ud800é', version: '1' } };
  const named = await modern(server, keys.read, 'tools/call', { name: tool.name, arguments: {}, _meta });
  const old = await callTool(legacy, server, keys.read, tool.name);
  const entries = [await entryOf(id, named), await entryOf(id, old)];
  assert.deepEqual(
    entries.map(({ transport, client_name, protocol_version }) => [transport, client_name, protocol_version]),
    [
      ['mcp', 'Acme \ufffdé', '2026-07-28'],
      ['mcp', null, '2025-11-25'],
    ],
  );
});

test('why a call failed is stored for its trace: the step, and for a blocked address that it was one', async () => {
  const { id, keys } = await makeTenant(server);
  const tool = await makeTool(server, keys.write, customer);
  const blocked = await makeTool(server, keys.write, customer);
  // Such an address is refused when it is saved; a name can resolve to one later.
  await app.pool.query(`update custom_tools set base_url = 'https://127.0.0.2:9' where id = $1`, [blocked.id]);
  const off = await makeTool(server, keys.write, customer, { is_enabled: false });
  const personal = await makeTool(server, keys.write, customer, { require_member: true });
  customer.respond(tool.endpoint_path, { status: 500 });
  for (const [tool_id, given] of [
    [tool.id, {}],
    [blocked.id, {}],
    [off.id, {}],
    [personal.id, {}],
  ] as const)
    await execute(server, keys.read, tool_id, given);
  await execute(server, keys.read, tool.id, { member_id: 'x' });
  await app.batch_writer.flush();
  const rows = await app.database
    .selectFrom('tool_calls')
    .select('failed_step')
    .where('project_id', '=', id)
    .orderBy('created_at')
    .execute();
  assert.deepEqual(rows.map(({ failed_step }) => failed_step).sort(), [
    'address',
    'arguments',
    'member',
    'tool',
    'upstream',
  ]);
});

const MINUTE_MS = 60_000;

/** A project with five calls, one a minute, the newest a minute old. */
async function makeLog() {
  const { id } = await makeProject(server);
  const at = (minutes: number) => Math.floor(app.now() / 1000) * 1000 - minutes * MINUTE_MS;
  const failed = { status: 502, error_code: 'UPSTREAM_STATUS' };
  const member_id = newId('mem');
  await insertMembers(app.database, id, [member_id]);
  const fields: Partial<NewCall>[] = [
    { tool_id: 'tool_a' },
    { tool_id: 'tool_b', ...failed },
    { tool_id: 'tool_a', member_id, session_id: 'ses_a', integration_id: 'int_a' },
    { tool_id: 'tool_a', api_key_id: 'key_b', status: 500, error_code: 'TOOL_TIMED_OUT' },
    { tool_id: 'tool_b', request_id: 'req_b' },
  ];
  const calls = fields.map((each, i) => newCall(id, { created_at: at(5 - i), ...each }));
  await insertCalls(app.pool, calls);
  const time = (i: number) => new Date((calls[i] as NewCall).created_at).toISOString();
  /** Which of the calls a query finds, in order. */
  const find = async (query: string) =>
    (await list(id, query)).map((entry: { id: string }) => calls.findIndex((call) => call.id === entry.id));
  return { id, member_id, find, time };
}

test('each filter finds its calls and no others, newest first; several are combined with and', async () => {
  const { member_id, find, time } = await makeLog();
  for (const [query, wanted] of [
    ['', [4, 3, 2, 1, 0]],
    ['?tool_id=tool_a', [3, 2, 0]],
    ['?api_key_id=key_b', [3]],
    [`?member_id=${member_id}`, [2]],
    ['?integration_id=int_a', [2]],
    ['?outcome=failed', [3, 1]],
    ['?outcome=succeeded', [4, 2, 0]],
    ['?error_code=TOOL_TIMED_OUT', [3]],
    ['?error_code=TOOL_TIMED_OUT&outcome=succeeded', []],
    ['?request_id=req_b', [4]],
    [`?from=${time(2)}`, [4, 3, 2]],
    [`?to=${time(2)}`, [1, 0]],
    [`?from=${time(1)}&to=${time(3)}&tool_id=tool_a`, [2]],
    [`?from=${time(1)}&to=${time(1)}`, []],
    ['?tool_id=tool_unknown', []],
  ] as const)
    assert.deepEqual(await find(query), wanted, query);
});

test('pages of a filtered list go on where the last ended, and have each call once', async () => {
  const { id } = await makeLog();
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/projects/${id}/tool-calls?limit=2&outcome=succeeded${cursor && `&cursor=${cursor}`}`;
    const page: any = expectResponse(await api('GET', path, { key: ROOT_KEY }), 200);
    seen.push(...page.data.map((entry: { id: string }) => entry.id));
    cursor = page.next_cursor;
  }
  assert.equal(new Set(seen).size, 3);
  assert.equal(seen.length, 3);
});

test('a call and the ids of another project are as unknown as absent ones', async () => {
  const [own, other] = [await makeProject(server), await makeProject(server)];
  const { key } = await makeKey(server, own.id);
  const call = newCall(other.id, { created_at: app.now(), api_key_id: newId('key'), request_id: newId('req') });
  await insertCalls(app.background.pool, [call]);
  for (const id of [call.id, newId('call')])
    expectRefusal(await api('GET', `/projects/${own.id}/tool-calls/${id}`, { key }), 404);
  for (const query of [`api_key_id=${call.api_key_id}`, `request_id=${call.request_id}`, `tool_id=${call.tool_id}`])
    assert.deepEqual(await list(own.id, `?${query}`, key), [], query);
  expectResponse(await api('GET', `/projects/${other.id}/tool-calls/${call.id}`, { key: ROOT_KEY }), 200);
});

test('a filter that makes no sense is refused and named', async () => {
  const { id } = await makeProject(server);
  for (const [field, query] of [
    ['outcome', 'outcome=maybe'],
    ['from', 'from=yesterday'],
    ['from', 'from=2026-01-05T10:00:00'],
    ['to', 'to=2026-02-30T00:00:00Z'],
    ['from', 'from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z'],
    ['tool_id', `tool_id=${'x'.repeat(129)}`],
    ['tool_ids', 'tool_ids=tool_a'],
    ['cursor', 'cursor=nonsense'],
    ['limit', 'limit=101'],
  ]) {
    const response = await api('GET', `/projects/${id}/tool-calls?${query}`, { key: ROOT_KEY });
    assert.equal(expectResponse(response, 422).error.details.field, field, query);
  }
  for (const query of ['outcome=maybe', 'from=2026-01-05T10:00:00Z', 'limit=5'])
    expectResponse(await api('GET', `/projects/${id}/tool-calls/stream?${query}`, { key: ROOT_KEY }), 422);
});

test('a filtered page and a call by its id are found by indexes, in every partition', async () => {
  const { id } = await makeProject(server);
  const call = newCall(id, { created_at: app.now() });
  await insertCalls(app.pool, [call]);
  for (const condition of [
    `id = '${newId('call')}'`,
    `request_id = 'req_x'`,
    `tool_id = 'tool_x'`,
    `member_id = 'm'`,
  ]) {
    const client = await app.pool.connect();
    await client.query('begin; set local enable_seqscan = off');
    const { rows } = await client.query(
      `explain (format json) select id from tool_calls where project_id = '${id}' and ${condition}
       order by created_at desc, id desc limit 20`,
    );
    await client.query('rollback');
    client.release();
    assert.doesNotMatch(JSON.stringify(rows), /Seq Scan/, condition);
  }
});

async function callWithPayloads(settings: object, given: object, response: object) {
  const { id, keys } = await makeTenant(server);
  const tool = await makeTool(server, keys.write, customer);
  customer.respond(tool.endpoint_path, response);
  expectResponse(await api('PATCH', `/projects/${id}/settings`, { key: keys.write, body: settings }), 200);
  const { id: call_id } = await entryOf(id, await execute(server, keys.read, tool.id, given));
  const read = async (key: string) =>
    expectResponse(await api('GET', `/projects/${id}/tool-calls/${call_id}`, { key }), 200);
  return { id, keys, call_id, tool, read };
}

test('with record_payloads an admin reads what was said, without the redacted fields; a reader does not', async () => {
  const { id, keys, read } = await callWithPayloads(
    { record_payloads: true, redact_fields: ['iban'] },
    { q: 'hello', deep: [{ iban: 'DE1' }], key: 'svc_live_abcdefghij' },
    { body: { note: 'done', IBAN: 'DE2', password: 'p' } },
  );
  const { arguments: given, result } = await read(keys.admin);
  assert.deepEqual(given, { q: 'hello', deep: [{ iban: '[redacted]' }], key: '[secret]' });
  assert.deepEqual(result, { note: 'done', IBAN: '[redacted]', password: '[redacted]' });
  for (const entry of [await read(keys.read), ...(await list(id, '', keys.admin))])
    assert.deepEqual([entry.arguments, entry.result], [undefined, undefined]);
});

test('no credential inside of a kept text is readable, in arguments or in an answer that is not JSON', async () => {
  const { keys, read } = await callWithPayloads(
    { record_payloads: true, redact_fields: ['iban'] },
    { body: '{"user":"bob","user_password":"hunter2","bank":{"iban":"DE1"}}', credentials: { a: ['hunter2'] } },
    {
      headers: { 'content-type': 'text/plain' },
      body: 'name: bob\nclient-secret: hunter2\niban:\n  - DE1\nend: yes\n',
    },
  );
  const { arguments: given, result } = await read(keys.admin);
  const body = '{"user":"bob","user_password":"[redacted]","bank":{"iban":"[redacted]"}}';
  assert.deepEqual(given, { body, credentials: '[redacted]' });
  assert.equal(result, 'name: bob\nclient-secret: [redacted]\niban:\n  [redacted]\nend: yes\n');
});

test('without record_payloads nothing of what was said is stored', async () => {
  const { id, keys, read } = await callWithPayloads({ record_payloads: false }, { q: 'hello' }, { body: 'done' });
  assert.equal('arguments' in (await read(keys.admin)), false);
  const { rows } = await app.pool.query('select from tool_call_payloads where project_id = $1', [id]);
  assert.equal(rows.length, 0);
});

test('what was said is cut at 16 KiB each, sealed, and cannot be opened as that of another call', async () => {
  const { id, keys, call_id, tool, read } = await callWithPayloads(
    { record_payloads: true },
    { q: 'a'.repeat(40_000) },
    { headers: { 'content-type': 'text/plain' }, body: 'b'.repeat(40_000) },
  );
  const { arguments: given, result } = await read(keys.admin);
  assert.match(given, /^\{"q":"a+ \[cut at 16 KiB\]$/);
  assert.match(result, /^b+ \[cut at 16 KiB\]$/);
  assert.deepEqual([given.length, result.length], [16 * 1024 + 16, 16 * 1024 + 16]);
  const { rows } = await app.pool.query('select arguments, result from tool_call_payloads where call_id = $1', [
    call_id,
  ]);
  assert.doesNotMatch(JSON.stringify(rows), /aaaa|bbbb/);
  const other = await entryOf(id, await execute(server, keys.read, tool.id));
  await app.pool.query('update tool_call_payloads set arguments = $1 where call_id = $2', [
    rows[0].arguments,
    other.id,
  ]);
  expectResponse(await api('GET', `/projects/${id}/tool-calls/${other.id}`, { key: keys.admin }), 500);
});

test('a result that is no text is not kept, and a call without an answer has none', async () => {
  const binary = await callWithPayloads({ record_payloads: true }, {}, { body: Buffer.from([1, 0, 2]) });
  assert.equal((await binary.read(binary.keys.admin)).result, '[binary]');
  const reset = await callWithPayloads({ record_payloads: true }, { q: 1 }, { reset: true });
  const { arguments: given, result } = await reset.read(reset.keys.admin);
  assert.deepEqual([given, result], [{ q: 1 }, null]);
});

test('what was said goes with the call log of its project', async () => {
  const { id } = await callWithPayloads({ record_payloads: true }, {}, { body: {} });
  expectResponse(await api('DELETE', `/projects/${id}`, { key: ROOT_KEY }), 204);
  server.advance(31 * 86_400_000);
  await server.runJobs();
  const { rows } = await app.pool.query('select from tool_call_payloads where project_id = $1', [id]);
  assert.equal(rows.length, 0);
});

const MIB = 2 ** 20;
const DAY_MS = 86_400_000;
const usedBytes = async (id: string, key: string) =>
  expectResponse(await api('GET', `/projects/${id}/payload-usage`, { key }), 200);

test('beyond the bytes of a day a call is logged without its payload, and says so; the next day has its own', async () => {
  const { id, keys, tool, read } = await callWithPayloads({ record_payloads: true }, { q: 1 }, { body: {} });
  assert.deepEqual((await read(keys.admin)).arguments, { q: 1 });
  const day = Math.floor(app.now() / DAY_MS) * DAY_MS;
  const today = { object: 'payload_usage', limit_bytes: 256 * MIB, resets_at: new Date(day + DAY_MS).toISOString() };
  assert.deepEqual(await usedBytes(id, keys.read), { ...today, used_bytes: '{"q":1}{}'.length });

  await app.pool.query('update payload_bytes set bytes = $2 where project_id = $1', [id, 256 * MIB - 1]);
  const entry = await entryOf(id, await execute(server, keys.read, tool.id, { q: 2 }));
  const path = `/projects/${id}/tool-calls/${entry.id}`;
  const later = expectResponse(await api('GET', path, { key: keys.admin }), 200);
  assert.deepEqual(['arguments' in later, 'result' in later, later.not_recorded_reason], [false, false, 'daily_limit']);
  const asReader = expectResponse(await api('GET', path, { key: keys.read }), 200);
  assert.equal('not_recorded_reason' in asReader, false);
  assert.deepEqual(await usedBytes(id, keys.read), { ...today, used_bytes: 256 * MIB });

  await app.pool.query('update payload_bytes set day = day - 1 where project_id = $1', [id]);
  assert.equal((await usedBytes(id, keys.read)).used_bytes, 0);
  const next = await entryOf(id, await execute(server, keys.read, tool.id, { q: 3 }));
  const kept = expectResponse(await api('GET', `/projects/${id}/tool-calls/${next.id}`, { key: keys.admin }), 200);
  assert.deepEqual([kept.arguments, kept.not_recorded_reason], [{ q: 3 }, undefined]);
});

test('the recorded bytes are for the permission read, and for the own project', async () => {
  const { id, keys } = await makeTenant(server);
  const other = await makeTenant(server);
  const path = `/projects/${id}/payload-usage`;
  expectRefusal(await api('GET', path, { key: keys.webhook }), 403);
  expectRefusal(await api('GET', path, { key: other.keys.read }), 401);
  assert.equal((await usedBytes(id, keys.read)).used_bytes, 0);
});
