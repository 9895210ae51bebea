// What an MCP server lists, however much that is: how it is stored, what stays of it, and what is kept out of it.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Project } from '../../src/access/caller.ts';
import type { App } from '../../src/app.ts';
import { findProject } from '../../src/features/projects/projects/find.ts';
import type { ServerRow } from '../../src/features/tools/mcp-servers/mcp-server.ts';
import { readTools } from '../../src/features/tools/mcp-servers/read-tools.ts';
import { selectServer } from '../../src/features/tools/mcp-servers/store.ts';
import { findInDatabase } from '../support/database/find-in-database.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { type MadeServer, mcpServersOf } from '../support/make/make-mcp-server.ts';
import { execute } from '../support/make/make-tools.ts';
import { json } from '../support/peers/bad-mcp-responses.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { echoTool, type McpUpstream, startMcpUpstream } from '../support/peers/mcp-upstream.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const customer = await startCustomer();
const upstreams = { modern: await startMcpUpstream('modern'), legacy: await startMcpUpstream('legacy') };
const { modern: upstream } = upstreams;
const all = [customer, ...Object.values(upstreams)];
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: all.map(({ address }) => address).join(',') });
after(() => Promise.all(all.map((each) => each.close())));
const { app } = server;

async function newServers() {
  const tenant = await makeTenant(server);
  return { tenant, servers: mcpServersOf(server, tenant) };
}

type Servers = ReturnType<typeof mcpServersOf>;

/** All pages. */
async function allPending(servers: Servers, key: string, id: string): Promise<any[]> {
  const found: any[] = [];
  for (let cursor = ''; ; ) {
    const path = `${servers.path}/${id}/pending?limit=100${cursor && `&cursor=${cursor}`}`;
    const page = expectResponse(await server.api('GET', path, { key }), 200);
    found.push(...page.data);
    if (!page.has_more) return found;
    cursor = page.next_cursor;
  }
}

const large = (name: string, size: number, word = '- ') =>
  echoTool(name, { _meta: { filler: word.repeat(size / word.length) } });

const definitionsOf = async ({ id }: MadeServer) => {
  const { rows } = await app.pool.query<{ name: string; definition: any; hash: string; missing: boolean }>(
    `select upstream_name as name, definition, hash, missing_since is not null as missing
     from mcp_server_tools where mcp_server_id = $1 order by 1`,
    [id],
  );
  return rows;
};

/** The upstream lists what this returns for a cursor, as it is. */
function listing({ fault }: McpUpstream, page: (cursor: string | undefined, headers: any) => object | null): void {
  fault.handle = ({ message, headers }, response) => {
    if (message?.method !== 'tools/list') return false;
    const result = page(message.params?.cursor, headers);
    if (result === null) response.writeHead(500).end();
    else
      json(response, {
        jsonrpc: '2.0',
        id: message.id,
        result: { ...result, resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
      });
    return true;
  };
}

describe('a list', () => {
  for (const [era, each] of Object.entries(upstreams))
    test(`of megabytes of a ${era} server is stored whole, shown in pages and approved together`, async () => {
      const { tenant, servers } = await newServers();
      const tools = Array.from({ length: 40 }, (_, index) => large(`t${10 + index}`, 60_000));
      each.set(tools);
      const made = await servers.make(each, { slug: 'big' });
      assert.equal((await servers.sync(made.id)).pending_count, 40);
      const pending = await allPending(servers, tenant.keys.read, made.id);
      assert.deepEqual(
        pending.map(({ definition }) => definition),
        tools.map(({ definition }) => definition),
      );
      const { tool_count, pending_count } = await servers.approve(made.id);
      assert.deepEqual([tool_count, pending_count], [40, 0]);
      assert.equal((await servers.sync(made.id)).pending_count, 0);
    });

  test('is given its 55 seconds of the server alone: our own work on its pages is not counted', async (t) => {
    const { tenant, servers } = await newServers();
    upstream.set([]);
    const made = await servers.make(upstream, { timeout_ms: 50_000 });
    const row = (await selectServer(app.database, tenant.id, made.id)) as ServerRow;
    const project = (await findProject(app, tenant.id)) as Project;
    const clock = { now: Math.round(performance.now()) };
    t.mock.method(performance, 'now', () => clock.now);
    const timeouts: number[] = [];
    const send: App['send'] = Object.assign((request: Parameters<App['send']>[0]) => {
      timeouts.push(request.timeout_ms);
      return app.send(request).finally(() => {
        clock.now += 10_000; // the server took so long
      });
    }, app.send);
    const cursors = ['1', '2', null];
    await readTools({ ...app, send }, project, row, {
      async readPage() {
        clock.now += 60_000;
        return { next_cursor: cursors.shift() as string | null, resources: [] };
      },
      readResource: async () => {},
      endPage: async () => {},
    });
    // server/discover, and three pages.
    assert.deepEqual(timeouts, [50_000, 45_000, 35_000, 25_000]);
  });

  test('that breaks off changes what it named, says so, and leaves the rest as it was', async () => {
    const { tenant, servers } = await newServers();
    upstream.set([echoTool('a'), echoTool('b')]);
    const made = await servers.ready(upstream);
    const changed = echoTool('a', { description: 'Other words' }).definition;
    listing(upstream, (cursor) => (cursor === undefined ? { tools: [changed], nextCursor: '1' } : null));
    await servers.sync(made.id, 502);
    upstream.fault.handle = null;
    const { status, pending_count } = await servers.read(made.id);
    assert.deepEqual([status, pending_count], ['unreachable', 1]);
    assert.deepEqual(
      (await definitionsOf(made)).map(({ name, missing }) => [name, missing]),
      [
        ['a', false],
        ['b', false],
      ],
    );
    const { rows } = await app.pool.query(
      `select from events where project_id = $1 and type = 'mcp_server.changed'
         and payload::json -> 'data' ->> 'status' = 'unreachable'`,
      [tenant.id],
    );
    assert.equal(rows.length, 1);
  });

  test('with other names at each sync that then fails does not fill the table', async () => {
    const { servers } = await newServers();
    const made = await servers.make(upstream);
    const count = async () => (await definitionsOf(made)).length;
    const counts: number[] = [];
    for (const round of [1, 2, 3, 4]) {
      const tools = Array.from({ length: 10_000 }, (_, index) => ({ name: `r${round}_${index}` }));
      listing(upstream, (cursor) => (cursor === undefined ? { tools, nextCursor: '1' } : null));
      await servers.sync(made.id, 502);
      counts.push(await count());
    }
    upstream.fault.handle = null;
    assert.deepEqual(counts, [10_000, 20_000, 10_000, 20_000]);
    upstream.set([echoTool('a')]);
    await servers.sync(made.id);
    assert.equal(await count(), 1);
  });
});

test('a server is read once at a time, while another server of the project is read', async () => {
  const { servers } = await newServers();
  upstream.set([echoTool('a')]);
  const [one, other] = [await servers.make(upstream), await servers.make(upstream)];
  await servers.sync(one.id);
  const held: (() => void)[] = [];
  const seen: string[] = [];
  upstream.fault.handle = ({ message }, response) => {
    if (message?.method !== 'tools/list') return false;
    seen.push('list');
    const { id } = message;
    const end = () =>
      json(response, {
        jsonrpc: '2.0',
        id,
        result: { tools: [], resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
      });
    if (seen.length === 1) held.push(end);
    else end();
    return true;
  };
  const first = servers.sync(one.id).then(() => seen.push('first ended'));
  await waitUntil(async () => held.length === 1, 10_000, 'the first sync reads its list');
  const second = servers.sync(one.id).then(() => seen.push('second ended'));
  await servers.sync(other.id);
  seen.push('other ended');
  held[0]?.();
  await Promise.all([first, second]);
  upstream.fault.handle = null;
  assert.deepEqual(seen.slice(0, 3), ['list', 'list', 'other ended']);
  assert.deepEqual(seen.slice(3).toSorted(), ['first ended', 'list', 'second ended']);
  assert.equal(seen.at(-1), 'second ended');
});

describe('of a definition', () => {
  const MARK = 'marked words of the server';
  const find = async () => [...(await findInDatabase(app, [MARK])).keys()];

  test('that was rejected, or whose tool is gone, only the hash stays', async () => {
    const { servers } = await newServers();
    upstream.set([echoTool('c')]);
    const made = await servers.ready(upstream);
    upstream.set(['a', 'b', 'c'].map((name) => echoTool(name, { description: MARK })));
    await servers.sync(made.id);
    assert.deepEqual(await find(), ['mcp_server_tools']);
    const hashes = (await definitionsOf(made)).map(({ hash }) => hash);
    await servers.reject(made.id, ['a', 'b']);
    assert.equal((await servers.sync(made.id)).pending_count, 1);
    upstream.set([]);
    await servers.sync(made.id);
    assert.deepEqual(await find(), []);
    upstream.set([echoTool('a', { description: MARK })]);
    assert.equal((await servers.sync(made.id)).pending_count, 0);
    assert.deepEqual(await find(), []);
    assert.deepEqual(
      (await definitionsOf(made)).map(({ hash, missing }) => [hash, missing]),
      [
        [hashes[0], false],
        [hashes[1], true],
        [hashes[2], true],
      ],
    );
  });

  test('that replaces an approved one and was rejected, the schema stays: calls must fit it', async () => {
    const { tenant, servers } = await newServers();
    upstream.set([echoTool('a')]);
    const made = await servers.ready(upstream, { slug: 'up' });
    const inputSchema = { type: 'object', properties: { text: { type: 'string', maxLength: 3 } } };
    const changed = echoTool('a', { description: MARK, inputSchema });
    for (const tools of [[changed], [], [changed]]) {
      upstream.set(tools);
      await servers.sync(made.id);
      if (tools.length > 0 && (await servers.read(made.id)).pending_count === 1) await servers.reject(made.id, ['a']);
      assert.deepEqual(await find(), []);
    }
    assert.deepEqual((await definitionsOf(made))[0]?.definition, { inputSchema });
    expectResponse(await execute(server, tenant.keys.read, 'up_a', { text: 'abc' }), 200);
    assert.equal((await execute(server, tenant.keys.read, 'up_a', { text: 'abcd' })).status, 409);
  });
});

test('a project stores 16 MiB of what its servers list: the rest waits without a definition until there is room', async () => {
  const { tenant, servers } = await newServers();
  const tools = Array.from({ length: 60 }, (_, index) => large(`t${10 + index}`, 150_000).definition);
  const halves = [tools.slice(0, 30), tools.slice(30)];
  listing(upstream, (cursor) => (cursor === undefined ? { tools: halves[0], nextCursor: '1' } : { tools: halves[1] }));
  const [one, other] = [await servers.make(upstream), await servers.make(upstream)];
  await servers.sync(one.id);
  assert.equal((await servers.sync(other.id)).pending_count, 60);
  const isFull = ({ warnings }: any) => warnings.some(({ code }: any) => code === 'storage_full');
  const full = async () => (await allPending(servers, tenant.keys.read, other.id)).filter(isFull);
  const without = await full();
  assert.ok(without.length > 5 && without.length < 15, `${without.length}`);
  const [{ upstream_name }] = without;
  assert.deepEqual(without[0].definition, { name: upstream_name });
  const refused = await servers.approve(other.id, { tool_names: [upstream_name] }, 422);
  assert.equal(refused.error.details.reason, 'definition_not_approvable');
  const { rows } = await app.pool.query(
    'select sum(stored_bytes)::integer as bytes from mcp_server_tools where project_id = $1',
    [tenant.id],
  );
  assert.ok(rows[0].bytes <= 16 * 2 ** 20 + 100_000, `${rows[0].bytes}`);
  await servers.reject(one.id, 'all');
  await servers.sync(other.id);
  upstream.fault.handle = null;
  assert.deepEqual(await full(), []);
});

describe('the credential of a server is neither stored nor shown when the server lists it:', () => {
  /** Lists what it got as a description, as the name of a property, and as `encode` has it. */
  const repeat = (encode = (token: string) => token) =>
    listing(upstream, (_, { authorization }) => {
      const token = String(authorization).replace('Bearer ', '');
      const properties = { [`x-${token}`]: { type: 'string' } };
      const description = `${token} ${encode(token)}`;
      return { tools: [{ name: 'a', description, inputSchema: { type: 'object', properties } }] };
    });

  async function expectRedacted(servers: Servers, made: MadeServer, words: string[]) {
    await servers.sync(made.id);
    const [pending] = await servers.pending(made.id);
    assert.match(pending.definition.description, /^\[redacted\] \S*\[redacted\]$/);
    assert.deepEqual(Object.keys(pending.definition.inputSchema.properties), ['x-[redacted]']);
    const forms = words.flatMap((word) => [word, Buffer.from(word).toString('base64').slice(0, 16)]);
    for (const form of forms) assert.ok(!JSON.stringify(pending).includes(form));
    assert.deepEqual([...(await findInDatabase(app, forms)).keys()], []);
    return pending.hash as string;
  }

  test('a bearer token, and with the next token the definition is the same', async () => {
    const { tenant, servers } = await newServers();
    repeat((token) => Buffer.from(`user:${token}`).toString('base64'));
    const tokens = ['mcp-token-4711-abcd', 'mcp-token-0815-wxyz'];
    const made = await servers.make(upstream, { auth_strategy: 'bearer_token', encrypted_auth_secret: tokens[0] });
    const hash = await expectRedacted(servers, made, tokens);
    await servers.approve(made.id);
    const body = { encrypted_auth_secret: tokens[1] };
    expectResponse(await server.api('PATCH', `${servers.path}/${made.id}`, { key: tenant.keys.admin, body }), 200);
    assert.equal((await servers.sync(made.id)).pending_count, 0);
    assert.deepEqual(
      (await definitionsOf(made)).map((each) => each.hash),
      [hash],
    );
    assert.deepEqual([...(await findInDatabase(app, tokens)).keys()], []);
    upstream.fault.handle = null;
  });

  test('an access token of client credentials', async () => {
    const { servers } = await newServers();
    repeat();
    const access_token = 'issued-access-token-99';
    customer.respond('/token', () => ({ body: { access_token, expires_in: 600, token_type: 'Bearer' } }));
    const made = await servers.make(upstream, {
      auth_strategy: 'oauth2_client_credentials',
      auth_config: { token_url: `${customer.url}/token`, client_id: 'toolgate' },
      encrypted_auth_secret: 'client-secret-1',
    });
    await expectRedacted(servers, made, [access_token]);
    upstream.fault.handle = null;
  });

  test('a signed JWT, another one with each request', async () => {
    const { servers } = await newServers();
    repeat();
    const auth_config = { audience: 'https://mcp.example.com' };
    const made = await servers.make(upstream, { auth_strategy: 'member_jwt', auth_config });
    const hash = await expectRedacted(servers, made, ['eyJhbGciOi']);
    assert.equal(await expectRedacted(servers, made, ['eyJhbGciOi']), hash);
    upstream.fault.handle = null;
  });
});
