// Analytics: how many calls, how they ended, how long they took, and who made them.

import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Stat, StatStrip } from '../../ui/charts/stat.tsx';
import { cn } from '../../ui/class-names.ts';
import { controlClass, Options, Switch } from '../../ui/forms/field.tsx';
import { Meter } from '../../ui/meter.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFilters } from '../../ui/search.ts';
import { cardClass, Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert, ErrorState } from '../../ui/states.tsx';
import { relativeTime, useNow } from '../../ui/time.tsx';
import { duration, percent } from '../../ui/words.ts';
import { usePendingCount } from '../approvals/queries.ts';
import { CallsChart, DurationsChart } from './charts.tsx';
import { Groups } from './groups.tsx';
import { DEFAULT_RANGE, localZone, periodBefore, ranges, readPeriod, type Zone } from './range.ts';
import { readReport, successShare } from './report.ts';
import { Results } from './results.tsx';

const REFRESH_MS = 60_000;

export function AnalyticsPage() {
  const { values } = useFilters();
  const { range, from, to, compare } = values;
  const report = useProjectQuery(
    ['analytics', range, from, to],
    (toolgate) => readReport(toolgate, readPeriod({ range, from, to })),
    { refetchInterval: REFRESH_MS },
  );
  const period = report.data && periodBefore(report.data);
  const before = useProjectQuery(['analytics', period], (toolgate) => toolgate.analytics.get(period), {
    enabled: compare === 'on' && period !== undefined,
  });
  const zone: Zone = values.time_zone === 'UTC' ? 'UTC' : undefined;
  const compared = compare === 'on' ? before.data : undefined;
  return (
    <>
      <PageHeader
        title="Analytics"
        description="Calls of your tools, their errors and durations. Counts are exact; percentiles are within 5%."
        actions={<Controls />}
      />
      {report.error && !report.data ? (
        <ErrorState error={report.error} retry={() => report.refetch()} />
      ) : (
        <div className={cn('grid grid-cols-1 gap-8', report.isPlaceholderData && 'opacity-60')}>
          <Totals report={report.data} />
          {report.data && <Waiting report={report.data} />}
          {report.data ? (
            <CallsChart report={report.data} before={compared} zone={zone} />
          ) : (
            <ChartSkeleton title="Calls" />
          )}
          {report.data ? <DurationsChart report={report.data} zone={zone} /> : <ChartSkeleton title="Durations" />}
          <Groups />
          <Results />
          <LimitGauge />
        </div>
      )}
    </>
  );
}

function Controls() {
  const { values, set } = useFilters();
  const isZoomed = values.from !== undefined || values.to !== undefined;
  const selectClass = cn(controlClass, 'select-arrow h-8 w-auto max-w-56');
  return (
    <>
      <label htmlFor="compare" className="flex items-center gap-2 pr-1 text-muted">
        <Switch
          id="compare"
          checked={values.compare === 'on'}
          onChange={(event) => set({ compare: event.target.checked ? 'on' : undefined })}
        />
        Compare
      </label>
      <select
        aria-label="Time zone"
        value={values.time_zone ?? ''}
        onChange={(event) => set({ time_zone: event.target.value || undefined })}
        className={selectClass}
      >
        <option value="">{localZone}</option>
        {localZone !== 'UTC' && <option value="UTC">UTC</option>}
      </select>
      <select
        aria-label="Range"
        value={isZoomed ? 'custom' : (values.range ?? DEFAULT_RANGE)}
        onChange={(event) => set({ range: event.target.value, from: undefined, to: undefined })}
        className={selectClass}
      >
        <Options options={ranges} />
        {isZoomed && (
          <option value="custom" disabled>
            Zoomed
          </option>
        )}
      </select>
      {isZoomed && <Button onClick={() => set({ from: undefined, to: undefined })}>Reset zoom</Button>}
    </>
  );
}

type Report = Parameters<typeof CallsChart>[0]['report'];

function Totals({ report }: { report: Report | undefined }) {
  const members = useMembers();
  const { totals, previous } = report ?? {};
  const count = (value: number | undefined) => value?.toLocaleString('en');
  const milliseconds = (value: number | null | undefined) =>
    value === undefined ? undefined : value === null ? '–' : `${Math.round(value).toLocaleString('en')} ms`;
  const share = totals && successShare(totals);
  const success = totals && (typeof share === 'number' ? percent(share) : '–');
  const compared = (name: 'p50_ms' | 'p95_ms' | 'p99_ms') => ({
    value: milliseconds(totals?.[name]),
    before: previous?.[name] ?? undefined,
    now: totals?.[name] ?? undefined,
  });
  return (
    <StatStrip>
      <Stat name="Calls" value={count(totals?.calls)} before={previous?.calls} now={totals?.calls} />
      <Stat name="Success" value={success} />
      <Stat name="Failed calls" value={count(totals?.errors)} before={previous?.errors} now={totals?.errors} />
      <Stat name="Members who called" value={members} />
      <Stat name="p50 duration" {...compared('p50_ms')} />
      <Stat name="p95 duration" {...compared('p95_ms')} />
      <Stat name="p99 duration" {...compared('p99_ms')} />
      <Stat
        name="Refused by the rate limit"
        value={count(totals?.rate_limited)}
        before={previous?.rate_limited}
        now={totals?.rate_limited}
      />
    </StatStrip>
  );
}

/** Only where people confirm calls. */
function Waiting({ report: { totals, previous } }: { report: Report }) {
  const pending = usePendingCount();
  if (totals.waiting === 0 && totals.waiting_p50_ms === null) return null;
  const wait = (name: 'waiting_p50_ms' | 'waiting_p95_ms') => ({
    value: totals[name] === null ? '–' : duration(totals[name]),
    before: previous[name] ?? undefined,
    now: totals[name] ?? undefined,
  });
  return (
    <Section title="Waiting for approval">
      <StatStrip>
        <Stat
          name="Asked for approval"
          value={totals.waiting.toLocaleString('en')}
          before={previous.waiting}
          now={totals.waiting}
        />
        <Stat name="Median approval time" {...wait('waiting_p50_ms')} />
        <Stat name="p95 approval time" {...wait('waiting_p95_ms')} />
        <Stat name="Pending now" value={pending ?? '0'} />
      </StatStrip>
    </Section>
  );
}

/** The API names the 100 members with most calls, and sums up the others. */
function useMembers(): string | undefined {
  const { range, from, to } = useFilters().values;
  const report = useProjectQuery(['analytics', range, from, to, 'member'], (toolgate) =>
    readReport(toolgate, { ...readPeriod({ range, from, to }), group_by: 'member' }),
  ).data;
  if (!report) return undefined;
  const groups = new Set(report.data.map(({ group }) => group).filter((group) => group !== null));
  return groups.delete('other') ? `more than ${groups.size}` : String(groups.size);
}

function LimitGauge() {
  const projectId = useProjectId();
  const { data: usage, error } = useProjectQuery(['usage'], (toolgate) => toolgate.projects.usage.get(projectId), {
    refetchInterval: REFRESH_MS,
  });
  const now = useNow();
  if (error) return <ErrorAlert error={error} />;
  return (
    <Section title="Hourly limit">
      <div className={`${cardClass} p-4`}>
        <div className="mb-2 flex min-h-5 flex-wrap justify-between gap-x-4">
          {usage ? (
            <>
              <span>
                <strong className="font-semibold">{usage.used.toLocaleString('en')}</strong> of{' '}
                {usage.limit.toLocaleString('en')} requests in the last 60 minutes
              </span>
              <span className="text-muted">
                {usage.resets_at ? `The oldest expires ${relativeTime(usage.resets_at, now)}` : 'No requests counted'}
              </span>
            </>
          ) : (
            <Skeleton className="w-56" />
          )}
        </div>
        <Meter label="Requests used" used={usage?.used ?? 0} limit={usage?.limit ?? 1} />
        <p className="mt-2 text-muted text-xs">
          The plan “{usage?.plan ?? '…'}” sets this limit, which this project shares with the projects that its keys
          created. Requests over the limit get 429.
        </p>
      </div>
    </Section>
  );
}

function ChartSkeleton({ title }: { title: string }) {
  return (
    <Section title={title}>
      <Skeleton className="h-72 w-full rounded-lg" />
    </Section>
  );
}
