// "Preview as": what a key, a member, a client or a grant sees, and why it does not see the rest.

import { Link } from '@tanstack/react-router';
import type { EffectiveTool } from '@toolgate/sdk';
import { Eye, EyeOff } from 'lucide-react';
import { useProjectId, useProjectQuery } from '../../../api/client.ts';
import { cn } from '../../../ui/class-names.ts';
import { type Column, DataTable, type ListQuery } from '../../../ui/lists/data-table.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../../ui/lists/filter-bar.tsx';
import { readWhole } from '../../../ui/lists/whole-list.ts';
import { type Search, useFilters } from '../../../ui/search.ts';
import { cardClass } from '../../../ui/section.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ToolsetLink } from '../../tool-access/links.tsx';
import { useToolsets } from '../../tool-access/toolsets.ts';
import { type CallerName, callerOf, type PreviewCaller } from './caller.ts';
import { ChooseCaller } from './choose-caller.tsx';
import { ReasonWithFix } from './reasons.tsx';

const FILTERS = ['search', 'is_allowed'] as const;
const states = [
  { value: 'true', label: 'seen' },
  { value: 'false', label: 'hidden' },
];

export function PreviewTab() {
  const caller = callerOf(useFilters().values);
  return (
    <>
      <ChooseCaller />
      {caller ? (
        <Preview key={caller.id} caller={caller} />
      ) : (
        <div className={cn(cardClass, 'border-dashed')}>
          <EmptyState icon={<Eye />} title="Choose a caller to preview">
            You see each tool of the project as they do, and for every hidden one what hides it and where to change
            that.
          </EmptyState>
        </div>
      )}
    </>
  );
}

function Preview({ caller }: { caller: PreviewCaller }) {
  const { values } = useFilters();
  const query: ListQuery<EffectiveTool> = useProjectQuery(['effective-tools', caller.name, caller.id], (api) =>
    readWhole((page) => api.effectiveTools.list({ ...page, [caller.name]: caller.id })),
  );
  const all = query.data?.data;
  const pages = query.data && { ...query.data, nextCursor: null };
  return (
    <>
      {!query.error && (
        <div className="mb-3">
          <p role="status" className="flex min-h-5 items-center gap-2 font-medium">
            {all ? seenText(all) : <Skeleton className="w-40" />}
          </p>
          <p className="text-muted text-xs">{asOf[caller.name]}</p>
        </div>
      )}
      <FilterBar names={FILTERS}>
        <SearchFilter name="search" label="Search tools" />
        <SelectFilter name="is_allowed" label="State" options={states} />
      </FilterBar>
      <DataTable
        label="Effective tools"
        query={{ ...query, data: pages }}
        columns={columns(caller)}
        rowKey={({ tool_id }) => tool_id}
        filter={(tool) => matches(tool, values)}
        empty={
          all?.length ? (
            <EmptyState compact title="No tool matches">
              Change the search or the state.
            </EmptyState>
          ) : (
            <EmptyState compact title="The project has no tools" />
          )
        }
      />
    </>
  );
}

const asOf: Record<CallerName, string> = {
  api_key_id: 'As the key is now.',
  member_id: 'With the credentials of the last session. Rules for members are applied when a session starts.',
  oauth_client_id: 'As someone who signs in through it, without any other information.',
  oauth_grant_id: 'As the next session of this sign-in.',
};

function seenText(tools: EffectiveTool[]): string {
  const seen = tools.filter(({ is_allowed }) => is_allowed).length;
  if (tools.length > 0 && seen === 0) return `Sees none of ${tools.length.toLocaleString('en')} tools`;
  return `Sees ${seen.toLocaleString('en')} of ${tools.length.toLocaleString('en')} tools`;
}

const matches = ({ name, is_allowed }: EffectiveTool, { search = '', is_allowed: wanted }: Search) =>
  name.toLowerCase().includes(search.toLowerCase()) && (!wanted || String(is_allowed) === wanted);

const columns = (caller: PreviewCaller): Column<EffectiveTool>[] => [
  {
    header: 'Tool',
    width: 'w-40 sm:w-64',
    sort: ['name', ({ name }) => name],
    cell: (tool) => <ToolCell tool={tool} />,
  },
  { header: 'Seen', cell: (tool) => <SeenCell tool={tool} caller={caller} /> },
  { header: 'In the toolsets', from: 'md', width: 'w-64', cell: ({ toolset_ids }) => <Toolsets ids={toolset_ids} /> },
];

function ToolCell({ tool: { tool_id, name } }: { tool: EffectiveTool }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/projects/$projectId/custom-tools/$toolId"
      params={{ projectId, toolId: tool_id }}
      search={{ tab: 'access' }}
      className="font-medium hover:underline"
    >
      {name}
    </Link>
  );
}

function SeenCell({ tool, caller }: { tool: EffectiveTool; caller: PreviewCaller }) {
  const Icon = tool.is_allowed ? Eye : EyeOff;
  return (
    <span className="flex items-start gap-2 py-1.5">
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', tool.is_allowed ? 'text-success' : 'text-faint')} />
      <span className="min-w-0">
        <span className="font-medium">{tool.is_allowed ? 'Seen' : 'Hidden'}</span>
        {tool.refused_by && (
          <span className="block text-muted text-xs">
            <ReasonWithFix tool={tool} refusedBy={tool.refused_by} caller={caller} />
          </span>
        )}
      </span>
    </span>
  );
}

function Toolsets({ ids }: { ids: string[] }) {
  const toolsets = useToolsets();
  if (ids.length === 0) return <span className="text-faint">none</span>;
  return (
    <span className="flex flex-wrap gap-x-2 whitespace-normal">
      {ids.map((id) => (
        <ToolsetLink key={id} toolset={toolsets?.find((toolset) => toolset.id === id) ?? { id, name: id }} />
      ))}
    </span>
  );
}
