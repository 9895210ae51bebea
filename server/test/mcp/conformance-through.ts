// Runs the server scenarios of the official conformance suite through a project whose tools come from an MCP server of the same revision.

import { after } from 'node:test';
import { makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { startMcpUpstream } from '../support/peers/mcp-upstream.ts';
import { startServer } from '../support/servers/start-server.ts';
import { conformanceTools } from './conformance-mcp-tools.ts';
import { schemaTools } from './conformance-tools.ts';
import { notApplicableThrough, type Revision, revisions } from './not-applicable.ts';
import { type Run, runConformance } from './run-conformance.ts';

const eras = { '2025-11-25': 'legacy', '2026-07-28': 'modern' } as const;

export async function runThrough(): Promise<Map<Revision, Run>> {
  const runs = new Map<Revision, Run>();
  for (const revision of revisions) {
    const upstream = await startMcpUpstream(eras[revision]);
    after(() => upstream.close());
    const server = await startServer({ TOOLGATE_EGRESS_ALLOW: upstream.address });
    const tenant = await makeTenant(server);
    let changes = 0;
    const tools = conformanceTools(schemaTools, () => {
      changes += 1;
      const body = { description: `Changed ${changes} times` };
      server.api('PATCH', '/custom-tools/test_logging_tool', { key: tenant.keys.admin, body }).catch(() => {});
    });
    upstream.set(tools);
    const servers = mcpServersOf(server, tenant);
    const { id } = await servers.make(upstream);
    await servers.sync(id);
    const names = tools.map(({ definition: { name } }) => name);
    const rename = Object.fromEntries(names.map((name) => [name, name]));
    await servers.approve(id, { tool_names: 'all', rename });
    const expected = notApplicableThrough.flatMap((group) => group[revision]);
    runs.set(revision, await runConformance(server.url, tenant.keys.read, revision, expected));
  }
  return runs;
}
