// The same calls by tool, key, member, integration or error. Each row leads to its calls in the log.

import { Link } from '@tanstack/react-router';
import type { AnalyticsReport } from '@toolgate/sdk';
import { Download } from 'lucide-react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { type CsvColumn, datedName, saveFile, toCsv } from '../../ui/lists/download.ts';
import { Name } from '../../ui/name.tsx';
import { useFilters } from '../../ui/search.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { count, percent } from '../../ui/words.ts';
import { formatStart, readPeriod, startsOf } from './range.ts';
import { readReport, successShare } from './report.ts';

/** `filter`: the parameter of the log that selects a group. */
const groupings = [
  { by: 'tool', label: 'Tool', none: 'No tool', filter: 'tool_id' },
  { by: 'api_key', label: 'API key', none: 'No key: made with the root key or by a person', filter: 'api_key_id' },
  { by: 'member', label: 'Member', none: 'No member', filter: 'member_id' },
  { by: 'integration', label: 'Integration', none: 'No integration', filter: 'integration_id' },
  { by: 'error_code', label: 'Error', none: 'Succeeded', filter: 'error_code' },
  { by: 'transport', label: 'Transport', none: '', filter: null },
] as const;

type Grouping = (typeof groupings)[number];
type Group = {
  group: string | null;
  name: string;
  calls: number;
  errors: number;
  waiting: number;
  share: number;
  values: number[];
};

export function Groups() {
  const { values, set } = useFilters();
  const { range, from, to } = values;
  const grouping = groupings.find(({ by }) => by === values.group_by) ?? groupings[0];
  const query = useProjectQuery(['analytics', range, from, to, grouping.by], (toolgate) =>
    readReport(toolgate, { ...readPeriod({ range, from, to }), group_by: grouping.by }),
  );
  // The rows of the grouping before have other names.
  const isCurrent = query.data?.group_by === grouping.by;
  const groups = isCurrent && query.data ? sumUp(query.data, grouping) : undefined;
  const save = () => saveFile(datedName(`calls-by-${grouping.by}`, 'csv'), 'text/csv', toCsv(groupCsv, groups ?? []));
  return (
    <Section
      title="Breakdown"
      aside={
        <Button size="sm" look="ghost" aria-label="Groups as CSV" onClick={save}>
          <Download /> CSV
        </Button>
      }
    >
      <fieldset aria-label="Group by" className="mb-2 flex min-w-0 gap-1 overflow-x-auto">
        {groupings.map(({ by, label }) => (
          <Button
            key={by}
            size="sm"
            look="ghost"
            aria-pressed={by === grouping.by}
            className="aria-pressed:bg-hover aria-pressed:text-ink"
            onClick={() => set({ group_by: by === groupings[0].by ? undefined : by })}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      {isCurrent && query.data && (
        <CoarserInterval report={query.data} asked={readPeriod({ range, from, to }).interval} />
      )}
      <DataTable
        label={`Calls by ${grouping.label}`}
        expected={4}
        query={{ ...query, data: groups && { data: groups } }}
        columns={useColumns(grouping)}
        rowKey={({ group }) => group ?? ''}
        empty={<EmptyState compact title="No calls in this period" />}
      />
    </Section>
  );
}

type CoarserIntervalProps = { report: AnalyticsReport; asked: AnalyticsReport['interval'] };

function CoarserInterval({ report: { interval, from, to }, asked }: CoarserIntervalProps) {
  const show = formatStart(interval, useFilters().values.time_zone === 'UTC' ? 'UTC' : undefined);
  if (interval === asked) return null;
  return (
    <p className="mb-2 text-muted text-xs">
      Too many calls to group by {asked}: these are whole {interval}s, from {show(from)} to {show(to)}.
    </p>
  );
}

function sumUp(report: AnalyticsReport, { none }: Grouping): Group[] {
  const starts = startsOf(report).map((start) => Date.parse(start));
  const groups = new Map<string | null, Group>();
  for (const { start, group, group_name, calls, errors, waiting } of report.data) {
    const name = group_name ?? (group === 'other' ? 'All others' : (group ?? none));
    const known = groups.get(group) ?? {
      group,
      name,
      calls: 0,
      errors: 0,
      waiting: 0,
      share: 0,
      values: starts.map(() => 0),
    };
    known.calls += calls;
    known.errors += errors;
    known.waiting += waiting;
    known.values[starts.indexOf(Date.parse(start))] = calls;
    groups.set(group, known);
  }
  const sorted = [...groups.values()].sort((a, b) => b.calls - a.calls);
  const most = sorted[0]?.calls ?? 1;
  return sorted.map((each) => ({ ...each, share: each.calls / most }));
}

const showShare = (share: number | null) => (share === null ? '–' : percent(share));

function useColumns(grouping: Grouping): Column<Group>[] {
  return [
    { header: grouping.label, cell: (row) => <GroupName row={row} grouping={grouping} /> },
    { header: 'Share', from: 'md', width: 'w-48', cell: ({ share }) => <Bar share={share} /> },
    { header: 'Calls', width: 'w-24', align: 'right', cell: ({ calls }) => calls.toLocaleString('en') },
    {
      header: 'Failed',
      width: 'w-24',
      align: 'right',
      cell: ({ errors }) => (
        <span className={errors > 0 ? 'text-danger' : 'text-faint'}>{errors.toLocaleString('en')}</span>
      ),
    },
    {
      header: 'Success',
      from: 'sm',
      width: 'w-24',
      align: 'right',
      cell: (group) => showShare(successShare(group)),
    },
    {
      header: 'Over time',
      from: 'lg',
      width: 'w-32',
      cell: ({ calls, values }) => <Sparkline values={values} label={count(calls, 'call')} />,
    },
  ];
}

function GroupName({ row: { group, name }, grouping }: { row: Group; grouping: Grouping }) {
  const projectId = useProjectId();
  const { range, from, to } = useFilters().values;
  const { filter } = grouping;
  if (group === null || group === 'other' || filter === null) return <Name text={name} className="text-muted" />;
  const period = readPeriod({ range, from, to });
  // A range that ends now has no end in the log, so that the log is live.
  const times = { from: period.from, to: to && period.to };
  return (
    <Link
      to="/projects/$projectId/logs"
      params={{ projectId }}
      search={{ [filter]: group, ...times }}
      className="font-medium hover:underline"
    >
      <Name text={name} />
    </Link>
  );
}

function Bar({ share }: { share: number }) {
  return (
    <span aria-hidden className="block h-2 overflow-hidden rounded-sm bg-sunken">
      <span className="block h-full rounded-sm bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
  );
}

const groupCsv: CsvColumn<Group>[] = [
  ['group', ({ group }) => group],
  ['name', ({ name }) => name],
  ['calls', ({ calls }) => calls],
  ['errors', ({ errors }) => errors],
  ['waiting', ({ waiting }) => waiting],
];
