// Where a tool of an MCP server comes from, in place of the URL of an endpoint.

import { Link } from '@tanstack/react-router';
import type { ApprovedTool, CustomTool } from '@toolgate/sdk';
import type { ReactNode } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { inlineLinkClass } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { Name } from '../../ui/name.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Group } from './group.tsx';

type Source = NonNullable<CustomTool['source']>;

function useServer({ mcp_server_id }: Source) {
  return useProjectQuery(['mcp-servers', 'one', mcp_server_id], (api) => api.mcpServers.get(mcp_server_id)).data;
}

/** What was approved. The API lists it by server, sorted by name: tools of a server are few. */
function useApproved(tool: CustomTool, { mcp_server_id }: Source): ApprovedTool | null | undefined {
  return useProjectQuery(['mcp-servers', 'approved', mcp_server_id, tool.id, tool.version], async (api) => {
    for await (const each of api.mcpServers.tools.list(mcp_server_id, { limit: 100 }))
      if (each.tool_id === tool.id) return each;
    return null;
  }).data;
}

function ServerLink({ source, children }: { source: Source; children: ReactNode }) {
  return (
    <Link
      to="/projects/$projectId/mcp-servers/$mcpServerId"
      params={{ projectId: useProjectId(), mcpServerId: source.mcp_server_id }}
      className={inlineLinkClass}
    >
      {children}
    </Link>
  );
}

/** Which tool of which MCP server it is. */
export function SourceText({ source }: { source: Source }) {
  const server = useServer(source);
  return (
    <span className="min-w-0 break-words text-xs">
      <code className="break-all">
        <Name text={source.upstream_name} />
      </code>{' '}
      of the MCP server{' '}
      <ServerLink source={source}>
        <Name text={server?.name ?? source.mcp_server_id} />
      </ServerLink>
    </span>
  );
}

export function SourceGroup({ tool, source }: { tool: CustomTool; source: Source }) {
  const approved = useApproved(tool, source);
  return (
    <Group title="Source" text="Its schemas, URL and credential come from there, as they were approved.">
      <SourceText source={source} />
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-xs">
        <span className="text-muted">Approved definition</span>
        {approved === undefined && <Skeleton className="w-64" />}
        {approved && <CopyableCode text={approved.hash} label="Copy hash" />}
      </div>
      {approved && <State state={approved.state} source={source} />}
    </Group>
  );
}

function State({ state, source }: { state: ApprovedTool['state']; source: Source }) {
  if (state === 'ok') return <p className="text-muted text-xs">The server's definition is the approved one.</p>;
  if (state === 'removed')
    return (
      <p className="flex min-w-0 flex-wrap items-center gap-2 text-xs">
        <Badge tone="danger">removed</Badge>
        The server no longer lists it. Calls are refused, and it is disabled after 24 hours.
      </p>
    );
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-2 text-xs">
      <Badge tone="warning">changed</Badge>
      <span>
        The server's definition has changed. <ServerLink source={source}>Review the change</ServerLink>
      </span>
    </p>
  );
}
