// The parts of an MCP server that the list and its page share.

import { Link } from '@tanstack/react-router';
import type { McpServer } from '@toolgate/sdk';
import { useProjectId } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { NotApprovedBadge } from '../custom-tools/approval.tsx';
import { pendingText, statusWords } from './queries.ts';

export function ServerStatus({ server }: { server: McpServer }) {
  const { text, tone } = statusWords(server);
  return (
    <>
      <Badge tone={tone}>
        <span className="size-1.5 rounded-full bg-current" />
        {text}
      </Badge>
      <NotApprovedBadge of={server} />
      {server.found_issuer && <Badge tone="warning">issuer to approve</Badge>}
    </>
  );
}

/** Leads to the review. Nothing if nothing waits. */
export function PendingLink({ server: { id, pending_count } }: { server: McpServer }) {
  const projectId = useProjectId();
  if (pending_count === 0) return null;
  return (
    <Link
      to="/projects/$projectId/mcp-servers/$mcpServerId"
      params={{ projectId, mcpServerId: id }}
      className="rounded hover:underline"
    >
      <Badge tone="accent">{pendingText(pending_count)}</Badge>
    </Link>
  );
}
