// Lists are bounded in bytes: a page ends at its limit or at 1 MiB, and the pages together are the whole list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { app } = server;
const url = 'https://api.example.com';
const MAX_BYTES = 2 ** 20;

type Walk = { ids: string[]; pages: number[]; bytes: number[] };

/** Follows `next_cursor` to the end. */
async function walk(path: string, key: string, limit = 100): Promise<Walk> {
  const found: Walk = { ids: [], pages: [], bytes: [] };
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? `limit=${limit}` : `limit=${limit}&cursor=${cursor}`;
    const response = await server.api('GET', `${path}?${query}`, { key });
    const { data, has_more, next_cursor } = expectResponse(response, 200);
    assert.equal(has_more, next_cursor !== null);
    assert.ok(data.length > 0, 'a page has at least one entry');
    found.ids.push(...data.map(({ id, version }: { id?: string; version: number }) => id ?? String(version)));
    found.pages.push(data.length);
    found.bytes.push(Buffer.byteLength(response.text));
    cursor = next_cursor;
  } while (cursor !== null);
  return found;
}

const columns = `title, base_url, endpoint_path, method, timeout_ms, headers, context_in, require_member, is_enabled,
  auth_strategy, auth_config, definition_hash, created_by, project_id`;

/** Copies a tool. The newest copy is the last. */
async function copyTool(id: string, count: number, { description = 'x', schema_bytes = 0 }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into custom_tools (id, name, description, input_schema, created_at, ${sql.raw(columns)})
    select id || n, 'copy_' || n, ${description},
      jsonb_build_object('type', 'object', 'description', repeat('s', ${schema_bytes}::integer)),
      now() + n * interval '1 millisecond', ${sql.raw(columns)}
    from (select id, ${sql.raw(columns)} from custom_tools where id = ${id}) as tool, generate_series(1, ${count}::integer) as n
    order by n returning id`.execute(app.database);
  return rows.map((row) => row.id);
}

test('a hundred tools of 57 KB are pages of at most 1 MiB, and together the whole list in its order', async () => {
  const { keys } = await makeTenant(server);
  const { id } = await makeTool(server, keys.write, { url });
  const ids = await copyTool(id, 100, { schema_bytes: 57_000 });
  const found = await walk('/custom-tools', keys.read);
  assert.deepEqual(found.ids, [...ids.toReversed(), id]);
  assert.ok(Math.max(...found.bytes) <= MAX_BYTES, `${found.bytes}`);
  assert.ok(Math.max(...found.bytes) > 0.9 * MAX_BYTES, 'a page is not much smaller than it may be');
  const short = await walk('/custom-tools', keys.read, 7);
  assert.deepEqual([short.ids, Math.max(...short.pages)], [found.ids, 7]);
});

test('an entry that is larger than a page alone is a page, and text that grows in JSON counts as it is sent', async () => {
  const { keys } = await makeTenant(server);
  const { id } = await makeTool(server, keys.write, { url });
  const large = await copyTool(id, 2, { schema_bytes: 1.5 * MAX_BYTES });
  const found = await walk('/custom-tools', keys.read);
  assert.deepEqual(
    [found.ids, found.pages],
    [
      [...large.toReversed(), id],
      [1, 1, 1],
    ],
  );

  const other = await makeTenant(server);
  const tool = await makeTool(server, other.keys.write, { url });
  // Six bytes each in JSON, one as it is stored.
  await copyTool(tool.id, 40, { description: '\u0001'.repeat(20_000) });
  const grown = await walk('/custom-tools', other.keys.read);
  assert.equal(grown.ids.length, 41);
  assert.ok(Math.max(...grown.bytes) <= MAX_BYTES, `${grown.bytes}`);
});

test('the versions of a tool are bounded in the same way', async () => {
  const { keys } = await makeTenant(server);
  const { id } = await makeTool(server, keys.write, { url });
  await sql`
    insert into custom_tool_versions (id, project_id, tool_id, version, definition, definition_hash, created_by, created_at)
    select id || n, project_id, tool_id, 1 + n, (definition::jsonb || jsonb_build_object('description', repeat('v', 57000)))::json,
      definition_hash, created_by, now() + n * interval '1 millisecond'
    from custom_tool_versions, generate_series(1, 60) as n where tool_id = ${id}`.execute(app.database);
  const found = await walk(`/custom-tools/${id}/versions`, keys.read);
  assert.equal(new Set(found.ids).size, 61);
  assert.ok(Math.max(...found.bytes) <= MAX_BYTES, `${found.bytes}`);
});

test('a list without a stored size of its entries is bounded too: events', async () => {
  const { id: project_id, keys } = await makeTenant(server);
  const before = await walk(`/projects/${project_id}/events`, keys.admin);
  await sql`
    insert into events (id, project_id, type, payload, created_at)
    select 'evt_' || ${project_id} || n, ${project_id}, 'api_key.created',
      json_build_object('id', n, 'data', repeat('e', 60000))::text, now() + n * interval '1 millisecond'
    from generate_series(1, 50) as n`.execute(app.database);
  const found = await walk(`/projects/${project_id}/events`, keys.admin);
  assert.equal(found.ids.length, before.ids.length + 50);
  assert.ok(Math.max(...found.bytes) <= MAX_BYTES, `${found.bytes}`);
});
