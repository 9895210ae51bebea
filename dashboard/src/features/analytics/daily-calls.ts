// Calls per day of the last 7 days, of each API key, integration or member: one request for a whole list.

import type { AnalyticsReport } from '@toolgate/sdk';
import { useMemo } from 'react';
import { useProjectQuery } from '../../api/client.ts';

const DAY_MS = 86_400_000;
const DAYS = 7;

type Group = 'api_key' | 'integration' | 'member';
export type DailyCalls = { calls: number; days: number[] };

export function useDailyCalls(groupBy: Group): (id: string) => DailyCalls {
  const report = useProjectQuery(['analytics', groupBy, 'daily'], (api) =>
    api.analytics.get({ from: startOfDay(DAYS - 1), to: startOfDay(-1), interval: 'day', group_by: groupBy }),
  ).data;
  // Once for all rows: a list may be long, and is sorted by it.
  const found = useMemo(() => byGroup(report?.data ?? []), [report]);
  return (id) => found.get(id) ?? none();
}

const none = (): DailyCalls => ({ calls: 0, days: Array.from({ length: DAYS }, () => 0) });

function byGroup(report: AnalyticsReport['data']): Map<string | null, DailyCalls> {
  const found = new Map<string | null, DailyCalls>();
  const today = Date.parse(startOfDay(0));
  for (const { start, group, calls } of report) {
    const usage = found.get(group) ?? none();
    found.set(group, usage);
    const index = DAYS - 1 - Math.round((today - Date.parse(start)) / DAY_MS);
    if (!(index in usage.days)) continue;
    usage.days[index] = calls;
    usage.calls += calls;
  }
  return found;
}

function startOfDay(daysAgo: number): string {
  return `${new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`;
}
