// Above every page of a project whose hour is nearly or fully used: who can change the plan, and where.

import { Link } from '@tanstack/react-router';
import { Gauge } from 'lucide-react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccount } from '../../api/session.ts';
import { inlineLinkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Time } from '../../ui/time.tsx';

/** As a share of the requests that the plan allows in an hour. */
const NEARLY_USED = 0.8;

export function PlanBanner() {
  const projectId = useProjectId();
  const { data: usage } = useProjectQuery(['usage'], (toolgate) => toolgate.projects.usage.get(projectId), {
    refetchInterval: 60_000,
  });
  if (!usage || usage.used < usage.limit * NEARLY_USED) return null;
  const isUsedUp = usage.remaining === 0;
  const { plan, used, limit, resets_at } = usage;
  const numbers = `${used.toLocaleString('en')} of the ${limit.toLocaleString('en')} requests per hour of the plan “${plan}”`;
  return (
    <section
      aria-label="Requests this hour"
      className={cn(
        'mb-6 flex gap-2.5 rounded-md px-3 py-2',
        isUsedUp ? 'bg-danger-soft text-danger' : 'bg-warning-soft text-warning',
      )}
    >
      <Gauge className="mt-0.5 size-4 shrink-0" aria-hidden />
      <p className="min-w-0 break-words">
        This project has used {numbers}.{' '}
        {isUsedUp && resets_at && (
          <>
            Further requests are refused; the next one is allowed <Time value={resets_at} />.{' '}
          </>
        )}
        <WhoCanChange />
      </p>
    </section>
  );
}

function WhoCanChange() {
  const projectId = useProjectId();
  if (useAccount()?.is_operator !== true)
    return <>Ask an owner of the organization that runs this server to change it, in Settings → Plan.</>;
  return (
    <>
      Change it in{' '}
      <Link to="/projects/$projectId/settings" params={{ projectId }} hash="plan" className={inlineLinkClass}>
        Settings → Plan
      </Link>
      .
    </>
  );
}
