// The call log as it happens. Two servers on one database: a stream on one has the calls of both.

import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import pg from 'pg';
import { insertCalls, type NewCall } from '../../src/features/activity/analytics/store.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { makeOwner, signIn } from '../support/make/make-accounts.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { newCall } from '../support/make/new-call.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
after(() => customer.close());
const one = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const two = await startServer({
  TOOLGATE_EGRESS_ALLOW: customer.address,
  DATABASE_URL: one.app.config.database_url ?? '',
});

/** `text` is the end of what came. */
type Stream = { response: IncomingMessage; ids: string[]; text: string; is_ended: boolean };

/** Opens the stream of a project. `ids` are those of its events so far. */
async function open(
  server: TestServer,
  project_id: string,
  key: string,
  { query = '', last_event_id, cookie }: { query?: string; last_event_id?: string; cookie?: string } = {},
): Promise<Stream> {
  const credential = cookie ? { cookie } : { authorization: `Bearer ${key}` };
  const headers = { ...credential, ...(last_event_id ? { 'last-event-id': last_event_id } : {}) };
  const url = `${server.url}/api/v1/projects/${project_id}/tool-calls/stream${query}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on('error', reject);
  });
  const stream: Stream = { response, ids: [], text: '', is_ended: false };
  let rest = '';
  response.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('id: ')) stream.ids.push(line.slice(4));
    stream.text = (stream.text + text).slice(-100_000);
  });
  const end = () => (stream.is_ended = true);
  response.on('close', end).on('error', end);
  after(() => response.destroy());
  return stream;
}

const has = (stream: Stream, ids: string[]) =>
  waitUntil(
    async () => ids.every((id) => stream.ids.includes(id)),
    20_000,
    `the stream has ${ids}; it has ${stream.ids}`,
  );
const ends = (stream: Stream, within_ms = 10_000) =>
  waitUntil(async () => stream.is_ended, within_ms, 'the stream ended');

let latest = 0;

/** Inserts calls as one batch, in their order, and after all batches before it. */
async function write(project_id: string, ids: string[], fields: Partial<NewCall> = {}): Promise<void> {
  const now = Math.max(one.app.now(), latest + 1);
  latest = now + ids.length;
  await insertCalls(
    one.app.pool,
    ids.map((id, i) => newCall(project_id, { id, created_at: now + i, ...fields })),
  );
}

test('a call on one server is an event on another within two seconds, the same as in the log', async () => {
  const { id, keys } = await makeTenant(one);
  const tool = await makeTool(one, keys.write, customer);
  const stream = await open(two, id, keys.read);
  assert.match(stream.response.headers['content-type'] ?? '', /^text\/event-stream/);
  const { call_id } = expectResponse(await execute(one, keys.read, tool.id), 200);
  await has(stream, [call_id]);
  const entry = expectResponse(await one.api('GET', `/projects/${id}/tool-calls/${call_id}`, { key: keys.read }), 200);
  const [, event, data] = /event: (\w+)\nid: \w+\ndata: (.*)\n\n/.exec(stream.text) ?? [];
  assert.deepEqual([event, JSON.parse(data ?? '')], ['tool_call', entry]);
});

test('a filtered stream has only what its filter finds', async () => {
  const { id } = await makeProject(one);
  const failed = await open(one, id, ROOT_KEY, { query: '?outcome=failed&tool_id=tool_a' });
  const all = await open(one, id, ROOT_KEY);
  await write(id, ['call_1'], { tool_id: 'tool_a' });
  await write(id, ['call_2'], { error_code: 'UPSTREAM_STATUS', tool_id: 'tool_b' });
  await write(id, ['call_3'], { error_code: 'UPSTREAM_STATUS', tool_id: 'tool_a' });
  await Promise.all([has(all, ['call_1', 'call_2', 'call_3']), has(failed, ['call_3'])]);
  assert.deepEqual(failed.ids, ['call_3']);
});

/** Inserts a call in a transaction that stays open until `commit`; without rollups, whose rows other calls would wait for. */
async function writeLater(project_id: string, id: string, created_at: number) {
  const client = new pg.Client(one.app.config.database_url ?? '');
  await client.connect();
  await client.query('begin');
  const row = { ...newCall(project_id, { id }), created_at: new Date(created_at).toISOString() };
  const columns = Object.keys(row);
  const places = columns.map((_, i) => `$${i + 1}`);
  await client.query(`insert into tool_calls (${columns}) values (${places})`, Object.values(row));
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

test('a call that commits after later ones, on another server, is not missed', async () => {
  const { id } = await makeProject(one);
  const stream = await open(one, id, ROOT_KEY);
  const commit = await writeLater(id, 'call_slow', one.app.now() - 60_000);
  await write(id, ['call_fast']);
  await has(stream, ['call_fast']);
  await commit();
  await has(stream, ['call_slow']);
  assert.deepEqual(stream.ids, ['call_fast', 'call_slow']);
});

test('Last-Event-ID continues after that call: what was missed, in order, then what happens, each once', async () => {
  const { id } = await makeProject(one);
  await write(id, ['call_a0', 'call_a1', 'call_a2']);
  await write(id, ['call_b0', 'call_b1']);
  const stream = await open(two, id, ROOT_KEY, { last_event_id: 'call_a1' });
  await write(id, ['call_c0']);
  await has(stream, ['call_c0']);
  assert.deepEqual(stream.ids, ['call_a2', 'call_b0', 'call_b1', 'call_c0']);
});

test('Last-Event-ID has a call that was written later although it was made earlier', async () => {
  const { id } = await makeProject(one);
  const commit = await writeLater(id, 'call_slow', one.app.now() - 1_000);
  await write(id, ['call_seen']);
  await commit();
  const stream = await open(one, id, ROOT_KEY, { last_event_id: 'call_seen' });
  await has(stream, ['call_slow']);
});

test('more missed calls than one page are all sent, in order', async () => {
  const { id } = await makeProject(one);
  const ids = Array.from({ length: 1_701 }, (_, i) => `call_${String(i).padStart(5, '0')}`);
  await write(id, ids);
  const stream = await open(one, id, ROOT_KEY, { last_event_id: ids[0] as string });
  await has(stream, [ids.at(-1) as string]);
  assert.deepEqual(stream.ids, ids.slice(1));
});

test('an unknown Last-Event-ID, and that of another project, begins with now', async () => {
  const [mine, theirs] = [await makeProject(one), await makeProject(one)];
  await write(mine.id, ['call_mine0']);
  await write(theirs.id, ['call_theirs0', 'call_theirs1']);
  const streams = await Promise.all(
    ['call_unknown', 'call_theirs0', "x' or 1=1"].map((last_event_id) =>
      open(one, mine.id, ROOT_KEY, { last_event_id }),
    ),
  );
  await write(mine.id, ['call_mine1']);
  for (const stream of streams) {
    await has(stream, ['call_mine1']);
    assert.deepEqual(stream.ids, ['call_mine1']);
  }
});

for (const [what, end] of [
  ['revoked', (path: string) => one.api('POST', `${path}/revoke`, { key: ROOT_KEY })],
  ['switched off', (path: string) => one.api('PATCH', path, { key: ROOT_KEY, body: { is_active: false } })],
  ['deleted', (path: string) => one.api('DELETE', path, { key: ROOT_KEY })],
] as const) {
  test(`a stream ends when its key is ${what} on another server, and has no call after that`, async () => {
    const { id } = await makeProject(one);
    const { id: key_id, key } = await makeKey(one, id, ['read']);
    const stream = await open(two, id, key);
    await end(`/projects/${id}/api-keys/${key_id}`);
    await ends(stream);
    await write(id, ['call_after']);
    assert.deepEqual(stream.ids, []);
  });
}

test('a person reads the stream with the cookie, and it ends with the session, also on another server', async () => {
  const { id } = await makeProject(one);
  const owner = await makeOwner(one);
  const other = await signIn(one, owner.email);
  const [staying, ending] = [
    await open(two, id, '', { cookie: owner.cookie }),
    await open(two, id, '', { cookie: other.cookie }),
  ];
  await write(id, ['call_seen']);
  await Promise.all([has(staying, ['call_seen']), has(ending, ['call_seen'])]);
  expectResponse(await owner.api('POST', '/account/sessions/end-others'), 200);
  await ends(ending);
  await write(id, ['call_after']);
  await has(staying, ['call_after']);
  assert.deepEqual(ending.ids, ['call_seen']);
  // An open stream is no use of the session.
  for (const server of [one, two]) server.advance(12 * 3_600_000);
  await ends(staying);
});

test('a stream ends when its key expires, and when its project is deleted', async () => {
  const { id } = await makeProject(one);
  const expires_at = new Date(one.app.now() + 60_000).toISOString();
  const { key } = await makeKey(one, id, ['read'], { expires_at });
  const [expiring, deleted] = [await open(one, id, key), await open(one, id, ROOT_KEY)];
  one.advance(61_000);
  await ends(expiring);
  assert.equal(deleted.is_ended, false);
  expectResponse(await one.api('DELETE', `/projects/${id}`, { key: ROOT_KEY }), 204);
  await ends(deleted);
});

test('a reader that does not read is disconnected, and delays no other', async () => {
  const { id } = await makeProject(one);
  const slow = await open(one, id, ROOT_KEY);
  slow.response.pause();
  const other = await open(one, id, ROOT_KEY);
  for (let round = 0; round < 8; round += 1) {
    const ids = Array.from({ length: 1_000 }, (_, i) => `call_${round}_${i}`);
    await write(id, ids, { tool_name: 'x'.repeat(2_000) });
    await has(other, [ids.at(-1) as string]);
  }
  slow.response.resume();
  await ends(slow);
  assert.equal(other.ids.length, 8_000);
});

test('a project has at most 100 streams on a server; a closed one makes room', async () => {
  const { id } = await makeProject(one);
  const streams = await Promise.all(Array.from({ length: 100 }, () => open(one, id, ROOT_KEY)));
  const path = `/projects/${id}/tool-calls/stream`;
  expectResponse(await one.api('GET', path, { key: ROOT_KEY }), 409, 'Limit reached');
  streams[0]?.response.destroy();
  await waitUntil(async () => (await one.api('GET', path, { key: ROOT_KEY })).status === 200, 3_000, 'there is room');
  for (const stream of streams) stream.response.destroy();
});

test('open streams hold no database permit', async () => {
  const { id, keys } = await makeTenant(one);
  await Promise.all(Array.from({ length: 10 }, () => open(one, id, keys.read)));
  expectResponse(await one.api('GET', `/projects/${id}`, { key: keys.read }), 200);
});
