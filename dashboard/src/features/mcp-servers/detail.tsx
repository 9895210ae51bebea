// One MCP server: how it is, the review of what waits, and the tools that were approved.

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { McpServer } from '@toolgate/sdk';
import { RefreshCw, TriangleAlert } from 'lucide-react';
import { useProjectId } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, linkClass } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Name } from '../../ui/name.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { ApprovalNotice } from '../custom-tools/approval.tsx';
import { strategyText } from '../custom-tools/auth-values.ts';
import { McpServerActions, useSync } from './actions.tsx';
import { ServerStatus } from './facts.tsx';
import { IssuerSection } from './issuer.tsx';
import { everyText, reviewWords, useServerQuery } from './queries.ts';
import { ReviewTab } from './review/tab.tsx';
import { ApprovedToolsTab } from './tools.tsx';

export function McpServerPage() {
  const { mcpServerId } = useParams({ from: '/signed-in/projects/$projectId/mcp-servers/$mcpServerId' });
  const query = useServerQuery(mcpServerId);
  const { data: server, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (server) return <ServerDetails server={server} />;
  if (!error) return <PageSkeleton />;
  return (
    <>
      <PageHeader title="MCP server" above={<ListLink />} />
      <ErrorState error={error} retry={() => query.refetch()} />
    </>
  );
}

function ListLink() {
  return (
    <Link to="/projects/$projectId/mcp-servers" params={{ projectId: useProjectId() }} className={linkClass}>
      MCP servers
    </Link>
  );
}

function ServerDetails({ server }: { server: McpServer }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const sync = useSync(server);
  const syncButton = (
    <Button needs="write" look="solid" busy={sync.isPending} onClick={() => sync.mutate()}>
      <RefreshCw /> Sync now
    </Button>
  );
  const showList = () => navigate({ to: '/projects/$projectId/mcp-servers', params: { projectId } });
  return (
    <>
      <PageHeader
        title={server.name}
        above={<ListLink />}
        description={<ServerLine server={server} />}
        actions={
          <>
            {syncButton}
            <McpServerActions server={server} onDeleted={showList} />
          </>
        }
      />
      <div className="grid grid-cols-1 gap-6">
        {server.last_error && <LastError server={server} />}
        <ApprovalNotice of={server} />
        <Settings server={server} />
        <IssuerSection server={server} />
        <PageTabs
          label="MCP server"
          tabs={[
            {
              id: 'review',
              label: <TabLabel text="Review" number={server.pending_count} />,
              content: <ReviewTab server={server} />,
              isKept: true,
            },
            {
              id: 'tools',
              label: <TabLabel text="Approved tools" number={server.tool_count} />,
              content: <ApprovedToolsTab server={server} />,
            },
          ]}
        />
      </div>
    </>
  );
}

function TabLabel({ text, number }: { text: string; number: number }) {
  return (
    <span className="flex items-center gap-1.5">
      {text} <Badge tone={text === 'Review' && number > 0 ? 'accent' : 'neutral'}>{number.toLocaleString('en')}</Badge>
    </span>
  );
}

function ServerLine({ server }: { server: McpServer }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <ServerStatus server={server} />
        <CopyableCode text={server.url} label="Copy URL" />
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 text-xs">
        <span className="flex min-w-0 items-center gap-1">
          Slug <CopyableCode text={server.slug} label="Copy slug" />
        </span>
        <CopyableCode text={server.id} label="Copy MCP server id" />
      </div>
    </div>
  );
}

function LastError({ server: { last_error, tool_count } }: { server: McpServer }) {
  return (
    <p className="flex gap-2.5 rounded-md bg-danger-soft px-3 py-2.5 text-danger">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span className="min-w-0 break-words">
        <span className="font-medium">The last sync failed:</span> <Name text={last_error ?? ''} />.
        {tool_count > 0 && ' Its approved tools stay listed and callable.'}
      </span>
    </p>
  );
}

function Settings({ server }: { server: McpServer }) {
  const headers = Object.keys(server.headers);
  return (
    <Facts
      facts={[
        ['Last sync', <Time key="sync" value={server.last_synced_at} />],
        ['Synced', everyText(server.sync_minutes)],
        ['A person approves', reviewWords[server.review]],
        ['MCP revision', server.revision ?? 'Not known yet'],
        ['Auth strategy', strategyText(server.auth_strategy)],
        ['Fixed headers', headers.length === 0 ? 'None' : headers.join(', ')],
        ['Timeout', `${server.timeout_ms.toLocaleString('en')} ms`],
        ['Added', <Time key="created" value={server.created_at} />],
      ]}
    />
  );
}
