// The API keys of a project. This page is the pattern for the other lists: header, filters, table, row actions, dialogs.

import { Link } from '@tanstack/react-router';
import { apiKeyStatuses } from '@toolgate/contract/api-keys/rules.ts';
import type { ApiKey, NewApiKey } from '@toolgate/sdk';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { useCreateDialog } from '../../ui/create-button.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { actionsColumn, type Column, DataTable, type ListQuery } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { matching, useListPart } from '../../ui/lists/whole-list.ts';
import { Name } from '../../ui/name.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Search, useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { count } from '../../ui/words.ts';
import { useDailyCalls } from '../analytics/daily-calls.ts';
import { KEY_PLACEHOLDER, restSnippet } from '../onboarding/snippets.ts';
import { ToolsetsText } from '../tool-access/summary.tsx';
import { ApiKeyActions } from './actions.tsx';
import { CreateApiKeyDialog, NewKeyDialog } from './dialogs.tsx';
import { ExpiryTime, isUnused, KeyCode, useKeyNames } from './facts.tsx';
import { PermissionBadges } from './permissions.tsx';

const statuses = optionsOf(apiKeyStatuses);

export function ApiKeysPage() {
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const { values } = useFilters();
  const isAllowed = useAccess().can('manage_keys');
  const api = useProjectApi();
  const part = useListPart('search', 'status');
  const query = useProjectQuery(
    ['api-keys', part.key],
    (toolgate) => part.read((page) => toolgate.apiKeys.list(page)),
    { enabled: isAllowed },
  );
  const create = useCreateDialog('manage_keys');
  return (
    <>
      <PageHeader
        title="API keys"
        description="Credentials for your backend, for scripts and for MCP clients. A key works in this project only."
        actions={
          <>
            <ExportMenu
              name="api-keys"
              needs="manage_keys"
              columns={keyCsv}
              rows={() => matching(api.apiKeys.list({ limit: 100 }), (key) => matches(key, values))}
            />
            {create.button('Create API key')}
          </>
        }
      />
      {isAllowed ? (
        <KeyTable query={query} onCreated={setCreated} createButton={create.button('Create the first API key')} />
      ) : (
        <NoAccess what="API keys" needs="manage_keys" />
      )}
      <CreateApiKeyDialog {...create.dialog} onCreated={setCreated} />
      <NewKeyDialog created={created} onSaved={() => setCreated(null)} />
    </>
  );
}

type KeyTableProps = {
  query: ListQuery<ApiKey>;
  onCreated: (key: NewApiKey) => void;
  createButton: ReactNode;
};

function KeyTable({ query, onCreated, createButton }: KeyTableProps) {
  const { values } = useFilters();
  const columns = useColumns(onCreated);
  return (
    <>
      <FilterBar names={['search', 'status']}>
        <SearchFilter name="search" label="Search keys" />
        <SelectFilter name="status" label="Status" options={statuses} />
      </FilterBar>
      <DataTable
        label="API keys"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        filter={(key) => matches(key, values)}
        empty={
          query.data?.data.length ? (
            <EmptyState title="No key matches">Change the search or the status.</EmptyState>
          ) : (
            <NoKeys createButton={createButton} />
          )
        }
      />
    </>
  );
}

/** A first key cannot be created with a key, so the example is what it is for. */
function NoKeys({ createButton }: { createButton: ReactNode }) {
  const projectId = useProjectId();
  const request = restSnippet({ origin: usePublicUrl(), projectId, key: KEY_PLACEHOLDER });
  return (
    <>
      <EmptyState icon={<KeyRound />} title="No API keys yet" action={createButton}>
        Create one for your backend or for a model. Its secret is shown once.
      </EmptyState>
      <ApiExample title="Then call the API with it" code={request} tag="api-keys" />
    </>
  );
}

/** The API has no filters for keys; a project has few. */
function matches({ name, status, prefix, last4, id }: ApiKey, filters: Search): boolean {
  const text = `${name} ${prefix}${last4} ${id}`.toLowerCase();
  return text.includes((filters.search ?? '').toLowerCase()) && (!filters.status || status === filters.status);
}

function useColumns(onCreated: (key: NewApiKey) => void): Column<ApiKey>[] {
  const usage = useDailyCalls('api_key');
  const names = useKeyNames();
  return [
    {
      header: 'Name',
      sort: ['name', ({ name }) => name],
      cell: (key) => <NameCell apiKey={key} source={names.source(key)} creator={names.creator(key)} />,
    },
    { header: 'Key', from: 'sm', width: 'w-44', cell: (key) => <KeyCode apiKey={key} /> },
    {
      header: 'Permissions',
      from: 'xl',
      width: 'w-46',
      cell: ({ permissions }) => <PermissionBadges permissions={permissions} />,
    },
    {
      header: 'Status, expiry',
      width: 'w-36',
      sort: ['expires_at', ({ expires_at }) => expires_at],
      cell: (key) => <StatusCell apiKey={key} />,
    },
    {
      header: 'Last used',
      from: 'md',
      width: 'w-28',
      sort: ['last_used_at', ({ last_used_at }) => last_used_at],
      cell: (key) => <LastUsed apiKey={key} />,
    },
    {
      header: 'Calls, 7 days',
      from: 'lg',
      width: 'w-30',
      sort: ['calls', ({ id }) => usage(id).calls],
      cell: ({ id }) => {
        const { calls, days } = usage(id);
        return <Sparkline values={days} label={`${count(calls, 'call')} in 7 days`} />;
      },
    },
    actionsColumn((key) => <ApiKeyActions apiKey={key} onCreated={onCreated} />),
  ];
}

function NameCell({ apiKey, source, creator }: { apiKey: ApiKey; source: string; creator: string }) {
  const projectId = useProjectId();
  return (
    <>
      <Link
        to="/projects/$projectId/api-keys/$apiKeyId"
        params={{ projectId, apiKeyId: apiKey.id }}
        className="font-medium hover:underline"
      >
        <Name text={apiKey.name} />
      </Link>
      <div className="truncate text-faint text-xs">
        <ToolsetsText toolsetIds={apiKey.toolset_ids} /> · <Name text={source} /> · by <Name text={creator} />
      </div>
    </>
  );
}

function StatusCell({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <StatusBadge status={apiKey.status} />
      {apiKey.expires_at && (
        <div className="truncate text-faint text-xs">
          {apiKey.status === 'expired' ? 'Expired' : 'Expires'} <ExpiryTime apiKey={apiKey} />
        </div>
      )}
    </>
  );
}

function LastUsed({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <Time value={apiKey.last_used_at} />
      {isUnused(apiKey) && <div className="text-warning text-xs">Unused: revoke it?</div>}
    </>
  );
}

/** No secret is in it: the API does not know them any more. */
const keyCsv: CsvColumn<ApiKey>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['prefix', ({ prefix }) => prefix],
  ['last4', ({ last4 }) => last4],
  ['integration_id', ({ integration_id }) => integration_id],
  ['permissions', ({ permissions }) => permissions.join(' ')],
  ['toolset_ids', ({ toolset_ids }) => toolset_ids?.join(' ') ?? 'all'],
  ['status', ({ status }) => status],
  ['created_by', ({ created_by }) => created_by],
  ['created_at', ({ created_at }) => created_at],
  ['last_used_at', ({ last_used_at }) => last_used_at],
  ['expires_at', ({ expires_at }) => expires_at],
];
