// The tools of the project as a table to pick from, with filters, and why each is in the toolset or not.

import { toolMethods } from '@toolgate/contract/custom-tools/rules.ts';
import type { CustomTool } from '@toolgate/sdk';
import { Wrench } from 'lucide-react';
import { useController } from 'react-hook-form';
import { useProjectId } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Checkbox, useFieldError } from '../../ui/forms/field.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { type Column, DataTable, type ListQuery } from '../../ui/lists/data-table.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { Name } from '../../ui/name.tsx';
import { type Search, useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { MethodBadge } from '../custom-tools/facts.tsx';
import { isMember, memberTest, type Reason } from '../tool-access/membership.ts';
import type { ToolsetValues } from './edits.ts';

const FILTERS = ['search', 'tag', 'method', 'hint', 'in'] as const;
const hints = [
  { value: 'read_only', label: 'read-only' },
  { value: 'writes', label: 'not read-only' },
  { value: 'destructive', label: 'destructive' },
  { value: 'idempotent', label: 'idempotent' },
  { value: 'open_world', label: 'open world' },
];
const places = [
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
];

type Props = { query: ListQuery<CustomTool>; values: ToolsetValues; disabled: boolean };

export function ToolTable({ query, values, disabled }: Props) {
  const { values: filters } = useFilters();
  const reasonOf = memberTest(values);
  const isShown = (tool: CustomTool) => matches(tool, filters, isMember(reasonOf(tool)));
  const tools = query.data?.data ?? [];
  const tags = [...new Set(tools.flatMap((tool) => tool.tags))].sort();
  const picked = { ...usePicked(), disabled };
  const pages = query.data && { ...query.data, nextCursor: null };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the key of the search field from sending the form
    <div onKeyDown={keepEnter}>
      <FilterBar names={FILTERS}>
        <SearchFilter name="search" label="Search tools" />
        <SelectFilter name="tag" label="Tag" options={optionsOf(tags)} />
        <SelectFilter name="method" label="Method" options={optionsOf(toolMethods)} />
        <SelectFilter name="hint" label="Hints" options={hints} />
        <SelectFilter name="in" label="In the toolset" options={places} />
      </FilterBar>
      <PickAll tools={tools.filter(isShown)} picked={picked} />
      <DataTable
        label="Tools"
        query={{ ...query, data: pages }}
        columns={columns(picked, reasonOf)}
        rowKey={({ id }) => id}
        filter={isShown}
        empty={
          tools.length > 0 ? (
            <EmptyState compact title="No tool matches">
              Change the filters.
            </EmptyState>
          ) : (
            <NoTools />
          )
        }
      />
    </div>
  );
}

function keepEnter(event: React.KeyboardEvent): void {
  if (event.key === 'Enter' && (event.target as HTMLElement).matches('input[type=search]')) event.preventDefault();
}

function matches(tool: CustomTool, { search = '', tag, method, hint, in: place }: Search, isIn: boolean): boolean {
  const { name, title, description, id, tags } = tool;
  const endpoint_path = tool.endpoint_path ?? tool.source?.upstream_name;
  const text = `${name} ${title ?? ''} ${description ?? ''} ${endpoint_path} ${id} ${tags.join(' ')}`.toLowerCase();
  return (
    text.includes(search.toLowerCase()) &&
    (!tag || tags.includes(tag)) &&
    (!method || tool.method === method) &&
    (!hint || hasHint(tool, hint)) &&
    (!place || isIn === (place === 'yes'))
  );
}

/** As models get them: set by the project, or derived from the method. */
function hasHint({ listed_annotations: hints }: CustomTool, hint: string): boolean {
  if (hint === 'read_only') return hints.readOnlyHint === true;
  if (hint === 'writes') return hints.readOnlyHint !== true;
  if (hint === 'destructive') return hints.destructiveHint === true;
  return hint === 'idempotent' ? hints.idempotentHint === true : hints.openWorldHint === true;
}

type Picked = { has(id: string): boolean; set(ids: string[], isOn: boolean): void; disabled: boolean };

function usePicked(): Omit<Picked, 'disabled'> {
  const { field } = useController<ToolsetValues, 'tool_ids'>({ name: 'tool_ids' });
  const ids = new Set(field.value);
  return {
    has: (id) => ids.has(id),
    set: (changed, isOn) => {
      const next = new Set(ids);
      for (const id of changed) isOn ? next.add(id) : next.delete(id);
      field.onChange([...next]);
    },
  };
}

function PickAll({ tools, picked }: { tools: CustomTool[]; picked: Picked }) {
  const ids = tools.map(({ id }) => id);
  const chosen = ids.filter(picked.has).length;
  const error = useFieldError('tool_ids');
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Button size="sm" disabled={picked.disabled || chosen === ids.length} onClick={() => picked.set(ids, true)}>
        Pick all {ids.length.toLocaleString('en')} matching
      </Button>
      <Button size="sm" disabled={picked.disabled || chosen === 0} onClick={() => picked.set(ids, false)}>
        Pick none of them
      </Button>
      <span className="text-muted text-xs">{chosen.toLocaleString('en')} of them picked</span>
      {error && (
        <p role="alert" className="w-full text-danger text-xs">
          {error}
        </p>
      )}
    </div>
  );
}

const columns = (picked: Picked, reasonOf: (tool: CustomTool) => Reason): Column<CustomTool>[] => [
  {
    header: 'Pick',
    hideHeader: true,
    width: 'w-9',
    cell: ({ id, name }) => (
      <Checkbox
        aria-label={`Pick ${name}`}
        disabled={picked.disabled}
        checked={picked.has(id)}
        onChange={(event) => picked.set([id], event.target.checked)}
        className="relative z-10 block"
      />
    ),
  },
  { header: 'Name', sort: ['name', ({ name }) => name], cell: (tool) => <NameCell tool={tool} /> },
  { header: 'Method', from: 'sm', width: 'w-20', cell: ({ method }) => <MethodBadge method={method} /> },
  {
    header: 'Tags',
    from: 'lg',
    width: 'w-40',
    cell: ({ tags }) => <span title={tags.join(', ')}>{tags.join(', ')}</span>,
  },
  { header: 'Hints', from: 'md', width: 'w-32', cell: (tool) => <Hints tool={tool} /> },
  { header: 'In the toolset', width: 'w-32 sm:w-40', cell: (tool) => <ReasonText reason={reasonOf(tool)} /> },
];

function NameCell({ tool: { name, title, description, is_enabled } }: { tool: CustomTool }) {
  return (
    <>
      <div className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium">{name}</span>
        {!is_enabled && <Badge>disabled</Badge>}
      </div>
      <div className="truncate text-faint text-xs">
        <Name text={title ?? description ?? ''} />
      </div>
    </>
  );
}

function Hints({ tool: { listed_annotations: hints } }: { tool: CustomTool }) {
  if (hints.readOnlyHint) return <Badge tone="success">read-only</Badge>;
  if (hints.destructiveHint) return <Badge tone="danger">destructive</Badge>;
  return <span className="text-faint">–</span>;
}

function ReasonText({ reason }: { reason: Reason }) {
  if (reason.kind === 'picked') return <Badge tone="accent">picked</Badge>;
  if (reason.kind === 'tag')
    return (
      <Badge tone="success" className="max-w-full">
        <span className="truncate">by tag {reason.tag}</span>
      </Badge>
    );
  if (reason.kind === 'not_read_only') return <Badge tone="warning">not read-only</Badge>;
  return <span className="text-faint">–</span>;
}

function NoTools() {
  return (
    <EmptyState
      compact
      icon={<Wrench />}
      title="No tools yet"
      action={
        <ButtonLink to="/projects/$projectId/custom-tools" params={{ projectId: useProjectId() }}>
          Custom tools
        </ButtonLink>
      }
    >
      Create or import tools first. You can choose a tag before any tool has it.
    </EmptyState>
  );
}
