// The delivery log of a webhook: live, filtered by the URL, with "Redeliver" for one, for a selection and for all that failed.

import { Link } from '@tanstack/react-router';
import { deliveryStatuses } from '@toolgate/contract/webhooks/rules.ts';
import type { Delivery, Webhook } from '@toolgate/sdk';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useProjectApi, useProjectQuery } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { Checkbox } from '../../../ui/forms/field.tsx';
import { optionsOf } from '../../../ui/forms/options.ts';
import { type Column, coverRow, DataTable } from '../../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../../ui/lists/download.ts';
import { ExportMenu } from '../../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../../ui/lists/filter-bar.tsx';
import { usePause } from '../../../ui/lists/live.ts';
import { LiveControl } from '../../../ui/lists/live-control.tsx';
import { type Selected, selectColumn } from '../../../ui/lists/selection.tsx';
import { TimeFilter } from '../../../ui/lists/time-filter.tsx';
import { useIsNarrow } from '../../../ui/narrow.ts';
import { useProjectChange } from '../../../ui/project-change.ts';
import { type Search, useFilters } from '../../../ui/search.ts';
import { Section } from '../../../ui/section.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { DeliveryDrawer } from './drawer.tsx';
import {
  attempts,
  DeliveryStatus,
  NextAttempt,
  onTheirWay,
  RedeliverButton,
  ResponseStatus,
  whyNotSend,
} from './facts.tsx';
import { RecoverDialog } from './recover-dialog.tsx';

const LIVE_MS = 3_000;
const statuses = optionsOf(deliveryStatuses);
const filterNames = ['event_id', 'status', 'event_type', 'from', 'to'] as const;

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
  const [selected, setSelected] = useState<Selected<Delivery>>(new Map());
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
            <EmptyState title="Nothing has been sent yet">
              To test the URL and the signature, use “Send ping”.
            </EmptyState>
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
  if (cursor !== undefined) return 'This is an older page. The first page is live.';
  return to === undefined ? undefined : "The selected period has an end, so new deliveries don't appear.";
}

function DeliveryFilters() {
  const types = useProjectQuery(['event-types'], (api) => api.events.types.list(), { staleTime: Infinity }).data;
  const options = (types?.data ?? []).map(({ type }) => ({ value: type, label: type }));
  return (
    <FilterBar names={filterNames}>
      <SearchFilter name="event_id" label="Event id" />
      <SelectFilter name="status" label="Status" options={statuses} />
      <SelectFilter name="event_type" label="Event" options={options} />
      <TimeFilter />
    </FilterBar>
  );
}

type Select = (selected: Selected<Delivery>) => void;
type SelectionProps = { webhook: Webhook; rows: Delivery[]; selected: Delivery[]; onSelect: Select };

function Selection({ webhook, rows, selected, onSelect }: SelectionProps) {
  const [isRecovering, setRecovering] = useState(false);
  const change = useProjectChange<Delivery[], number>({
    change: async (toolgate, deliveries) => {
      for (const { id } of deliveries) await toolgate.webhooks.deliveries.redeliver(webhook.id, id);
      onSelect(new Map());
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
          onChange={() => onSelect(new Map(isAll ? [] : rows.map((row) => [row.id, row])))}
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

function useColumns(webhook: Webhook, selected: Selected<Delivery>, onSelect: Select): Column<Delivery>[] {
  const isNarrow = useIsNarrow();
  // "Select all" is above the table, where narrow screens have it too.
  const { head: _, ...select } = selectColumn({
    selected,
    onSelect,
    nameOf: ({ event_type, id }: Delivery) => `${event_type} ${id}`,
  });
  return [
    { ...select, from: 'sm' },
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
  { header: 'Response', width: 'w-28', cell: ({ last_attempt }) => <ResponseStatus attempt={last_attempt} /> },
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
          {delivery.last_attempt && <ResponseStatus attempt={delivery.last_attempt} />}
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
