// Calls and durations over time. A click shows the calls of an interval in the log; dragging zooms.

import { Link, useNavigate } from '@tanstack/react-router';
import type { AnalyticsReport } from '@toolgate/sdk';
import { useProjectId } from '../../api/client.ts';
import { ChartWithTable } from '../../ui/charts/chart-with-table.tsx';
import type { Series } from '../../ui/charts/time-chart.tsx';
import { useFilters } from '../../ui/search.ts';
import { endOf, formatStart, startsOf, type Zone } from './range.ts';

type Point = AnalyticsReport['data'][number];
type ChartProps = { report: AnalyticsReport; before?: AnalyticsReport | undefined; zone: Zone };

export function CallsChart({ report, before, zone }: ChartProps) {
  const at = valuesAt(report);
  const calls = at(({ calls }) => calls, 0);
  const failed = at(({ errors }) => errors, 0);
  const asked = at(({ waiting }) => waiting, 0);
  const succeeded = at(({ calls, errors, waiting }) => calls - errors - waiting, 0);
  const waiting: Series[] =
    report.totals.waiting > 0 ? [{ name: 'Asked for approval', values: asked, tone: 'warning' }] : [];
  const earlier: Series[] = before
    ? [{ name: 'Previous', values: valuesAt(before)(({ calls }) => calls, 0), tone: 'faint', isLine: true }]
    : [];
  return (
    <ChartWithTable
      title="Calls"
      kind="bars"
      nothing="No calls in this period"
      series={[
        { name: 'Succeeded', values: succeeded, tone: 'accent' },
        { name: 'Failed', values: failed, tone: 'danger' },
        ...waiting,
        ...earlier,
      ]}
      columns={[
        { name: 'Calls', values: calls, tone: 'accent' },
        { name: 'Failed', values: failed, tone: 'danger' },
        ...waiting,
        ...earlier,
      ]}
      {...useTimes(report, zone)}
    />
  );
}

export function DurationsChart({ report, zone }: ChartProps) {
  const at = valuesAt(report);
  const rounded = (value: number | null) => value && Math.round(value);
  return (
    <ChartWithTable
      title="Durations"
      kind="lines"
      nothing="No calls in this period"
      series={[
        { name: 'p50, ms', values: at(({ p50_ms }) => rounded(p50_ms), null), tone: 'accent' },
        { name: 'p95, ms', values: at(({ p95_ms }) => rounded(p95_ms), null), tone: 'warning' },
        { name: 'p99, ms', values: at(({ p99_ms }) => rounded(p99_ms), null), tone: 'danger' },
      ]}
      {...useTimes(report, zone)}
    />
  );
}

/** One value for each interval; `none` where there were no calls. */
function valuesAt(report: AnalyticsReport) {
  const points = new Map(report.data.map((point) => [Date.parse(point.start), point]));
  return (value: (point: Point) => number | null, none: number | null) =>
    startsOf(report).map((start) => {
      const point = points.get(Date.parse(start));
      return point ? value(point) : none;
    });
}

function useTimes(report: AnalyticsReport, zone: Zone) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { set } = useFilters();
  const { interval } = report;
  const format = formatStart(interval, zone);
  const log = (start: string) =>
    ({
      to: '/projects/$projectId/logs',
      params: { projectId },
      search: { from: start, to: endOf(start, interval) },
    }) as const;
  return {
    starts: startsOf(report),
    formatStart: format,
    startCell: (start: string) => (
      <Link {...log(start)} title="Show these calls" className="text-accent hover:underline">
        {format(start)}
      </Link>
    ),
    onSelect: (start: string) => void navigate(log(start)),
    onZoom: (first: string, last: string) => set({ from: first, to: endOf(last, interval) }),
  };
}
