// The tools of a project: the list with how each does, and the dialog that imports some.

import { Link, useNavigate } from '@tanstack/react-router';
import type { CustomTool } from '@toolgate/sdk';
import { FileUp, Wrench } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { useCreateAction } from '../../ui/create-button.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { type Selected, selectColumn } from '../../ui/lists/selection.tsx';
import { useListPart } from '../../ui/lists/whole-list.ts';
import { Name } from '../../ui/name.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFilters, useUrlDialog } from '../../ui/search.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { count, percent } from '../../ui/words.ts';
import { LoadSampleShop } from '../onboarding/sample-shop.tsx';
import { useToolsets } from '../tool-access/toolsets.ts';
import { CustomToolActions } from './actions.tsx';
import { NotApprovedBadge } from './approval.tsx';
import { BulkActions } from './bulk.tsx';
import { ConfirmAllHints } from './confirm-hints.tsx';
import { EnabledSwitch, hostOf, MethodBadge, type ToolUsage, useToolUsage } from './facts.tsx';
import { ImportDialog } from './import/dialog.tsx';
import { createSnippet } from './snippets.ts';

const states = [
  { value: 'true', label: 'enabled' },
  { value: 'false', label: 'disabled' },
];
const FILTERS = ['search', 'is_enabled', 'tag'] as const;

export function CustomToolsPage() {
  const [isImporting, setImporting] = useUrlDialog('import');
  const { values } = useFilters();
  const { search, is_enabled, tag } = values;
  const isAllowed = useAccess().can('write');
  const [selected, onSelect] = useState<Selected<CustomTool>>(new Map());
  const api = useProjectApi();
  const filters = {
    search: search || undefined,
    is_enabled: is_enabled === undefined ? undefined : is_enabled === 'true',
    tag: tag || undefined,
  };
  // The API searches and filters; only an order needs all rows.
  const part = useListPart();
  const query = useProjectQuery(['custom-tools', part.key, search, is_enabled, tag], (toolgate) =>
    part.read((page) => toolgate.customTools.list({ ...filters, ...page })),
  );
  const createButton = useCreateAction({ needs: 'write', create: useOpenForm() });
  return (
    <>
      <PageHeader
        title="Custom tools"
        description="Endpoints of your API that models may call. Each call is validated, authenticated and logged."
        actions={
          <>
            <ExportMenu
              name="custom-tools"
              columns={toolCsv}
              rows={() => api.customTools.list({ ...filters, limit: 100 })}
            />
            <Button needs="write" onClick={() => setImporting(true)}>
              <FileUp /> Import OpenAPI
            </Button>
            {createButton('Create tool')}
          </>
        }
      />
      <FilterBar names={FILTERS}>
        <SearchFilter name="search" label="Search tools" />
        <SelectFilter name="is_enabled" label="State" options={states} />
        <TagFilter tools={query.data?.data ?? []} />
        <ConfirmAllHints tools={query.data?.data ?? []} filters={filters} />
      </FilterBar>
      <DataTable
        label="Custom tools"
        query={query}
        columns={[selectColumn({ selected, onSelect, nameOf: ({ name }) => name }), ...useColumns()]}
        rowKey={({ id }) => id}
        empty={
          FILTERS.some((name) => values[name]) ? (
            <NoMatch />
          ) : (
            <NoTools create={createButton('Create the first tool')} />
          )
        }
      />
      <BulkActions selected={selected} onSelect={onSelect} />
      <ImportDialog open={isImporting && isAllowed} onOpenChange={setImporting} />
    </>
  );
}

function useOpenForm() {
  const navigate = useNavigate();
  const projectId = useProjectId();
  return () => void navigate({ to: '/projects/$projectId/custom-tools/new', params: { projectId } });
}

/** The tags of the rows and of toolsets: tools may have others, which a link can still name. */
function TagFilter({ tools }: { tools: CustomTool[] }) {
  const toolsets = useToolsets() ?? [];
  const tags = [...new Set([...tools, ...toolsets].flatMap((each) => each.tags))].sort();
  return <SelectFilter name="tag" label="Tag" options={optionsOf(tags)} />;
}

const NoMatch = () => <EmptyState title="No tool matches">Change the search, the state or the tag.</EmptyState>;

/** The name of its button is not that of the page's, so that each is found by its own. */
function NoTools({ create }: { create: ReactNode }) {
  return (
    <>
      <EmptyState
        icon={<Wrench />}
        title="No tools yet"
        action={
          <>
            {create}
            <LoadSampleShop />
          </>
        }
      >
        Create one, import an OpenAPI document, or load a sample shop whose tools work immediately.
      </EmptyState>
      <ApiExample code={createSnippet(usePublicUrl())} tag="custom-tools" />
    </>
  );
}

function useColumns(): Column<CustomTool>[] {
  const usage = useToolUsage();
  return [
    { header: 'Name', sort: ['name', ({ name }) => name], cell: (tool) => <NameCell tool={tool} /> },
    { header: 'Endpoint', from: 'md', width: 'w-[32%]', cell: (tool) => <EndpointCell tool={tool} /> },
    {
      header: 'Calls, 7 days',
      from: 'xl',
      width: 'w-30',
      align: 'right',
      sort: ['calls', ({ id }) => usage(id)?.calls],
      cell: ({ id }) => <CallsCell usage={usage(id)} />,
    },
    {
      header: 'p95',
      from: 'lg',
      width: 'w-22',
      align: 'right',
      sort: ['p95', ({ id }) => usage(id)?.p95?.ms],
      cell: ({ id }) => <P95Cell usage={usage(id)} />,
    },
    {
      header: 'Errors',
      from: 'lg',
      width: 'w-22',
      align: 'right',
      sort: ['errors', ({ id }) => errorShare(usage(id))],
      cell: ({ id }) => <ErrorCell usage={usage(id)} />,
    },
    { header: 'Enabled', width: 'w-20 sm:w-24', align: 'right', cell: (tool) => <EnabledSwitch tool={tool} /> },
    actionsColumn((tool) => <CustomToolActions tool={tool} />),
  ];
}

function NameCell({ tool }: { tool: CustomTool }) {
  const projectId = useProjectId();
  return (
    <>
      <div className="flex min-w-0 items-center gap-2">
        <Link
          to="/projects/$projectId/custom-tools/$toolId"
          params={{ projectId, toolId: tool.id }}
          className="truncate font-medium hover:underline"
        >
          {tool.name}
        </Link>
        {tool.require_member && <Badge>member</Badge>}
        <NotApprovedBadge of={tool} />
      </div>
      <div className="truncate text-faint text-xs">
        <span className="md:hidden">
          {tool.method ?? 'MCP'} {tool.endpoint_path ?? tool.source?.upstream_name}
        </span>
        <span className="hidden md:inline">
          <Name text={tool.title ?? tool.description ?? ''} />
        </span>
      </div>
    </>
  );
}

function EndpointCell({ tool: { method, base_url, endpoint_path, source } }: { tool: CustomTool }) {
  return (
    <>
      <div className="flex min-w-0 items-center gap-2">
        <MethodBadge method={method} />
        <code className="truncate text-xs">{endpoint_path ?? source?.upstream_name}</code>
      </div>
      <div className="truncate text-faint text-xs">{hostOf(base_url)}</div>
    </>
  );
}

type UsageProps = { usage: ToolUsage | undefined };
const waiting = <Skeleton className="ml-auto w-10" />;

function CallsCell({ usage }: UsageProps) {
  return usage ? usage.calls.toLocaleString('en') : waiting;
}

function P95Cell({ usage }: UsageProps) {
  if (!usage) return waiting;
  if (!usage.p95) return <span className="text-faint">–</span>;
  return <span title={`95th percentile of the calls on ${usage.p95.day}, UTC`}>{Math.round(usage.p95.ms)} ms</span>;
}

/** A tool without calls has no rate. */
function errorShare(usage: ToolUsage | undefined): number | null {
  return usage && usage.calls > 0 ? usage.errors / usage.calls : null;
}

function ErrorCell({ usage }: UsageProps) {
  if (!usage) return waiting;
  if (usage.calls === 0) return <span className="text-faint">–</span>;
  const share = errorShare(usage) ?? 0;
  return (
    <span
      className={cn(share >= 0.05 && 'font-medium text-danger')}
      title={`${usage.errors} of ${count(usage.calls, 'call')} in 7 days failed`}
    >
      {percent(share, share > 0 && share < 0.1 ? 1 : 0)}
    </span>
  );
}

/** As JSON it has the whole definitions; secrets are in neither. */
const toolCsv: CsvColumn<CustomTool>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['title', ({ title }) => title],
  ['method', ({ method }) => method],
  ['base_url', ({ base_url }) => base_url],
  ['endpoint_path', ({ endpoint_path }) => endpoint_path],
  ['auth_strategy', ({ auth_strategy }) => auth_strategy],
  ['require_member', ({ require_member }) => require_member],
  ['is_enabled', ({ is_enabled }) => is_enabled],
  ['version', ({ version }) => version],
  ['updated_at', ({ updated_at }) => updated_at],
];
