// The webhooks of a project: where events are sent, and whether they arrive.

import { Link } from '@tanstack/react-router';
import type { NewWebhook, Webhook } from '@toolgate/sdk';
import { Webhook as WebhookIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { useCreateDialog } from '../../ui/create-button.tsx';
import { createdColumn } from '../../ui/lists/created-column.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { matching, useListPart } from '../../ui/lists/whole-list.ts';
import { Name } from '../../ui/name.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { WebhookActions } from './actions.tsx';
import { CreateWebhookDialog, NewWebhookDialog } from './dialogs.tsx';
import { DeliveryStrip, EventBadges, statusOf, WebhookStatus } from './health.tsx';
import { sentId, useWebhookSearch } from './search.ts';
import { createSnippet } from './snippets.ts';

const statuses = ['enabled', 'failing', 'disabled'].map((value) => ({ value, label: value }));

export function WebhooksPage() {
  const [created, setCreated] = useState<NewWebhook | null>(null);
  const api = useProjectApi();
  const part = useListPart('search', 'status');
  const query = useProjectQuery(['webhooks', part.key], (toolgate) =>
    part.read((page) => toolgate.webhooks.list(page)),
  );
  const search = useWebhookSearch();
  const rows = () => matching(api.webhooks.list({ limit: 100 }), search.matches);
  const create = useCreateDialog('webhook');
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="toolgate sends the events of this project to your URLs, signed, and retries for three days if they don't respond."
        actions={
          <>
            <ExportMenu name="webhooks" columns={webhookCsv} rows={rows} />
            {create.button('Create webhook')}
          </>
        }
      />
      <FilterBar names={['search', 'status']}>
        <SearchFilter name="search" label="Search webhooks" />
        <SelectFilter name="status" label="Status" options={statuses} />
      </FilterBar>
      <DataTable
        label="Webhooks"
        query={{
          ...query,
          error: query.error ?? search.error,
          refetch: query.error ? query.refetch : search.refetch,
          isPlaceholderData: query.isPlaceholderData || search.isPending,
        }}
        columns={columns(setCreated, useIsNarrow())}
        rowKey={({ id }) => id}
        filter={search.matches}
        empty={
          query.data?.data.length ? (
            <EmptyState title="No webhook matches">Change the search or the status.</EmptyState>
          ) : (
            <NoWebhooks create={create.button('Create the first webhook')} />
          )
        }
      />
      <CreateWebhookDialog {...create.dialog} onCreated={setCreated} />
      <NewWebhookDialog created={created} onSaved={() => setCreated(null)} />
    </>
  );
}

/** The name of its button is not that of the page's, so that each is found by its own. */
function NoWebhooks({ create }: { create: ReactNode }) {
  const projectId = useProjectId();
  const origin = usePublicUrl();
  return (
    <>
      <EmptyState icon={<WebhookIcon />} title="No webhooks yet" action={create}>
        Create one to receive events about calls, keys and changes in your own systems. Test it immediately with a ping.
      </EmptyState>
      <ApiExample code={createSnippet({ origin, projectId })} tag="webhooks" />
    </>
  );
}

const statusColumn: Column<Webhook> = {
  header: 'Status',
  width: 'w-28',
  sort: ['status', statusOf],
  cell: (webhook) => <WebhookStatus webhook={webhook} />,
};

const columns = (onSecret: (webhook: NewWebhook) => void, isNarrow: boolean): Column<Webhook>[] => [
  { header: 'URL', sort: ['url', ({ url }) => url], cell: (webhook) => <UrlCell webhook={webhook} /> },
  { header: 'Events', from: 'lg', width: 'w-52', cell: ({ events }) => <EventBadges events={events} /> },
  ...(isNarrow ? [] : [statusColumn]),
  { header: 'Last deliveries', from: 'sm', width: 'w-52', cell: ({ id }) => <DeliveryStrip webhookId={id} /> },
  createdColumn('xl'),
  actionsColumn((webhook) => <WebhookActions webhook={webhook} onSecret={onSecret} />),
];

/** Narrow screens have no column for the status. */
function UrlCell({ webhook }: { webhook: Webhook }) {
  const projectId = useProjectId();
  const isNarrow = useIsNarrow();
  const { values } = useFilters();
  const { id, url, description } = webhook;
  return (
    <>
      <Link
        to="/projects/$projectId/webhooks/$webhookId"
        params={{ projectId, webhookId: id }}
        search={sentId(values.search) ?? {}}
        className="font-medium hover:underline"
      >
        {url}
      </Link>
      <div className="flex min-w-0 items-center gap-2 text-faint text-xs">
        {isNarrow && <WebhookStatus webhook={webhook} />}
        <Name text={description ?? ''} className="truncate" />
      </div>
    </>
  );
}

const webhookCsv: CsvColumn<Webhook>[] = [
  ['id', ({ id }) => id],
  ['url', ({ url }) => url],
  ['events', ({ events }) => events.join(' ')],
  ['status', statusOf],
  ['disabled_reason', ({ disabled_reason }) => disabled_reason],
  ['failing_since', ({ failing_since }) => failing_since],
  ['description', ({ description }) => description],
  ['created_at', ({ created_at }) => created_at],
];
