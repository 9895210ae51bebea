// Calls per day of the last 7 days, of each API key, integration or member: one request for a whole list.

import { useProjectQuery } from './api.ts';

const DAY_MS = 86_400_000;
const DAYS = 7;

type Group = 'api_key' | 'integration' | 'member';
export type DailyCalls = { calls: number; days: number[] };

export function useDailyCalls(groupBy: Group): (id: string) => DailyCalls {
  const report = useProjectQuery(['analytics', groupBy, 'daily'], (api) =>
    api.analytics.get({ from: startOfDay(DAYS - 1), to: startOfDay(-1), interval: 'day', group_by: groupBy }),
  ).data;
  return (id) => {
    const days = Array.from({ length: DAYS }, () => 0);
    for (const { start, group, calls } of report?.data ?? []) {
      const index = DAYS - 1 - Math.round((Date.parse(startOfDay(0)) - Date.parse(start)) / DAY_MS);
      if (group === id && index in days) days[index] = calls;
    }
    return { calls: days.reduce((sum, each) => sum + each, 0), days };
  };
}

function startOfDay(daysAgo: number): string {
  return `${new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`;
}
