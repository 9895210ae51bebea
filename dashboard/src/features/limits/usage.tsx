// Who has used how much of a limit in its current window, the most used first.

import type { Limit, LimitUsage } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { Meter } from '../../ui/meter.tsx';
import { Name } from '../../ui/name.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { count } from '../../ui/words.ts';
import { useSubjectNames } from './subjects.ts';

const REFRESH_MS = 15_000;

function useUsage({ id }: Limit) {
  return useProjectQuery(['limits', 'usage', id], (api) => api.limits.usage.list(id), { refetchInterval: REFRESH_MS });
}

const wordsOf = ({ used, limit }: LimitUsage) => `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`;

/** In a row of the list: whoever is nearest to the limit. */
export function NearestUse({ limit }: { limit: Limit }) {
  const { data, error } = useUsage(limit);
  const [first] = nearestFirst(data?.data ?? []);
  const nameOf = useSubjectNames(limit.per, first ? [first.subject_id] : []);
  if (error && !data) return <span className="text-faint">not known</span>;
  if (!data) return <Skeleton className="w-28" />;
  if (!first) return <span className="text-faint">Not used now</span>;
  const name = nameOf(first.subject_id);
  return (
    <>
      <div className="flex min-w-0 items-baseline justify-between gap-2 text-xs">
        <span className="truncate">
          <Name text={name} />
        </span>
        <span className="shrink-0 text-muted tabular-nums">{wordsOf(first)}</span>
      </div>
      <Meter label={`Used by ${name}`} {...meterOf(first)} className="mt-1 h-1.5" />
    </>
  );
}

const meterOf = ({ used, limit }: LimitUsage) => ({ used, limit });
const nearestFirst = (rows: LimitUsage[]) =>
  rows.toSorted((one, other) => other.used / other.limit - one.used / one.limit);

export function UsageList({ limit }: { limit: Limit }) {
  const { data, error } = useUsage(limit);
  const rows = nearestFirst(data?.data ?? []);
  const nameOf = useSubjectNames(
    limit.per,
    rows.map(({ subject_id }) => subject_id),
  );
  if (error && !data) return <ErrorAlert error={error} />;
  if (!data) return <Skeleton className="h-24 w-full" />;
  if (rows.length === 0) return <p className="text-muted">No calls counted in the current window.</p>;
  return (
    <>
      <ul aria-label="Use" className="grid gap-3">
        {rows.map((row) => (
          <li key={row.subject_id}>
            <div className="flex min-w-0 items-baseline justify-between gap-3">
              <span className="truncate">
                <Name text={nameOf(row.subject_id)} />
              </span>
              <span className="shrink-0 text-muted text-xs tabular-nums">{wordsOf(row)}</span>
            </div>
            <Meter label={`Used by ${nameOf(row.subject_id)}`} {...meterOf(row)} className="mt-1" />
          </li>
        ))}
      </ul>
      {rows.length === 100 && (
        <p className="mt-2 text-muted text-xs">The {count(100, 'most used subject')}; there may be more.</p>
      )}
    </>
  );
}
