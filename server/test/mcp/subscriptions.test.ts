// subscriptions/listen (2026-07-28): a stream says when the list of its caller changed, and ends with its credential.

import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expectResponse, makeKey, makeTenant, unique } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { legacy, messages, modern, modernCapabilities, viewCapabilities } from './rpc.ts';

const customer = await startCustomer();
after(() => customer.close());
const settings = { TOOLGATE_EGRESS_ALLOW: customer.address };
const server = await startServer(settings);
const replica = await startServer({ ...settings, DATABASE_URL: server.app.config.database_url ?? '' });
const { api } = server;
const FILTER = { notifications: { toolsListChanged: true } };
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

type Message = { id?: unknown; method?: string; params?: any; result?: any };
type Stream = { response: IncomingMessage; messages: Message[]; is_ended: boolean; text: string };
type Options = { at?: TestServer; path?: string; params?: object; id?: string | number };

/** Answers whatever the server responds with; a stream's messages are collected. */
async function listen(
  key: string,
  { at = server, path = '/api/v1/mcp', params = FILTER, id = 'sub-1' }: Options = {},
): Promise<Stream> {
  const { headers, body } = messages['2026-07-28'](id, 'subscriptions/listen', { ...params });
  const accept = 'application/json, text/event-stream';
  const all = { ...headers, accept, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${at.url}${path}`, { method: 'POST', headers: all, agent: false }, resolve);
    sent.on('error', reject).end(JSON.stringify(body));
  });
  const stream: Stream = { response, messages: [], is_ended: false, text: '' };
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    stream.text += text;
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data) stream.messages.push(JSON.parse(data.slice(6)));
    }
  });
  const end = () => {
    stream.is_ended = true;
  };
  response.on('close', end).on('error', end);
  after(() => response.destroy());
  return stream;
}

const changes = (stream: Stream) =>
  stream.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length;
const isOpen = (stream: Stream) =>
  waitUntil(async () => stream.messages.length > 0, 60_000, 'the stream is acknowledged');
const hasChanges = (stream: Stream, count: number) =>
  waitUntil(async () => changes(stream) >= count, 20_000, `${count} changes; there are ${changes(stream)}`);
const hasEnded = (stream: Stream) => waitUntil(async () => stream.is_ended, 60_000, 'the stream has ended');

async function open(key: string, options: Options = {}): Promise<Stream> {
  const stream = await listen(key, options);
  assert.equal(stream.response.statusCode, 200);
  await isOpen(stream);
  return stream;
}

test('a stream begins with what it will send, and each message names the subscription', async () => {
  const { keys } = await makeTenant(server);
  const stream = await open(keys.read, { id: 42 });
  assert.match(String(stream.response.headers['content-type']), /^text\/event-stream/);
  assert.deepEqual(stream.messages, [
    {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [SUBSCRIPTION]: 42 } },
    },
  ]);
  await makeTool(server, keys.write, customer);
  await hasChanges(stream, 1);
  assert.deepEqual(stream.messages.at(-1)?.params, { _meta: { [SUBSCRIPTION]: 42 } });
});

test('a stream that asks for nothing that this server sends is acknowledged and ends', async () => {
  const { keys } = await makeTenant(server);
  const others = { promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ['file:///a'] };
  for (const notifications of [{}, { toolsListChanged: false }, others]) {
    const stream = await open(keys.read, { params: { notifications } });
    await hasEnded(stream);
    const [acknowledged, ended] = stream.messages;
    assert.deepEqual(acknowledged?.params.notifications, {});
    assert.deepEqual([ended?.id, ended?.result.resultType], ['sub-1', 'complete']);
    assert.equal(ended?.result._meta[SUBSCRIPTION], 'sub-1');
  }
});

test('every change of the list of the caller is notified, on every replica, and none of what others see', async () => {
  const { id, keys } = await makeTenant(server);
  const [seen, hidden] = [await makeTool(server, keys.write, customer), await makeTool(server, keys.write, customer)];
  const toolset = await makeToolset(server, id, { tool_ids: [seen.id] });
  const narrow = await makeKey(server, id, ['read'], { toolset_ids: [toolset.id] });
  const streams = await Promise.all([
    open(narrow.key),
    open(narrow.key, { at: replica }),
    open(keys.read, { path: `/api/v1/mcp/toolsets/${toolset.slug}` }),
  ]);
  const everything = await open(keys.read);
  const patch = async (path: string, body: object) =>
    expectResponse(await api('PATCH', path, { key: keys.admin, body }), 200);
  // Checked after the others of its server, so that a message which they should not get has arrived by then.
  await patch(`/custom-tools/${hidden.id}`, { description: 'only everybody sees it' });
  await hasChanges(everything, 1);
  assert.deepEqual(
    [streams[0], streams[2]].map((stream) => stream && changes(stream)),
    [0, 0],
  );
  let expected = 0;
  for (const [path, body] of [
    [`/custom-tools/${seen.id}`, { description: 'changed' }],
    [`/custom-tools/${seen.id}`, { is_enabled: false }],
    [`/custom-tools/${seen.id}`, { is_enabled: true }],
    [`/projects/${id}/toolsets/${toolset.id}`, { tool_ids: [seen.id, hidden.id] }],
    [`/projects/${id}/toolsets/${toolset.id}`, { tool_ids: [seen.id] }],
    [`/projects/${id}/toolsets/${toolset.id}`, { exposure: 'search' }],
  ] as const) {
    await patch(path, body);
    expected += 1;
    await Promise.all(streams.map((stream) => hasChanges(stream, expected)));
  }
  await patch(`/projects/${id}/toolsets/${toolset.id}`, { exposure: 'list' });
  await Promise.all(streams.map((stream) => hasChanges(stream, expected + 1)));
  for (const stream of streams) assert.equal(changes(stream), expected + 1);
});

test('a change of the toolsets of a key is a change of its list', async () => {
  const { id, keys } = await makeTenant(server);
  const tool = await makeTool(server, keys.write, customer);
  const toolset = await makeToolset(server, id, { tool_ids: [tool.id] });
  const key = await makeKey(server, id, ['read'], { toolset_ids: [] });
  const stream = await open(key.key);
  const path = `/projects/${id}/api-keys/${key.id}`;
  expectResponse(await api('PATCH', path, { key: keys.admin, body: { toolset_ids: [toolset.id] } }), 200);
  await hasChanges(stream, 1);
});

test('a stream ends with its key, on every replica, with the answer to its request', async () => {
  const { id, keys } = await makeTenant(server);
  const toolset = await makeToolset(server, id);
  const ways: [string, (key: { id: string }) => Promise<unknown>, string?][] = [
    ['revoked', ({ id: key_id }) => api('POST', `/projects/${id}/api-keys/${key_id}/revoke`, { key: keys.admin })],
    [
      'inactive',
      ({ id: key_id }) =>
        api('PATCH', `/projects/${id}/api-keys/${key_id}`, { key: keys.admin, body: { is_active: false } }),
    ],
    [
      'toolset of the address deleted',
      () => api('DELETE', `/projects/${id}/toolsets/${toolset.id}`, { key: keys.admin }),
      `/api/v1/mcp/toolsets/${toolset.slug}`,
    ],
  ];
  for (const [title, end, path = '/api/v1/mcp'] of ways) {
    const key = await makeKey(server, id, ['read']);
    const streams = [await open(key.key, { path }), await open(key.key, { path, at: replica })];
    await end(key);
    for (const stream of streams) {
      await hasEnded(stream);
      assert.equal(stream.messages.at(-1)?.result?.resultType, 'complete', title);
    }
  }
});

test('a stream ends when its key expires', async () => {
  const { id } = await makeTenant(server);
  const expires_at = new Date(server.app.now() + 3_000).toISOString();
  const { key } = await makeKey(server, id, ['read'], { expires_at });
  await hasEnded(await open(key));
});

test('a stream ends when the overlap of its rotated key is over', async () => {
  const { id } = await makeTenant(server);
  const made = await makeKey(server, id, ['read']);
  const stream = await open(made.key);
  const path = `/projects/${id}/api-keys/${made.id}/rotate`;
  expectResponse(await api('POST', path, { key: ROOT_KEY, body: { overlap_seconds: 2 } }), 201);
  await hasEnded(stream);
});

test('a stream ends when its member session is revoked', async () => {
  const tenant = await makeMemberTenant(server);
  const { session_token, member } = await makeSession(server, tenant, unique('user'));
  const stream = await open(session_token);
  expectResponse(await api('POST', `/members/${member.id}/revoke-sessions`, { key: tenant.keys.admin }), 200);
  await hasEnded(stream);
});

test('a credential has at most 4 streams in a process; the next is 429, and a closed one makes room', async () => {
  const { id, keys } = await makeTenant(server);
  const streams = [];
  for (let count = 0; count < 4; count += 1) streams.push(await open(keys.read));
  const refused = await modern(server, keys.read, 'subscriptions/listen', FILTER);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal(refused.body.error.data.code, 'TOO_MANY_SUBSCRIPTIONS');
  await open((await makeKey(server, id, ['read'])).key);
  await open(keys.read, { at: replica });
  streams[0]?.response.destroy();
  await waitUntil(async () => (await listen(keys.read)).response.statusCode === 200, 60_000, 'there is room again');
});

for (const notifications of [undefined, null, [], 'all', { toolsListChanged: 1 }, { resourceSubscriptions: [1] }])
  test(`notifications ${JSON.stringify(notifications)} is invalid params`, async () => {
    const { keys } = await makeTenant(server);
    const { status, body } = await modern(server, keys.read, 'subscriptions/listen', { notifications });
    assert.deepEqual([status, body.error.code], [200, -32602]);
  });

test('revisions before 2026-07-28 have no such method, and do not say that lists are notified', async () => {
  const { keys } = await makeTenant(server);
  assert.equal((await legacy(server, keys.read, 'subscriptions/listen', FILTER)).body.error.code, -32601);
  const { capabilities: old } = (await legacy(server, keys.read, 'initialize')).body.result;
  assert.deepEqual(old, { tools: {}, ...viewCapabilities });
  const { capabilities } = (await modern(server, keys.read, 'server/discover')).body.result;
  assert.deepEqual(capabilities, modernCapabilities);
});

test('the official client learns of a new tool by itself, and that its subscription was ended', async () => {
  const { id, keys } = await makeTenant(server);
  const key = await makeKey(server, id, ['read']);
  const lists: string[][] = [];
  const onChanged = (_error: Error | null, tools: { name: string }[] | null) =>
    void lists.push((tools ?? []).map(({ name }) => name));
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' }, listChanged: { tools: { onChanged } } },
  );
  const headers = { authorization: `Bearer ${key.key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/api/v1/mcp`), { requestInit: { headers } }),
  );
  after(() => client.close());
  const subscription = client.autoOpenedSubscription;
  assert.deepEqual(subscription?.honoredFilter, { toolsListChanged: true });
  const { name } = await makeTool(server, keys.write, customer);
  await waitUntil(async () => lists.at(-1)?.includes(name) ?? false, 60_000, 'the client listed the new tool');
  expectResponse(await api('POST', `/projects/${id}/api-keys/${key.id}/revoke`, { key: keys.admin }), 200);
  assert.equal(await subscription?.closed, 'graceful');
});
