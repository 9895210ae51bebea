// What the plan allows, and how long data is kept.

import { type Plan, plans, requestsPerHour } from '@toolgate/contract/projects/plans.ts';
import type { Project } from '@toolgate/sdk';
import { useFormContext } from 'react-hook-form';
import { useProjectQuery } from '../../api/client.ts';
import { useAccount } from '../../api/session.ts';
import { Stat, StatStrip } from '../../ui/charts/stat.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { inDays, useRetention } from '../projects/retention.ts';
import { labels } from './changes.ts';
import { Part } from './part.tsx';

const perHour = (plan: Plan) =>
  `${requestsPerHour({ plan, requests_per_hour: null }).toLocaleString('en')} requests per hour`;
const options = optionsOf(plans, {
  free: `Free: ${perHour('free')}`,
  pro: `Pro: ${perHour('pro')}`,
  enterprise: 'Enterprise: your own limit',
});

export function Limits({ project }: { project: Project }) {
  const isOperator = useAccount()?.is_operator === true;
  const { data: usage, error } = useProjectQuery(['usage'], (toolgate) => toolgate.projects.usage.get(project.id));
  const isEnterprise = useFormContext().watch('plan') === 'enterprise';
  const format = (value: number | undefined) => value?.toLocaleString('en');
  return (
    <Part
      id="plan"
      title="Plan"
      text="The plan sets how many requests are allowed in any 60 minutes, for this project and the projects created with its keys together. Further requests get 429."
    >
      {error && !usage ? (
        <ErrorAlert error={error} />
      ) : (
        <StatStrip>
          <Stat name="Plan" value={usage?.plan} />
          <Stat name="Limit per hour" value={format(usage?.limit)} />
          <Stat name="Used" value={format(usage?.used)} {...(usage && { share: usage.used / usage.limit })} />
          <Stat name="Remaining" value={format(usage?.remaining)} />
        </StatStrip>
      )}
      {usage?.resets_at && (
        <p className="-mt-3 text-muted text-xs">
          The oldest counted request expires <Time value={usage.resets_at} />.
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="plan"
          label={labels.plan}
          options={options}
          disabled={!isOperator}
          hint={isOperator ? undefined : 'Only an owner of the organization that runs this server can change the plan.'}
        />
        {isEnterprise && (
          <TextField
            name="requests_per_hour"
            label={labels.requests_per_hour}
            inputMode="numeric"
            placeholder="100000"
            disabled={!isOperator}
            hint="Default: 100,000"
          />
        )}
      </div>
    </Part>
  );
}

const kept = [
  { what: 'Tool calls and their payloads', name: 'call_log_days', setting: 'TOOLGATE_CALL_LOG_DAYS' },
  { what: 'Events', name: 'event_days', setting: 'TOOLGATE_EVENT_DAYS' },
  { what: 'Webhook deliveries', name: 'delivery_days', setting: 'TOOLGATE_DELIVERY_DAYS' },
  { what: 'Audit log', name: 'audit_days', setting: 'TOOLGATE_AUDIT_DAYS' },
  { what: 'Data of a deleted project', name: 'deleted_project_days', setting: 'TOOLGATE_DELETED_PROJECT_DAYS' },
] as const;

export function Retention() {
  const { data: retention, error } = useRetention();
  return (
    <Part title="Retention" text="How long data is kept. The operator of this server sets it for all projects.">
      {error && !retention && <ErrorAlert error={error} />}
      <dl className="grid gap-3">
        {kept.map(({ what, name, setting }) => (
          <div key={setting} className="flex flex-wrap items-center justify-between gap-x-4">
            <dt>
              {what} <code className="block break-all text-faint text-xs">{setting}</code>
            </dt>
            <dd className="font-medium">
              {retention ? inDays(retention[name]) : error ? 'unknown' : <Skeleton className="w-14" />}
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}
