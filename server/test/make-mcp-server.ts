// Adds an MCP server to a project, and what tests do with it.

import { expectAnswer, unique } from './make.ts';
import type { McpUpstream } from './mcp-upstream.ts';
import type { TestServer } from './start-server.ts';

export type MadeServer = { id: string; slug: string; [field: string]: any };

type Tenant = { id: string; keys: { read: string; write: string; admin: string } };

export function mcpServersOf(server: TestServer, tenant: Tenant) {
  const path = `/projects/${tenant.id}/mcp-servers`;
  const post = async (id: string, verb: string, body: object | undefined, status: number) =>
    expectAnswer(
      await server.api('POST', `${path}/${id}/${verb}`, { key: tenant.keys.write, ...(body ? { body } : {}) }),
      status,
    );
  return {
    path,
    async make({ url }: Pick<McpUpstream, 'url'>, fields: object = {}): Promise<MadeServer> {
      const body = { slug: unique('up'), name: 'Upstream', url, ...fields };
      return expectAnswer(await server.api('POST', path, { key: tenant.keys.write, body }), 201);
    },
    read: async (id: string) => expectAnswer(await server.api('GET', `${path}/${id}`, { key: tenant.keys.read }), 200),
    sync: (id: string, status = 200) => post(id, 'sync', undefined, status),
    pending: async (id: string) =>
      expectAnswer(await server.api('GET', `${path}/${id}/pending?limit=100`, { key: tenant.keys.read }), 200).data,
    approve: (id: string, body: object = { tool_names: 'all' }, status = 200) => post(id, 'approve', body, status),
    reject: (id: string, tool_names: unknown, status = 200) => post(id, 'reject', { tool_names }, status),
    /** Added, synced, and every tool approved. */
    async ready(upstream: McpUpstream, fields: object = {}): Promise<MadeServer> {
      const made = await this.make(upstream, fields);
      await this.sync(made.id);
      return this.approve(made.id);
    },
    tool: async (name: string) =>
      expectAnswer(await server.api('GET', `/custom-tools/${name}`, { key: tenant.keys.read }), 200),
  };
}
