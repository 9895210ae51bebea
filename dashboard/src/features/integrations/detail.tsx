// One integration: whether it is connected, its API keys, how to get a session with them, and its calls.

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ApiKey, Integration, NewApiKey, Page } from '@toolgate/sdk';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button, linkClass } from '../../ui/button.tsx';
import { Snippets } from '../../ui/code-block.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { useUrlDialog } from '../../ui/search.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ApiKeyActions } from '../api-keys/actions.tsx';
import { CreateApiKeyDialog, NewKeyDialog } from '../api-keys/dialogs.tsx';
import { KeyCode } from '../api-keys/facts.tsx';
import { PermissionBadges } from '../api-keys/permissions.tsx';
import { CallTable } from '../calls/table.tsx';
import { sessionSnippets } from '../onboarding/snippets.ts';
import { ToolsetLinks } from '../tool-access/summary.tsx';
import { IntegrationConnection } from './connection.tsx';
import { IntegrationActions } from './dialogs.tsx';

export function IntegrationPage() {
  const { integrationId } = useParams({ from: '/signed-in/projects/$projectId/integrations/$integrationId' });
  const query = useProjectQuery(['integrations', 'one', integrationId], (toolgate) =>
    toolgate.integrations.get(integrationId),
  );
  const { data: integration, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (error && !integration)
    return (
      <>
        <PageHeader title="Integration" above={<ListLink />} />
        <ErrorState error={error} retry={() => query.refetch()} />
      </>
    );
  if (!integration) return <PageSkeleton />;
  return <IntegrationDetails integration={integration} />;
}

function ListLink() {
  return (
    <Link to="/projects/$projectId/integrations" params={{ projectId: useProjectId() }} className={linkClass}>
      Integrations
    </Link>
  );
}

function IntegrationDetails({ integration }: { integration: Integration }) {
  const { id, name, description, toolset_ids } = integration;
  const [isCreating, setCreating] = useUrlDialog('create');
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const projectId = useProjectId();
  const navigate = useNavigate();
  const isAllowed = useAccess().can('manage_keys');
  const keys = useProjectQuery(
    ['api-keys', 'integration', id],
    (toolgate) => toolgate.integrations.apiKeys.list(id, { limit: 100 }),
    {
      enabled: isAllowed,
    },
  );
  const list = { to: '/projects/$projectId/integrations', params: { projectId } } as const;
  const createButton = (text: string) => (
    <Button look="solid" needs="manage_keys" onClick={() => setCreating(true)}>
      <Plus /> {text}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={name}
        above={<ListLink />}
        description={
          <>
            {description && (
              <p className="break-words">
                <Name text={description} />
              </p>
            )}
            <CopyableCode text={id} label="Copy integration id" />
            <div className="mt-1 flex flex-wrap items-center gap-2 text-xs">
              Its keys and sessions see <ToolsetLinks toolsetIds={toolset_ids} />
            </div>
          </>
        }
        actions={
          <>
            {createButton('Create API key')}
            <IntegrationActions integration={integration} keys={keys.data?.data} onDeleted={() => navigate(list)} />
          </>
        }
      />
      <div className="grid grid-cols-1 gap-8">
        <IntegrationConnection integration={integration} keys={keys.data?.data} refetchKeys={keys.refetch} />
        <IntegrationKeys
          query={keys}
          isAllowed={isAllowed}
          onCreated={setCreated}
          createButton={createButton('Create the first API key')}
        />
        <SessionHelp />
        <CallTable
          filters={{ integration_id: id }}
          empty="No call was made with a key or a session of this integration."
        />
      </div>
      <CreateApiKeyDialog
        open={isCreating && isAllowed}
        onOpenChange={setCreating}
        onCreated={setCreated}
        integrationId={id}
      />
      <NewKeyDialog created={created} onSaved={() => setCreated(null)} />
    </>
  );
}

type KeysProps = {
  query: { data: Page<ApiKey> | undefined; error: unknown; refetch: () => unknown };
  isAllowed: boolean;
  onCreated: (key: NewApiKey) => void;
  createButton: React.ReactNode;
};

function IntegrationKeys({ query, isAllowed, onCreated, createButton }: KeysProps) {
  return (
    <Section title="API keys">
      {isAllowed ? (
        <DataTable
          label="API keys"
          expected={2}
          // Without pages: the cursor in the URL is that of the calls.
          query={{ ...query, data: query.data && { data: query.data.data } }}
          columns={keyColumns(onCreated)}
          rowKey={({ id }) => id}
          empty={
            <EmptyState compact icon={<KeyRound />} title="No API keys yet" action={createButton}>
              Your backend needs one to create sessions for members. Keys of the project itself cannot do that.
            </EmptyState>
          }
        />
      ) : (
        <NoAccess what="API keys" needs="manage_keys" />
      )}
    </Section>
  );
}

const keyColumns = (onCreated: (key: NewApiKey) => void): Column<ApiKey>[] => [
  { header: 'Name', cell: (key) => <KeyName apiKey={key} /> },
  { header: 'Key', from: 'sm', width: 'w-44', cell: (key) => <KeyCode apiKey={key} /> },
  {
    header: 'Permissions',
    from: 'lg',
    width: 'w-46',
    cell: ({ permissions }) => <PermissionBadges permissions={permissions} />,
  },
  { header: 'Status', width: 'w-28', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Last used', from: 'md', width: 'w-32', cell: ({ last_used_at }) => <Time value={last_used_at} /> },
  actionsColumn((key) => <ApiKeyActions apiKey={key} onCreated={onCreated} />),
];

function KeyName({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/projects/$projectId/api-keys/$apiKeyId"
      params={{ projectId, apiKeyId: id }}
      className="font-medium hover:underline"
    >
      <Name text={name} />
    </Link>
  );
}

function SessionHelp() {
  const target = { origin: usePublicUrl(), projectId: useProjectId(), key: '<API key of this integration>' };
  return (
    <Section title="Get a session token for a member">
      <p className="mb-3 max-w-2xl text-muted">
        Your backend signs an assertion that identifies your user and exchanges it for a session token. An MCP client
        with this token acts for that user.
      </p>
      <Snippets label="Get a session token" snippets={sessionSnippets(target)} />
    </Section>
  );
}
