// tools/list returns all tools once, in order, in pages of bounded size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { app } = server;
const url = 'https://api.example.com';

type Page = { tools: { name: string }[]; nextCursor?: string };

async function list(key: string, cursor?: string): Promise<Page> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: cursor === undefined ? {} : { cursor } };
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  return expectResponse(await server.api('POST', '/mcp', { key, body, headers }), 200).result;
}

/** Copies the tool with these names and a description of this size. */
async function copyTool(id: string, names: string[], bytes: number): Promise<void> {
  const columns = `title, base_url, endpoint_path, method, timeout_ms, headers, context_in, require_member, is_enabled,
    input_schema, auth_strategy, auth_config, definition_hash, created_by, project_id`;
  await sql`insert into custom_tools (id, name, description, ${sql.raw(columns)})
    select id || name, name, repeat('x', ${bytes}::integer), ${sql.raw(columns)}
    from (select id, ${sql.raw(columns)} from custom_tools where id = ${id}) tool, unnest(${names}::text[]) name`.execute(
    app.database,
  );
}

test('pages of 500 list every tool once, by name, even when a listed one is deleted in between', async () => {
  const { keys } = await makeTenant(server);
  const name = (i: number) => `t${String(i).padStart(4, '0')}`;
  const all = Array.from({ length: 1203 }, (_, i) => name(i));
  const { id } = await makeTool(server, keys.write, { url }, { name: '_first' });
  await makeTool(server, keys.write, { url }, { name: 'disabled', is_enabled: false });
  await makeTool(server, keys.write, { url }, { name: 'member', require_member: true });
  await copyTool(id, all, 10);
  const seen: string[] = [];
  const sizes: number[] = [];
  let page = await list(keys.read);
  for (;;) {
    seen.push(...page.tools.map(({ name }) => name));
    sizes.push(page.tools.length);
    if (!page.nextCursor) break;
    await app.database
      .deleteFrom('custom_tools')
      .where('name', '=', seen.at(-1) as string)
      .execute();
    page = await list(keys.read, page.nextCursor);
  }
  assert.deepEqual(seen, ['_first', ...all].toSorted());
  assert.deepEqual(sizes, [500, 500, 204]);
});

test('a page ends at 1 MiB of definitions, and holds at least one tool', async () => {
  const { keys } = await makeTenant(server);
  const { id } = await makeTool(server, keys.write, { url }, { name: 'a' });
  await copyTool(id, ['b', 'c', 'd'], 400 * 1024);
  await copyTool(id, ['e'], 2 * 2 ** 20);
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { tools, nextCursor } = await list(keys.read, cursor);
    pages.push(tools.map(({ name }) => name));
    cursor = nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(pages, [['a', 'b', 'c'], ['d'], ['e']]);
});
