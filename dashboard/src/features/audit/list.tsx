// The audit log: who changed what, with the state before and after. Entries cannot be changed.

import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '@toolgate/sdk';
import { FileClock } from 'lucide-react';
import { useState } from 'react';
import { useProjectApi, useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { linkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { type Column, coverRow, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { SavedViews } from '../../ui/lists/saved-views.tsx';
import { TimeFilter } from '../../ui/lists/time-filter.tsx';
import { Name } from '../../ui/name.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Search, useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { inDays, useRetention } from '../projects/retention.ts';
import { type ActorNames, actorKinds, useActorNames } from './actors.ts';
import { AuditDrawer, changedFields } from './drawer.tsx';
import { type NameTarget, useTargetNames } from './targets.ts';

const filterNames = ['action', 'actor', 'target', 'request_id', 'from', 'to'] as const;
const description =
  "Every change to this project: who made it, when, from where, and what changed. Entries can't be edited or deleted: a hash links each one to the entry before it.";

export function AuditLogPage() {
  const reason = useAccess().reason('admin');
  if (reason === undefined) return <AuditLog />;
  return (
    <>
      <PageHeader title="Audit log" description={description} />
      <EmptyState icon={<FileClock />} title="You cannot read the audit log">
        {reason}
      </EmptyState>
    </>
  );
}

function AuditLog() {
  const { values, set } = useFilters();
  const api = useProjectApi();
  const filters = readFilters(values);
  const query = useProjectQuery(['audit-log', filters, values.cursor], (toolgate) =>
    toolgate.auditLog.list({ ...filters, ...collapsed(filters), limit: 50, cursor: values.cursor }),
  );
  const actors = useActorNames();
  const nameTarget = useTargetNames();
  const retention = useRetention().data;
  const entry = useKept(query.data?.data.find(({ id }) => id === values.entry) ?? null, values.entry);
  const isMissing = entry === null && query.data !== undefined && !query.isPlaceholderData;
  return (
    <>
      <PageHeader
        title="Audit log"
        description={description}
        actions={
          <ExportMenu name="audit-log" columns={auditCsv} rows={() => api.auditLog.list({ ...filters, limit: 100 })} />
        }
      />
      <AuditFilters actors={actors} seen={query.data?.data ?? []} />
      <DataTable
        label="Audit log"
        expected={12}
        query={query}
        columns={columns(actors, nameTarget, values)}
        rowKey={({ id }) => id}
        empty={
          filterNames.some((name) => values[name]) ? (
            <EmptyState title="No entry matches">Change the filters. Actions and ids must match exactly.</EmptyState>
          ) : (
            <EmptyState icon={<FileClock />} title="Nothing has changed yet" />
          )
        }
      />
      <p className="mt-3 min-h-4 text-faint text-xs">
        {retention && `Entries are kept for ${inDays(retention.audit_days)}. The operator of this server sets this.`}
      </p>
      <AuditDrawer
        entry={entry}
        missingId={isMissing ? values.entry : undefined}
        actors={actors}
        onClose={() => set({ entry: undefined, cursor: values.cursor })}
      />
    </>
  );
}

/** The entry that is open stays open when newer ones push it off the page. */
function useKept(found: AuditEntry | null, id: string | undefined): AuditEntry | null {
  const [kept, setKept] = useState(found);
  if (found !== null && found !== kept) setKept(found);
  return found ?? (kept?.id === id ? kept : null);
}

const readFilters = ({ action, actor, target, request_id, from, to }: Search) => ({
  action,
  actor,
  target,
  request_id,
  from,
  to,
});

/** An import is one row, unless its entries or those of one target are asked for. */
const collapsed = ({ request_id, target }: ReturnType<typeof readFilters>) =>
  request_id || target ? {} : ({ collapse: 'request' } as const);

function AuditFilters({ actors, seen }: { actors: ActorNames; seen: AuditEntry[] }) {
  const types = useProjectQuery(['event-types'], (api) => api.events.types.list(), { staleTime: Infinity }).data;
  const actions = new Set([...(types?.data ?? []).map(({ type }) => type), ...seen.map(({ action }) => action)]);
  return (
    <div className="mb-3 grid gap-2">
      <FilterBar names={filterNames}>
        <SearchFilter name="action" label="Action" suggestions={[...actions].sort()} />
        <SelectFilter name="actor" label="Actor" options={[...actorKinds, ...actors.people]} />
        <SearchFilter name="target" label="Target id" />
        <SearchFilter name="request_id" label="Request id" />
        <TimeFilter />
      </FilterBar>
      <SavedViews page="audit-log" names={filterNames} />
    </div>
  );
}

const columns = (actors: ActorNames, nameTarget: NameTarget, values: Search): Column<AuditEntry>[] => [
  {
    header: 'Action',
    cell: ({ id, action, actor }) => (
      <>
        <Link
          to="."
          search={{ ...values, entry: id }}
          replace
          state
          className={cn(coverRow, 'block truncate font-medium text-xs hover:underline')}
        >
          <code>{action}</code>
        </Link>
        <div className="truncate text-faint text-xs sm:hidden">
          <Name text={actors.name(actor)} />
        </div>
      </>
    ),
  },
  {
    header: 'Actor',
    from: 'sm',
    width: 'w-44',
    cell: ({ actor }) => (
      <>
        <div className="truncate">
          <Name text={actors.name(actor)} />
        </div>
        <div className="truncate text-faint text-xs">{actors.kind(actor)}</div>
      </>
    ),
  },
  {
    header: 'Target',
    from: 'lg',
    width: 'w-56',
    cell: (entry) => <Target entry={entry} name={nameTarget(entry)} />,
  },
  { header: 'Changed', from: 'md', width: 'w-44', cell: (entry) => <ChangedFields entry={entry} /> },
  { header: 'IP address', from: 'xl', width: 'w-32', cell: ({ ip }) => ip ?? <span className="text-faint">–</span> },
  {
    header: 'When',
    width: 'w-32',
    align: 'right',
    isNewestFirst: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];

function Target({ entry: { target_id, count, request_id }, name }: { entry: AuditEntry; name: string | null }) {
  if (count > 1)
    return (
      <Link to="." search={{ request_id: request_id ?? undefined }} className={cn(linkClass, 'relative z-10')}>
        {`${count.toLocaleString('en')} in one request`}
      </Link>
    );
  return (
    <>
      {name !== null && (
        <div className="truncate">
          <Name text={name} />
        </div>
      )}
      <code className="block truncate text-muted text-xs">{target_id}</code>
    </>
  );
}

const FIELDS_SHOWN = 1;

function ChangedFields({ entry: { before, after } }: { entry: AuditEntry }) {
  if (before === null || after === null) {
    return <span className="text-faint">{before === null ? (after === null ? '–' : 'created') : 'deleted'}</span>;
  }
  const fields = changedFields(before, after);
  return (
    <span className="flex gap-1">
      {fields.slice(0, FIELDS_SHOWN).map((field) => (
        <Badge key={field} className="min-w-0 shrink">
          <span className="truncate">{field}</span>
        </Badge>
      ))}
      {fields.length > FIELDS_SHOWN && <Badge>+{fields.length - FIELDS_SHOWN}</Badge>}
    </span>
  );
}

const auditCsv: CsvColumn<AuditEntry>[] = [
  ['seq', ({ seq }) => seq],
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => created_at],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['action', ({ action }) => action],
  ['target_id', ({ target_id }) => target_id],
  ['ip', ({ ip }) => ip],
  ['request_id', ({ request_id }) => request_id],
  ['before', ({ before }) => before && JSON.stringify(before)],
  ['after', ({ after }) => after && JSON.stringify(after)],
  ['hash', ({ hash }) => hash],
];
