// The MCP servers of a project: how each is, how many of its tools are approved, and how many wait.

import { Link, useNavigate } from '@tanstack/react-router';
import { MAX_MCP_SERVERS } from '@toolgate/contract/mcp-servers/rules.ts';
import type { McpServer } from '@toolgate/sdk';
import { Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProjectId } from '../../api/client.ts';
import { usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { fullReason, useCreateDialog } from '../../ui/create-button.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { McpServerActions } from './actions.tsx';
import { PendingLink, ServerStatus } from './facts.tsx';
import { McpServerDialog } from './form.tsx';
import { everyText, useServersQuery } from './queries.ts';
import { createSnippet } from './snippets.ts';

export function McpServersPage() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const query = useServersQuery();
  const create = useCreateDialog('write', fullReason(query.data?.data, MAX_MCP_SERVERS, 'MCP servers'));
  return (
    <>
      <PageHeader
        title="MCP servers"
        description="Servers whose tools this project offers as its own. Models get each tool exactly as a person approved it. Changes on the server wait for review."
        actions={create.button('Add MCP server')}
      />
      <DataTable
        label="MCP servers"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        expected={3}
        empty={<NoServers create={create.button('Add the first MCP server')} />}
      />
      <McpServerDialog
        server={null}
        {...create.dialog}
        onCreated={({ id }) =>
          void navigate({
            to: '/projects/$projectId/mcp-servers/$mcpServerId',
            params: { projectId, mcpServerId: id },
          })
        }
      />
    </>
  );
}

function NoServers({ create }: { create: ReactNode }) {
  const projectId = useProjectId();
  const origin = usePublicUrl();
  return (
    <>
      <EmptyState icon={<Unplug />} title="No MCP servers yet" action={create}>
        Use your existing MCP servers with this project's keys, members, limits, approvals and logs.
      </EmptyState>
      <ApiExample code={createSnippet(origin, projectId)} tag="mcp-servers" />
    </>
  );
}

const columns: Column<McpServer>[] = [
  { header: 'Name', cell: (server) => <NameCell server={server} /> },
  { header: 'Status', from: 'sm', width: 'w-36', cell: (server) => <ServerStatus server={server} /> },
  {
    header: 'Tools',
    width: 'w-24 sm:w-28',
    cell: (server) => (
      <>
        <div className="tabular-nums">{server.tool_count.toLocaleString('en')} approved</div>
        <PendingLink server={server} />
      </>
    ),
  },
  {
    header: 'Last sync',
    from: 'md',
    width: 'w-36',
    cell: ({ last_synced_at, sync_minutes }) => (
      <>
        <div className="truncate">
          <Time value={last_synced_at} />
        </div>
        <div className="truncate text-faint text-xs">{everyText(sync_minutes)}</div>
      </>
    ),
  },
  {
    header: 'Last error',
    from: 'lg',
    width: 'w-[20%]',
    cell: ({ last_error }) =>
      last_error ? (
        <span className="text-danger" title={last_error}>
          <Name text={last_error} />
        </span>
      ) : (
        <span className="text-faint">None</span>
      ),
  },
  actionsColumn((server) => <McpServerActions server={server} />),
];

function NameCell({ server }: { server: McpServer }) {
  const projectId = useProjectId();
  return (
    <>
      <Link
        to="/projects/$projectId/mcp-servers/$mcpServerId"
        params={{ projectId, mcpServerId: server.id }}
        className="block truncate font-medium hover:underline"
      >
        <Name text={server.name} />
      </Link>
      <div className="truncate text-faint text-xs" title={server.url}>
        {server.url}
      </div>
      {server.last_error && (
        <div className="truncate text-danger text-xs sm:hidden">
          <Name text={server.last_error} />
        </div>
      )}
    </>
  );
}
