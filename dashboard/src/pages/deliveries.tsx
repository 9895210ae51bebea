// The delivery log of a webhook: live, filtered by the URL, with "Redeliver" for one, for a selection and for all that failed.

import { Link } from '@tanstack/react-router';
import type { Delivery, Webhook } from '@toolgate/sdk';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useProjectApi, useProjectChange, useProjectQuery } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { type Column, coverRow, DataTable } from '../components/data-table.tsx';
import { ExportMenu } from '../components/export-menu.tsx';
import { Checkbox } from '../components/field.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../components/filter-bar.tsx';
import { LiveControl } from '../components/live-control.tsx';
import { useIsNarrow } from '../components/narrow.ts';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Time } from '../components/time.tsx';
import { TimeFilter } from '../components/time-filter.tsx';
import type { CsvColumn } from '../download.ts';
import { usePause } from '../live.ts';
import { type Search, useFilters } from '../search.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import {
  Answer,
  attempts,
  DeliveryStatus,
  NextAttempt,
  onTheirWay,
  RedeliverButton,
  whyNotSend,
} from './delivery-facts.tsx';
import { RecoverDialog } from './recover-dialog.tsx';

const LIVE_MS = 3_000;
const filterNames = ['event_id', 'status', 'event_type', 'from', 'to'];

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { values, set } = useFilters();
  const api = useProjectApi();
  const filters = readFilters(values);
  const key = JSON.stringify([filters, values.cursor]);
  const offReason = whyNotLive(values);
  const query = useProjectQuery(
    ['deliveries', webhook.id, key],
    (toolgate) => toolgate.webhooks.deliveries.list(webhook.id, { ...filters, limit: 25, cursor: values.cursor }),
    { refetchInterval: offReason === undefined && LIVE_MS },
  );
  const pause = usePause(query.data?.data, key);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const shown = (pause.rows ?? []).filter(({ id }) => selected.has(id));
  return (
    <Section
      title="Deliveries"
      aside={
        <div className="flex flex-wrap items-center justify-end gap-2">
          <LiveControl
            pause={pause}
            offReason={query.error && !query.data ? 'The deliveries could not be read.' : offReason}
            size="md"
          />
          <ExportMenu
            name="deliveries"
            columns={deliveryCsv}
            rows={() => api.webhooks.deliveries.list(webhook.id, { ...filters, limit: 100 })}
          />
        </div>
      }
    >
      <DeliveryFilters />
      <Selection webhook={webhook} rows={pause.rows ?? []} selected={shown} onSelect={setSelected} />
      <DataTable
        label="Deliveries"
        query={{ ...query, data: pause.rows && { data: pause.rows, nextCursor: query.data?.nextCursor ?? null } }}
        columns={useColumns(webhook, selected, setSelected)}
        rowKey={({ id }) => id}
        empty={
          filterNames.some((name) => values[name]) ? (
            <EmptyState title="No delivery matches">Change the filters.</EmptyState>
          ) : (
            <EmptyState title="Nothing was sent yet">“Send ping” tries the URL and the signature.</EmptyState>
          )
        }
      />
      <DeliveryDrawer
        webhook={webhook}
        deliveryId={values.delivery}
        onClose={() => set({ delivery: undefined, cursor: values.cursor })}
      />
    </Section>
  );
}

const readFilters = ({ status, event_type, event_id, from, to }: Search) => ({
  status: status as Delivery['status'] | undefined,
  event_type,
  event_id,
  from,
  to,
});

function whyNotLive({ cursor, to }: Search): string | undefined {
  if (cursor !== undefined) return 'This is a page further back. The first page is live.';
  return to === undefined ? undefined : 'The chosen time has an end, so nothing new comes.';
}

function DeliveryFilters() {
  const types = useProjectQuery(['event-types'], (api) => api.events.types.list(), { staleTime: Infinity }).data;
  const options = (types?.data ?? []).map(({ type }) => ({ value: type, label: type }));
  const statuses = ['pending', 'succeeded', 'failed'].map((value) => ({ value, label: value }));
  return (
    <FilterBar names={filterNames}>
      <SearchFilter name="event_id" label="Event id" />
      <SelectFilter name="status" label="Status" options={statuses} />
      <SelectFilter name="event_type" label="Event" options={options} />
      <TimeFilter />
    </FilterBar>
  );
}

type Select = (ids: ReadonlySet<string>) => void;
type SelectionProps = { webhook: Webhook; rows: Delivery[]; selected: Delivery[]; onSelect: Select };

function Selection({ webhook, rows, selected, onSelect }: SelectionProps) {
  const [isRecovering, setRecovering] = useState(false);
  const change = useProjectChange<Delivery[], number>({
    change: async (toolgate, deliveries) => {
      for (const { id } of deliveries) await toolgate.webhooks.deliveries.redeliver(webhook.id, id);
      onSelect(new Set());
      return deliveries.length;
    },
    invalidates: ['deliveries'],
    done: onTheirWay,
  });
  const isAll = rows.length > 0 && selected.length === rows.length;
  return (
    <div className="mb-2 flex min-h-8 flex-wrap items-center gap-3 pl-4">
      <label htmlFor="select-all" className="flex items-center gap-2 text-muted text-xs">
        <Checkbox
          id="select-all"
          checked={isAll}
          disabled={rows.length === 0}
          onChange={() => onSelect(new Set(isAll ? [] : rows.map(({ id }) => id)))}
        />
        {selected.length === 0 ? 'Select all' : `${selected.length} selected`}
      </label>
      {selected.length > 0 && (
        <Button
          size="sm"
          needs="webhook"
          busy={change.isPending}
          disabledReason={whyNotSend(webhook)}
          onClick={() => change.mutate(selected)}
        >
          <RotateCw /> Send {selected.length} again
        </Button>
      )}
      <Button
        size="sm"
        className="ml-auto"
        needs="webhook"
        disabledReason={whyNotSend(webhook)}
        onClick={() => setRecovering(true)}
      >
        Recover failed
      </Button>
      <RecoverDialog webhook={webhook} open={isRecovering} onOpenChange={setRecovering} />
    </div>
  );
}

function useColumns(webhook: Webhook, selected: ReadonlySet<string>, onSelect: Select): Column<Delivery>[] {
  const isNarrow = useIsNarrow();
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return [
    {
      header: 'Select',
      hideHeader: true,
      from: 'sm',
      width: 'w-9',
      cell: ({ id, event_type }) => (
        <Checkbox
          aria-label={`Select ${event_type} ${id}`}
          checked={selected.has(id)}
          onChange={() => toggle(id)}
          className="relative z-10 block"
        />
      ),
    },
    { header: 'Event', cell: (delivery) => <EventCell delivery={delivery} /> },
    ...(isNarrow ? [] : statusColumns),
    {
      header: 'Duration',
      from: 'lg',
      width: 'w-24',
      align: 'right',
      cell: ({ last_attempt }) => (last_attempt ? `${last_attempt.duration_ms.toLocaleString('en')} ms` : '–'),
    },
    {
      header: 'Next attempt',
      from: 'xl',
      width: 'w-32',
      cell: (delivery) => <NextAttempt delivery={delivery} />,
    },
    {
      header: 'Created',
      from: 'md',
      width: 'w-32',
      isNewestFirst: true,
      cell: ({ created_at }) => <Time value={created_at} />,
    },
    {
      header: 'Redeliver',
      hideHeader: true,
      width: 'w-26',
      align: 'right',
      cell: (delivery) => <RedeliverButton webhook={webhook} delivery={delivery} />,
    },
  ];
}

const statusColumns: Column<Delivery>[] = [
  { header: 'Status', width: 'w-28', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { header: 'Attempts', from: 'md', width: 'w-24', cell: ({ attempt_count }) => attempts(attempt_count) },
  { header: 'Answer', width: 'w-28', cell: ({ last_attempt }) => <Answer attempt={last_attempt} /> },
];

/** The link covers the row. Narrow screens have no column for the status. */
function EventCell({ delivery }: { delivery: Delivery }) {
  const { values } = useFilters();
  const isNarrow = useIsNarrow();
  const { id, event_type, event_id, is_test } = delivery;
  return (
    <>
      <Link
        to="."
        search={{ ...values, delivery: id }}
        replace
        state
        className={cn(coverRow, 'flex items-center gap-2 font-medium text-xs hover:underline')}
      >
        <code className="truncate">{event_type}</code>
        {is_test && <Badge tone="accent">test</Badge>}
      </Link>
      {isNarrow ? (
        <span className="flex items-center gap-2 text-xs">
          <DeliveryStatus delivery={delivery} />
          {delivery.last_attempt && <Answer attempt={delivery.last_attempt} />}
        </span>
      ) : (
        <code className="block truncate text-faint text-xs">{event_id}</code>
      )}
    </>
  );
}

const deliveryCsv: CsvColumn<Delivery>[] = [
  ['id', ({ id }) => id],
  ['event_id', ({ event_id }) => event_id],
  ['event_type', ({ event_type }) => event_type],
  ['status', ({ status }) => status],
  ['attempt_count', ({ attempt_count }) => attempt_count],
  ['last_status', ({ last_attempt }) => last_attempt?.status],
  ['last_error', ({ last_attempt }) => last_attempt?.error],
  ['last_duration_ms', ({ last_attempt }) => last_attempt?.duration_ms],
  ['next_attempt_at', ({ next_attempt_at }) => next_attempt_at],
  ['created_at', ({ created_at }) => created_at],
  ['finished_at', ({ finished_at }) => finished_at],
  ['is_test', ({ is_test }) => is_test],
];
