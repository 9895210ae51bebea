// What MCP servers as sources of tools cost: a call of such a tool beside one of an HTTPS API, and a list with the tools of 20 servers beside
// one of HTTPS APIs.

import { startEmbeddedGateway } from './gateway.ts';
import { toolsCall, toolsList } from './requests.ts';
import { measure, type Row, type Target } from './rounds.ts';
import { addMcpServer, FEW, LISTED, makeProject } from './seed.ts';
import type { Site } from './site.ts';

const SERVERS = 20;

export const mcpServerRows = {
  call: {
    operation: 'tools/call, MCP servers',
    https: 'tool of an HTTPS API',
    modern: 'tool of an MCP server of 2026-07-28',
    legacy: 'tool of an MCP server of 2025-11-25',
  },
  list: {
    operation: 'tools/list, MCP servers',
    https: `${LISTED} tools of HTTPS APIs`,
    servers: `${LISTED} tools of ${SERVERS} MCP servers`,
  },
};

export async function measureMcpServers(site: Site): Promise<Row[]> {
  const server = await startEmbeddedGateway(site, { from: site.seeded, to: 'mcp-servers' });
  const { call, list } = mcpServerRows;
  const { origin } = site.customer;
  try {
    site.bench.progress(`${SERVERS + 2} MCP servers`);
    const make = async (servers: number, kind: 'modern' | 'legacy', tools: number) => {
      const project = await makeProject(server.url, { keys: FEW });
      const names: string[] = [];
      for (let i = 0; i < servers; i += 1)
        names.push(...(await addMcpServer(server.url, project, { url: `${origin}/mcp/${kind}/${i}`, tools })));
      return { key: project.keys, tool: names };
    };
    const plain = { key: site.unsigned.keys, tool: site.unsigned.tools.map(({ name }) => name) };
    const target = (operation: string, name: string, template: Target['template']): Target => ({
      operation,
      name,
      server,
      template,
    });
    const calls = await measure(site.bench, [
      target(call.operation, call.https, toolsCall(plain)),
      target(call.operation, call.modern, toolsCall(await make(1, 'modern', FEW))),
      target(call.operation, call.legacy, toolsCall(await make(1, 'legacy', FEW))),
    ]);
    const many = await make(SERVERS, 'modern', LISTED / SERVERS);
    const lists = await measure(site.bench, [
      target(list.operation, list.https, toolsList({ key: site.listed.keys })),
      target(list.operation, list.servers, toolsList({ key: many.key })),
    ]);
    return [...calls, ...lists];
  } finally {
    await server.stop();
  }
}
