// The parts of the settings form.

import { Link } from '@tanstack/react-router';
import type { Project } from '@toolgate/sdk';
import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { useProjectId, useProjectQuery } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { inlineLinkClass } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { CopyableCode } from '../components/copy.tsx';
import { SelectField, SwitchField, TextareaField, TextField } from '../components/field.tsx';
import { cardClass } from '../components/page-header.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { Stat, StatStrip } from '../components/stat.tsx';
import { ErrorAlert } from '../components/states.tsx';
import { Time } from '../components/time.tsx';
import { inDays, useRetention } from '../retention.ts';
import { useAccess, useAccount } from '../session.ts';
import { labels } from './settings-changes.ts';

/** Title and explanation on the left, fields on the right. */
function Part({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-4 border-line border-b py-8 first:pt-0 lg:grid-cols-[18rem_1fr] lg:gap-10">
      <div>
        <h2 className="font-medium">{title}</h2>
        <div className="mt-1 max-w-xl text-muted text-xs">{text}</div>
      </div>
      <div className={cn(cardClass, 'grid min-w-0 max-w-3xl grid-cols-1 gap-5 p-4')}>{children}</div>
    </section>
  );
}

export function General({ project }: { project: Project }) {
  return (
    <Part title="General" text="The id never changes. API calls and assertions name the project by it.">
      <TextField name="name" label={labels.name} autoComplete="off" />
      <div className="grid gap-1">
        <span className="font-medium">Project id</span>
        <CopyableCode text={project.id} label="Copy project id" />
      </div>
    </Part>
  );
}

const environments = [
  { value: 'development', label: 'Development' },
  { value: 'production', label: 'Production' },
];

export function Environment() {
  const isProduction = useFormContext().watch('environment') === 'production';
  const reason = useAccess().reason('admin');
  return (
    <Part title="Production mode" text="Decides how your backend may say who a member is, and how new API keys begin.">
      <SelectField
        name="environment"
        label={labels.environment}
        options={environments}
        disabled={reason !== undefined}
        hint={reason}
      />
      <div className="rounded-md bg-sunken p-3 text-xs">
        <p className="font-medium">
          {isProduction ? 'Production refuses:' : 'Development allows, and production would refuse:'}
        </p>
        <ul className="mt-1 list-disc pl-5 text-muted">
          <li>
            a session by <code>member_external_id</code> without a signed assertion (403{' '}
            <code>MEMBER_EXTERNAL_ID_DISABLED</code>),
          </li>
          <li>
            to try a tool as a member whose id does not begin with <code>test_</code>.
          </li>
        </ul>
        <p className="mt-2 text-muted">
          New API keys begin with <code>{isProduction ? 'svc_live_' : 'svc_test_'}</code>. Existing keys and sessions go
          on working.
        </p>
      </div>
    </Part>
  );
}

const plans = [
  { value: 'free', label: 'Free: 100 requests per hour' },
  { value: 'pro', label: 'Pro: 1,000 requests per hour' },
  { value: 'enterprise', label: 'Enterprise: your own limit' },
];

export function Limits({ project }: { project: Project }) {
  const isOperator = useAccount()?.is_operator === true;
  const { data: usage, error } = useProjectQuery(['usage'], (toolgate) => toolgate.projects.usage.get(project.id));
  const isEnterprise = useFormContext().watch('plan') === 'enterprise';
  const format = (value: number | undefined) => value?.toLocaleString('en');
  return (
    <Part
      title="Tier and limits"
      text="The tier sets how many requests pass in any 60 minutes, for this project and those created with its keys. More are answered with 429."
    >
      {error && !usage ? (
        <ErrorAlert error={error} />
      ) : (
        <StatStrip>
          <Stat name="Tier" value={usage?.plan} />
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
          options={plans}
          disabled={!isOperator}
          hint={isOperator ? undefined : 'Only the operator of this server can change the tier.'}
        />
        {isEnterprise && (
          <TextField
            name="requests_per_hour"
            label={labels.requests_per_hour}
            inputMode="numeric"
            placeholder="100000"
            disabled={!isOperator}
            hint="Empty: 100,000"
          />
        )}
      </div>
    </Part>
  );
}

export function Mcp() {
  return (
    <Part title="MCP server" text="What models read when they connect.">
      <TextField
        name="mcp_server_name"
        label={labels.mcp_server_name}
        autoComplete="off"
        hint="Empty: the name of the project"
      />
      <TextareaField
        name="mcp_instructions"
        label={labels.mcp_instructions}
        rows={5}
        placeholder="Prices are in euro. Ask before you place an order."
        hint="When to use the tools and what to mind. Up to 8,192 characters."
      />
    </Part>
  );
}

export function Calls() {
  const projectId = useProjectId();
  return (
    <Part title="Tool calls" text="How long and how much of your API's answer is waited for.">
      <TextField
        name="max_response_bytes"
        label={labels.max_response_bytes}
        inputMode="numeric"
        autoComplete="off"
        hint="In bytes, 1,024 to 2,097,152. The rest of a longer response is cut off."
      />
      <div className="grid gap-1">
        <span className="font-medium">Tool timeout</span>
        <p className="text-muted text-xs">
          Each tool has its own: 1 to 55 seconds, 30 unless you change it.{' '}
          <Link to="/projects/$projectId/custom-tools" params={{ projectId }} className={inlineLinkClass}>
            Custom tools
          </Link>
        </p>
      </div>
    </Part>
  );
}

export function Payloads() {
  const isOn = useFormContext().watch('record_payloads') as boolean;
  return (
    <Part
      title="Payloads"
      text="Arguments and results of calls help to find mistakes, and may hold personal data. They are encrypted, and only admins read them."
    >
      <SwitchField
        name="record_payloads"
        label={labels.record_payloads}
        hint={
          isOn ? 'Kept with each call from the next request on.' : 'Not kept. The log has times, sizes and outcomes.'
        }
      />
      <TextareaField
        name="redact_fields"
        label={labels.redact_fields}
        mono
        rows={4}
        placeholder={'iban\ndate_of_birth'}
        hint="One name in each line. Their values are replaced before anything is kept, at any depth. Fields that are credentials by their name, such as password and token, always are."
      />
    </Part>
  );
}

const memberIds = [
  { value: 'subject', label: 'The provider and its id of the person' },
  { value: 'email', label: 'The verified email address' },
];

export function OAuthMembers() {
  const projectId = useProjectId();
  const clients = useProjectQuery(['oauth-clients', 'redirects'], (toolgate) =>
    toolgate.oauthClients.list({ limit: 100 }),
  ).data?.data;
  const uris = [...new Set(clients?.flatMap(({ redirect_uris }) => redirect_uris))];
  return (
    <Part title="Sign-in and browsers" text="Where people return to after a sign-in, and which pages may call the API.">
      <SelectField
        name="oauth_member_id"
        label={labels.oauth_member_id}
        options={memberIds}
        hint="Choose the email address if your assertions name people by it: then both are the same member."
      />
      <div className="grid gap-1.5">
        <span className="font-medium">Allowed redirect URIs</span>
        {uris.length > 0 ? (
          <ul className="grid gap-1">
            {uris.map((uri) => (
              <li key={uri} className="min-w-0">
                <CopyableCode text={uri} label="Copy redirect URI" />
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-muted text-xs">None: no OAuth client is registered.</p>
        )}
        <p className="text-muted text-xs">
          Each OAuth client has its own list.{' '}
          <Link to="/projects/$projectId/oauth" params={{ projectId }} className={inlineLinkClass}>
            Change them on the page OAuth
          </Link>
        </p>
      </div>
      <div className="grid gap-1">
        <span className="flex items-center gap-2 font-medium">
          Origins of browsers (CORS) <Badge>none</Badge>
        </span>
        <p className="text-muted text-xs">
          No page of another origin may call the API: a key in a page can be read by everybody who opens it. Call
          toolgate from your backend.
        </p>
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
