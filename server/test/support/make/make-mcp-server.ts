// Adds an MCP server to a project, and what tests do with it.

import type { McpUpstream } from '../peers/mcp-upstream.ts';
import type { TestServer } from '../servers/start-server.ts';
import { expectResponse, unique } from './make.ts';

export type MadeServer = { id: string; slug: string; [field: string]: any };

type Tenant = { id: string; keys: { read: string; write: string; admin: string } };

export function mcpServersOf(server: TestServer, tenant: Tenant) {
  const path = `/projects/${tenant.id}/mcp-servers`;
  const post = async (id: string, verb: string, body: object | undefined, status: number) =>
    expectResponse(
      await server.api('POST', `${path}/${id}/${verb}`, { key: tenant.keys.write, ...(body ? { body } : {}) }),
      status,
    );
  return {
    path,
    async make({ url }: Pick<McpUpstream, 'url'>, fields: object = {}): Promise<MadeServer> {
      const body = { slug: unique('up'), name: 'Upstream', url, ...fields };
      return expectResponse(await server.api('POST', path, { key: tenant.keys.write, body }), 201);
    },
    read: async (id: string) =>
      expectResponse(await server.api('GET', `${path}/${id}`, { key: tenant.keys.read }), 200),
    sync: (id: string, status = 200) => post(id, 'sync', undefined, status),
    pending: async (id: string) =>
      expectResponse(await server.api('GET', `${path}/${id}/pending?limit=100`, { key: tenant.keys.read }), 200).data,
    approve: (id: string, body: object = { tool_names: 'all' }, status = 200) => post(id, 'approve', body, status),
    reject: (id: string, tool_names: unknown, status = 200) => post(id, 'reject', { tool_names }, status),
    /** Added, synced, and every tool approved. */
    async ready(upstream: McpUpstream, fields: object = {}): Promise<MadeServer> {
      const made = await this.make(upstream, fields);
      await this.sync(made.id);
      return this.approve(made.id);
    },
    tool: async (name: string) =>
      expectResponse(await server.api('GET', `/custom-tools/${name}`, { key: tenant.keys.read }), 200),
  };
}
