// MCP servers in a configuration file: with the tools that were approved and the hashes of their definitions, like a lock file. What a
// server offers with another hash is refused.

import type { Toolgate } from '../../../sdk/src/index.ts';
import { Failure } from '../failure.ts';
import { visibleName } from '../visible.ts';
import type { Fields } from './sections.ts';

/** One tool of the field `approved`. */
type Approved = { upstream_name: string; name: string; hash: string };

export function mcpServerMethods({ mcpServers }: Toolgate) {
  return {
    async *list(): AsyncIterable<Fields> {
      for await (const server of mcpServers.list())
        yield { ...server, approved: await approvedOf(mcpServers, server.id) };
    },
    async create({ approved = [], ...fields }: Fields): Promise<Fields> {
      const server = await mcpServers.create(fields as never);
      await approve(mcpServers, server, approved as Approved[]);
      return server;
    },
    async update(id: string, { approved, ...fields }: Fields): Promise<Fields> {
      const changesFields = Object.keys(fields).length > 0;
      const server = changesFields ? await mcpServers.update(id, fields as never) : await mcpServers.get(id);
      const isApproving = approved !== undefined && (await approve(mcpServers, server, approved as Approved[]));
      // Approving does not change the server itself, but it is a change.
      return isApproving ? { ...server, updated_at: null } : server;
    },
    delete: (id: string) => mcpServers.delete(id),
  };
}

type McpServers = Toolgate['mcpServers'];

/** Copies are not in a file. */
async function approvedOf(mcpServers: McpServers, id: string): Promise<Approved[]> {
  const approved = new Map<string, Approved>();
  for await (const { upstream_name, name, hash } of mcpServers.tools.list(id))
    if (!approved.has(upstream_name)) approved.set(upstream_name, { upstream_name, name, hash });
  return [...approved.values()];
}

/** All that the file names and that is not approved with that hash, or none. Returns whether there was any. */
async function approve(
  mcpServers: McpServers,
  { id, slug }: { id: string; slug: string },
  wanted: Approved[],
): Promise<boolean> {
  const known = new Map((await approvedOf(mcpServers, id)).map((tool) => [tool.upstream_name, tool.hash]));
  const missing = wanted.filter(({ upstream_name, hash }) => known.get(upstream_name) !== hash);
  if (missing.length === 0) return false;
  await mcpServers.sync(id);
  const offered = new Map<string, string>();
  for await (const { upstream_name, hash } of mcpServers.pending.list(id)) offered.set(upstream_name, hash);
  const other = missing.find(({ upstream_name, hash }) => offered.get(upstream_name) !== hash);
  if (other)
    throw new Failure(
      `mcp_servers ${visibleName(slug)}: ${visibleName(other.upstream_name)} has not the definition that the file approves. Nothing of this server was approved.`,
    );
  await mcpServers.approve(id, {
    tool_names: missing.map(({ upstream_name }) => upstream_name),
    rename: Object.fromEntries(missing.map(({ upstream_name, name }) => [upstream_name, name])),
    hashes: Object.fromEntries(missing.map(({ upstream_name, hash }) => [upstream_name, hash])),
  });
  return true;
}
