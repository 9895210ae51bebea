// The tab "Approved tools": the tools of the project that come from an MCP server, and whether the server still has them like that.

import { Link } from '@tanstack/react-router';
import type { ApprovedTool, McpServer } from '@toolgate/sdk';
import { Wrench } from 'lucide-react';
import { useProjectId } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { approvedWords, useApprovedQuery } from './queries.ts';

export function ApprovedToolsTab({ server }: { server: McpServer }) {
  return (
    <DataTable
      label="Approved tools"
      query={useApprovedQuery(server)}
      columns={columns}
      rowKey={({ tool_id }) => tool_id}
      expected={3}
      empty={
        <EmptyState icon={<Wrench />} title="No tool is approved yet" compact>
          Approve tools under Review. Models get only approved tools.
        </EmptyState>
      }
    />
  );
}

const columns: Column<ApprovedTool>[] = [
  { header: 'Name', cell: (tool) => <NameCell tool={tool} /> },
  {
    header: 'At the server',
    from: 'md',
    width: 'w-[28%]',
    cell: ({ upstream_name }) => (
      <code className="text-xs">
        <Name text={upstream_name} />
      </code>
    ),
  },
  {
    header: 'State',
    width: 'w-28 sm:w-32',
    cell: ({ state }) => <Badge tone={approvedWords[state].tone}>{approvedWords[state].text}</Badge>,
  },
  {
    header: 'Approved hash',
    from: 'lg',
    width: 'w-56',
    cell: ({ hash }) => <CopyableCode text={hash} label="Copy hash" />,
  },
];

function NameCell({ tool: { tool_id, name } }: { tool: ApprovedTool }) {
  return (
    <Link
      to="/projects/$projectId/custom-tools/$toolId"
      params={{ projectId: useProjectId(), toolId: tool_id }}
      className="block truncate font-medium hover:underline"
    >
      {name}
    </Link>
  );
}
