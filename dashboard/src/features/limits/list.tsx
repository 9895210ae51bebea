// The limits of a project: how often tools are called, and who is nearest to each limit.

import { Link } from '@tanstack/react-router';
import { MAX_LIMITS } from '@toolgate/contract/limits/rules.ts';
import type { Limit } from '@toolgate/sdk';
import { Gauge } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useProjectApi, useProjectId } from '../../api/client.ts';
import { usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { cn } from '../../ui/class-names.ts';
import { fullReason, useCreateDialog } from '../../ui/create-button.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { actionsColumn, type Column, coverRow, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter } from '../../ui/lists/filter-bar.tsx';
import { matching } from '../../ui/lists/whole-list.ts';
import { ActionsMenu, DeleteItem, EditItem } from '../../ui/menu.tsx';
import { Name } from '../../ui/name.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Search, useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { createSnippets } from '../onboarding/snippets.ts';
import { matchText } from '../tool-access/match.ts';
import { useToolNames } from '../tool-access/tools.ts';
import { LimitDrawer } from './drawer.tsx';
import { LimitDialog } from './form.tsx';
import { limitText, useLimitsQuery } from './limits.ts';
import { NearestUse } from './usage.tsx';

export function LimitsPage() {
  const [edited, setEdited] = useState<Limit | null>(null);
  const api = useProjectApi();
  const { values, set } = useFilters();
  const query = useLimitsQuery();
  const nameOf = useToolNames();
  const limits = query.data?.data;
  const matches = (limit: Limit) => isMatch(limit, values, nameOf);
  const create = useCreateDialog('write', fullReason(limits, MAX_LIMITS, 'limits'));
  return (
    <>
      <PageHeader
        title="Limits"
        description="How often the project, or each key, integration, OAuth client or member, can call some of the tools. The plan limits all requests."
        actions={
          <>
            <ExportMenu
              name="limits"
              columns={limitCsv}
              rows={() => matching(api.limits.list({ limit: 100 }), matches)}
            />
            {create.button('Create limit')}
          </>
        }
      />
      <FilterBar names={['search']}>
        <SearchFilter name="search" label="Search limits" />
      </FilterBar>
      <DataTable
        label="Limits"
        query={query}
        columns={columnsOf(nameOf, setEdited)}
        rowKey={({ id }) => id}
        expected={3}
        filter={matches}
        empty={
          limits?.length ? (
            <EmptyState title="No limit matches">Change the search.</EmptyState>
          ) : (
            <NoLimits create={create.button('Create the first limit')} />
          )
        }
      />
      <LimitDialog limit={null} {...create.dialog} />
      {edited && <LimitDialog limit={edited} open onOpenChange={() => setEdited(null)} />}
      <LimitDrawer
        id={limits && values.limit}
        limit={limits?.find(({ id }) => id === values.limit)}
        nameOf={nameOf}
        onClose={() => set({ limit: undefined })}
      />
    </>
  );
}

function isMatch(limit: Limit, { search = '' }: Search, nameOf: (id: string) => string): boolean {
  return `${limit.name} ${limit.id} ${limitText(limit)} ${matchText(limit.match, nameOf)}`
    .toLowerCase()
    .includes(search.toLowerCase());
}

function NoLimits({ create }: { create: ReactNode }) {
  const projectId = useProjectId();
  const origin = usePublicUrl();
  return (
    <>
      <EmptyState icon={<Gauge />} title="No limits yet" action={create}>
        A model in a loop can call a tool a thousand times. A limit refuses the excess calls, and tells the model when
        to try again.
      </EmptyState>
      <ApiExample code={createSnippets(origin, projectId).limit} tag="limits" />
    </>
  );
}

function columnsOf(nameOf: (id: string) => string, onEdit: (limit: Limit) => void): Column<Limit>[] {
  return [
    { header: 'Name', sort: ['name', ({ name }) => name], cell: (limit) => <NameCell limit={limit} /> },
    {
      header: 'Applies to',
      from: 'md',
      width: 'w-[26%]',
      cell: (limit) => (
        <span title={matchText(limit.match, nameOf)}>
          <Name text={matchText(limit.match, nameOf)} />
        </span>
      ),
    },
    { header: 'Highest usage', from: 'sm', width: 'w-56', cell: (limit) => <NearestUse limit={limit} /> },
    actionsColumn((limit) => <LimitActions limit={limit} onEdit={() => onEdit(limit)} />),
  ];
}

function NameCell({ limit }: { limit: Limit }) {
  return (
    <>
      <Link
        to="."
        search={(before) => ({ ...before, limit: limit.id })}
        className={cn('font-medium hover:underline', coverRow)}
      >
        <Name text={limit.name} />
      </Link>
      <div className="truncate text-faint text-xs">{limitText(limit)}</div>
    </>
  );
}

function LimitActions({ limit, onEdit }: { limit: Limit; onEdit: () => void }) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    // Above the link that covers the row.
    <span className="relative z-10">
      <ActionsMenu>
        <EditItem needs="write" onClick={onEdit} />
        <DeleteItem needs="write" onClick={() => setDeleting(true)} />
      </ActionsMenu>
      <ChangeDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title={`Delete the limit “${limit.name}”?`}
        name={limit.name}
        change={(toolgate) => toolgate.limits.delete(limit.id)}
        done={`“${limit.name}” deleted`}
        invalidates={['limits']}
      >
        This limit no longer applies to its tools, and its counts are deleted. This cannot be undone.
      </ChangeDialog>
    </span>
  );
}

const limitCsv: CsvColumn<Limit>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['match', ({ match }) => JSON.stringify(match)],
  ['per', ({ per }) => per],
  ['limit', ({ limit }) => limit],
  ['window_seconds', ({ window_seconds }) => window_seconds],
  ['overrides', ({ overrides }) => JSON.stringify(overrides)],
  ['updated_at', ({ updated_at }) => updated_at],
];
