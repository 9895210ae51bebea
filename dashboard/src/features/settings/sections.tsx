// The parts of the settings form.

import { Link } from '@tanstack/react-router';
import type { Project } from '@toolgate/sdk';
import { useFormContext } from 'react-hook-form';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { inlineLinkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { CopyableCode } from '../../ui/copy.tsx';
import { SelectField, SwitchField, TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { bytes } from '../../ui/words.ts';
import { environmentOptions } from '../projects/environments.ts';
import { labels } from './changes.ts';
import { fileRetentionOptions } from './file-retention.ts';
import { Part } from './part.tsx';

export function General({ project }: { project: Project }) {
  return (
    <Part
      title="General"
      text="The id never changes. API calls and assertions identify the project by it."
      facts={
        <div className="grid gap-1">
          <span className="font-medium">Project id</span>
          <CopyableCode text={project.id} label="Copy project id" />
        </div>
      }
    >
      <TextField name="name" label={labels.name} autoComplete="off" />
    </Part>
  );
}

export function Environment() {
  const isProduction = useFormContext().watch('environment') === 'production';
  const reason = useAccess().reason('admin');
  return (
    <Part title="Production mode" text="Controls how your backend identifies members, and the prefix of new API keys.">
      <SelectField
        name="environment"
        label={labels.environment}
        options={environmentOptions}
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
            trying a tool as a member whose id does not start with <code>test_</code>,
          </li>
          <li>OAuth providers that no admin has approved, and changes by non-admins to how members are identified,</li>
          <li>sending a member's token to an origin that its OAuth provider does not allow.</li>
        </ul>
        <p className="mt-2 text-muted">
          New API keys start with <code>{isProduction ? 'svc_live_' : 'svc_test_'}</code>. Existing keys and sessions
          keep working.
        </p>
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
        hint="Default: the name of the project"
      />
      <TextareaField
        name="mcp_instructions"
        label={labels.mcp_instructions}
        rows={5}
        placeholder="Prices are in euro. Ask before you place an order."
        hint="When to use the tools, and what to watch out for. Up to 8,192 characters."
      />
    </Part>
  );
}

export function Calls() {
  const projectId = useProjectId();
  return (
    <Part title="Tool calls" text="How long toolgate waits for your API, and how much of its response it reads.">
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

export function Files({ project }: { project: Project }) {
  const isOff = useFormContext().watch('file_retention_seconds') === '0';
  return (
    <Part
      title="Files"
      text="Files that are uploaded for tools, and responses of your API that are neither JSON nor text, such as a PDF. They are encrypted, and deleted after this time."
    >
      <SelectField
        name="file_retention_seconds"
        label={labels.file_retention_seconds}
        options={fileRetentionOptions(project.settings.file_retention_seconds)}
        hint={
          isOff
            ? 'Uploads are refused, and so are responses that would become a file.'
            : 'A file that a waiting approval needs is kept until that is decided.'
        }
      />
    </Part>
  );
}

export function Payloads() {
  const isOn = useFormContext().watch('record_payloads') as boolean;
  return (
    <Part
      id="payloads"
      title="Payloads"
      text="Arguments and results help you find mistakes, but may contain personal data. They are encrypted, and only admins can read them."
    >
      <SwitchField
        name="record_payloads"
        label={labels.record_payloads}
        hint={
          isOn
            ? 'Recorded with each call, starting with the next request.'
            : 'Not recorded. The log has times, sizes and outcomes.'
        }
      />
      {isOn && <PayloadUsage />}
      <TextareaField
        name="redact_fields"
        label={labels.redact_fields}
        mono
        rows={4}
        placeholder={'iban\ndate_of_birth'}
        hint="One name per line. Their values are redacted before anything is recorded, at any depth and inside texts. Fields whose names suggest credentials, such as password and token, are always redacted."
      />
    </Part>
  );
}

/** What of the bytes of the day is used; how it goes on once they are. */
function PayloadUsage() {
  const projectId = useProjectId();
  const { data: usage, error } = useProjectQuery(['payload-usage'], (toolgate) =>
    toolgate.projects.payloadUsage.get(projectId),
  );
  if (error && !usage) return <ErrorAlert error={error} />;
  if (!usage) return <Skeleton className="w-72" />;
  const { used_bytes, limit_bytes, resets_at } = usage;
  const isFull = used_bytes >= limit_bytes;
  return (
    <p className={cn('text-xs', isFull ? 'rounded-md bg-warning-soft px-3 py-2 text-warning' : 'text-muted')}>
      {bytes(used_bytes)} of {bytes(limit_bytes)} used today
      {isFull ? (
        <>
          ; recording resumes at 00:00 UTC, <Time value={resets_at} />. Until then calls are in the log without their
          arguments and results.
        </>
      ) : (
        '. The count starts again at 00:00 UTC.'
      )}
    </p>
  );
}
