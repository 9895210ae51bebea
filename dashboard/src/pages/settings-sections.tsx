// The parts of the settings form.

import { Link } from '@tanstack/react-router';
import type { Project } from '@toolgate/sdk';
import { useFormContext } from 'react-hook-form';
import { useProjectId } from '../api.ts';
import { inlineLinkClass } from '../components/button.tsx';
import { CopyableCode } from '../components/copy.tsx';
import { SelectField, SwitchField, TextareaField, TextField } from '../components/field.tsx';
import { useAccess } from '../session.ts';
import { labels } from './settings-changes.ts';
import { Part } from './settings-part.tsx';

export function General({ project }: { project: Project }) {
  return (
    <Part
      title="General"
      text="The id never changes. API calls and assertions name the project by it."
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
