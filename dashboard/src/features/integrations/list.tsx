// The integrations of a project: the parts of the customer's product that create sessions for members.

import { Link, useNavigate } from '@tanstack/react-router';
import type { ApiKey, Integration } from '@toolgate/sdk';
import { Blocks } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { useCreating } from '../../ui/create-button.tsx';
import { createdColumn } from '../../ui/lists/created-column.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter } from '../../ui/lists/filter-bar.tsx';
import { matching, useListPart } from '../../ui/lists/whole-list.ts';
import { Name } from '../../ui/name.tsx';
import { NoAccessText } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Search, useFilters, useUrlDialog } from '../../ui/search.ts';
import { stackClass } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { count } from '../../ui/words.ts';
import { useDailyCalls } from '../analytics/daily-calls.ts';
import { createSnippets } from '../onboarding/snippets.ts';
import { ToolsetsText } from '../tool-access/summary.tsx';
import { CreateIntegrationDialog, IntegrationActions } from './dialogs.tsx';
import { activeKeys, ConnectionBadge, lastUse, useIntegrationKeys } from './facts.tsx';
import { findExample, IntegrationGallery } from './gallery.tsx';

export function IntegrationsPage() {
  const [isCreating] = useUrlDialog('create');
  const { values, set } = useFilters();
  const navigate = useNavigate();
  const api = useProjectApi();
  const projectId = useProjectId();
  const create = (example?: string) => set({ dialog: 'create', example });
  const { button, dialog } = useCreating({
    needs: 'webhook',
    isOpen: isCreating,
    setOpen: (open) => (open ? create() : set({ dialog: undefined, example: undefined })),
  });
  const show = ({ id: integrationId }: Integration) =>
    void navigate({ to: '/projects/$projectId/integrations/$integrationId', params: { projectId, integrationId } });
  return (
    <>
      <PageHeader
        title="Integrations"
        description="Parts of your product that connect your users to their tools. Only an API key created from an integration can exchange a member assertion for a session token."
        actions={
          <>
            <ExportMenu
              name="integrations"
              columns={integrationCsv}
              rows={() => matching(api.integrations.list({ limit: 100 }), (each) => matches(each, values))}
            />
            {button('Create integration')}
          </>
        }
      />
      <div className={stackClass}>
        <IntegrationTable createButton={button('Create the first integration')} />
        <IntegrationGallery onChoose={create} />
      </div>
      <CreateIntegrationDialog {...dialog} example={findExample(values.example)} onCreated={show} />
    </>
  );
}

function IntegrationTable({ createButton }: { createButton: ReactNode }) {
  const { values } = useFilters();
  const part = useListPart('search');
  const query = useProjectQuery(['integrations', part.key], (toolgate) =>
    part.read((page) => toolgate.integrations.list(page)),
  );
  const columns = useColumns();
  return (
    <div>
      <FilterBar names={['search']}>
        <SearchFilter name="search" label="Search integrations" />
      </FilterBar>
      <DataTable
        label="Integrations"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        filter={(integration) => matches(integration, values)}
        empty={
          query.data?.data.length ? (
            <EmptyState title="No integration matches">Change the search.</EmptyState>
          ) : (
            <NoIntegrations createButton={createButton} />
          )
        }
      />
    </div>
  );
}

function NoIntegrations({ createButton }: { createButton: ReactNode }) {
  const projectId = useProjectId();
  const origin = usePublicUrl();
  return (
    <>
      <EmptyState icon={<Blocks />} title="No integrations yet" action={createButton}>
        Create one for your web app, bot or mobile app. Its API keys create sessions in which a model acts for one of
        your users.
      </EmptyState>
      <ApiExample code={createSnippets(origin, projectId).integration} tag="integrations" />
    </>
  );
}

/** The API has no search for integrations; a project has few. */
function matches({ name, description, id }: Integration, { search = '' }: Search): boolean {
  return `${name} ${description} ${id}`.toLowerCase().includes(search.toLowerCase());
}

function useColumns(): Column<Integration>[] {
  const calls = useDailyCalls('integration');
  const keys = useIntegrationKeys();
  const isAllowed = useAccess().can('manage_keys');
  const keysOf = ({ id }: Integration): ApiKey[] | undefined => keys && (keys.get(id) ?? []);
  const ifKnown = (integration: Integration, show: (keys: ApiKey[]) => ReactNode) => {
    if (!isAllowed) return <NoAccessText needs="manage_keys" />;
    const known = keysOf(integration);
    return known && show(known);
  };
  return [
    {
      header: 'Name',
      sort: ['name', ({ name }) => name],
      cell: (integration) => <NameCell integration={integration} />,
    },
    {
      header: 'Status, tools',
      width: 'w-34',
      cell: (row) => (
        <>
          {ifKnown(row, (its) => (
            <ConnectionBadge keys={its} />
          ))}
          <div className="truncate text-faint text-xs">
            <ToolsetsText toolsetIds={row.toolset_ids} />
          </div>
        </>
      ),
    },
    {
      header: 'Active keys',
      from: 'md',
      width: 'w-28',
      sort: ['active_keys', (row) => activeKeys(keysOf(row) ?? []).length],
      cell: (row) => ifKnown(row, (its) => activeKeys(its).length),
    },
    {
      header: 'Last used',
      from: 'md',
      width: 'w-32',
      sort: ['last_used_at', (row) => lastUse(keysOf(row) ?? [])],
      cell: (row) => ifKnown(row, (its) => <Time value={lastUse(its)} />),
    },
    {
      header: 'Calls, 7 days',
      from: 'lg',
      width: 'w-32',
      sort: ['calls', ({ id }) => calls(id).calls],
      cell: ({ id }) => <Sparkline values={calls(id).days} label={`${count(calls(id).calls, 'call')} in 7 days`} />,
    },
    createdColumn('sm'),
    actionsColumn((integration) => <IntegrationActions integration={integration} keys={keysOf(integration)} />),
  ];
}

function NameCell({ integration: { id, name, description } }: { integration: Integration }) {
  const projectId = useProjectId();
  return (
    <>
      <Link
        to="/projects/$projectId/integrations/$integrationId"
        params={{ projectId, integrationId: id }}
        className="font-medium hover:underline"
      >
        <Name text={name} />
      </Link>
      {description && (
        <div className="truncate text-faint text-xs">
          <Name text={description} />
        </div>
      )}
    </>
  );
}

const integrationCsv: CsvColumn<Integration>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['description', ({ description }) => description],
  ['toolset_ids', ({ toolset_ids }) => toolset_ids?.join(' ') ?? 'all'],
  ['created_at', ({ created_at }) => created_at],
];
