// The toolsets of a project, and what somebody sees of them.

import { Link, useNavigate } from '@tanstack/react-router';
import type { Toolset } from '@toolgate/sdk';
import { Group } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProjectApi, useProjectId } from '../../api/client.ts';
import { usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { useCreateDialog } from '../../ui/create-button.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter } from '../../ui/lists/filter-bar.tsx';
import { matching } from '../../ui/lists/whole-list.ts';
import { Name } from '../../ui/name.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Search, useFilters } from '../../ui/search.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { count, showHidden } from '../../ui/words.ts';
import { createSnippets } from '../onboarding/snippets.ts';
import { useToolsetsQuery } from '../tool-access/toolsets.ts';
import { type Use, useKinds, usesOf, useUses } from '../tool-access/uses.ts';
import { ToolsetActions } from './actions.tsx';
import { CreateToolsetDialog } from './create.tsx';
import { ExposureText, GrantBadge } from './facts.tsx';
import { PreviewTab } from './preview/tab.tsx';

export function ToolsetsPage() {
  const api = useProjectApi();
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { values } = useFilters();
  const show = ({ id: toolsetId }: Toolset) =>
    void navigate({ to: '/projects/$projectId/toolsets/$toolsetId', params: { projectId, toolsetId } });
  const create = useCreateDialog('write');
  return (
    <>
      <PageHeader
        title="Toolsets"
        description="Named subsets of your tools. Assign one to a key, an app, a provider or a group of members, and they see exactly those tools."
        actions={
          <>
            <ExportMenu
              name="toolsets"
              columns={toolsetCsv}
              rows={() => matching(api.toolsets.list({ limit: 100 }), (each) => matches(each, values))}
            />
            {create.button('Create toolset')}
          </>
        }
      />
      <PageTabs
        label="Toolsets"
        tabs={[
          {
            id: 'list',
            label: 'All toolsets',
            content: <ToolsetTable create={create.button('Create the first toolset')} />,
          },
          { id: 'preview', label: 'Preview as', content: <PreviewTab /> },
        ]}
      />
      <CreateToolsetDialog {...create.dialog} onCreated={show} />
    </>
  );
}

function ToolsetTable({ create }: { create: ReactNode }) {
  const { values } = useFilters();
  const query = useToolsetsQuery();
  const columns = useColumns();
  return (
    <>
      <FilterBar names={['search']}>
        <SearchFilter name="search" label="Search toolsets" />
      </FilterBar>
      <DataTable
        label="Toolsets"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        expected={3}
        filter={(toolset) => matches(toolset, values)}
        empty={
          query.data?.data.length ? (
            <EmptyState title="No toolset matches">Change the search.</EmptyState>
          ) : (
            <NoToolsets create={create} />
          )
        }
      />
    </>
  );
}

function NoToolsets({ create }: { create: ReactNode }) {
  const projectId = useProjectId();
  const origin = usePublicUrl();
  return (
    <>
      <EmptyState icon={<Group />} title="No toolsets yet" action={create}>
        <p>
          Without one, every key, app and member sees every tool. With toolsets, support staff may refund, customers
          only read their orders, and a public client sees three tools.
        </p>
      </EmptyState>
      <ol className="mx-auto -mt-8 mb-14 grid max-w-md list-decimal gap-1 px-10 text-muted">
        <li>Create a toolset, such as “Support staff”.</li>
        <li>Pick its tools, or a tag that they have.</li>
        <li>Assign it to an API key, an integration, an OAuth client or provider, or in the rules for members.</li>
        <li>Check what they see with “Preview as”.</li>
      </ol>
      <ApiExample code={createSnippets(origin, projectId).toolset} tag="toolsets" />
    </>
  );
}

function matches({ name, slug, description, id, tags }: Toolset, { search = '' }: Search): boolean {
  return `${name} ${slug} ${description} ${id} ${tags.join(' ')}`.toLowerCase().includes(search.toLowerCase());
}

function useColumns(): Column<Toolset>[] {
  const uses = useUses().all;
  return [
    { header: 'Name', sort: ['name', ({ name }) => name], cell: (toolset) => <NameCell toolset={toolset} /> },
    {
      header: 'Tools',
      width: 'w-20',
      align: 'right',
      sort: ['tool_count', ({ tool_count }) => tool_count],
      cell: ({ tool_count }) =>
        tool_count === 0 ? <span className="text-warning">0</span> : tool_count.toLocaleString('en'),
    },
    { header: 'OAuth', from: 'md', width: 'w-32', cell: ({ grant }) => <GrantBadge grant={grant} /> },
    { header: 'In the list', from: 'lg', width: 'w-32', cell: (toolset) => <ExposureText toolset={toolset} /> },
    {
      header: 'Used by',
      from: 'sm',
      width: 'w-48',
      sort: ['uses', (toolset) => uses && usesOf(toolset, uses).length],
      cell: (toolset) => (uses ? <UsedBy uses={usesOf(toolset, uses)} /> : <Skeleton className="w-24" />),
    },
    actionsColumn((toolset) => <ToolsetActions toolset={toolset} />),
  ];
}

function NameCell({ toolset: { id, name, slug } }: { toolset: Toolset }) {
  const projectId = useProjectId();
  return (
    <>
      <Link
        to="/projects/$projectId/toolsets/$toolsetId"
        params={{ projectId, toolsetId: id }}
        className="font-medium hover:underline"
      >
        <Name text={name} />
      </Link>
      <div className="truncate text-faint text-xs">
        <code>{slug}</code>
      </div>
    </>
  );
}

function UsedBy({ uses }: { uses: Use[] }) {
  const lacksKeys = useUses().lacksKeys;
  const [first, ...others] = uses;
  if (!first) return <span className="text-faint">{lacksKeys ? "Your role can't see keys" : 'Nobody yet'}</span>;
  const all = uses.map(({ kind, name }) => `${useKinds[kind]}: ${name}`);
  return (
    <span title={showHidden(all.join('\n'))}>
      <Name text={first.name} />
      <div className="truncate text-faint text-xs">
        {useKinds[first.kind]}
        {others.length > 0 && ` and ${count(others.length, 'other')}`}
      </div>
    </span>
  );
}

const toolsetCsv: CsvColumn<Toolset>[] = [
  ['id', ({ id }) => id],
  ['slug', ({ slug }) => slug],
  ['name', ({ name }) => name],
  ['description', ({ description }) => description],
  ['tool_count', ({ tool_count }) => tool_count],
  ['tags', ({ tags }) => tags.join(' ')],
  ['only', ({ only }) => only],
  ['grant', ({ grant }) => grant],
  ['exposure', ({ exposure }) => exposure],
  ['updated_at', ({ updated_at }) => updated_at],
];
