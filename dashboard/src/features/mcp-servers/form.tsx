// The dialog that adds and changes an MCP server.

import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '@toolgate/contract/custom-tools/rules.ts';
import { MAX_SYNC_MINUTES, MIN_SYNC_MINUTES } from '@toolgate/contract/mcp-servers/rules.ts';
import type { McpServer } from '@toolgate/sdk';
import { useEffect } from 'react';
import { useController } from 'react-hook-form';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { TextareaField, TextField, useFieldError } from '../../ui/forms/field.tsx';
import { type ApiForm, Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { RadioCards } from '../../ui/forms/radio.tsx';
import { showToast } from '../../ui/toasts.ts';
import { AuthGroup } from '../custom-tools/auth.tsx';
import { Group } from '../custom-tools/group.tsx';
import { slugOf } from '../toolsets/slug.ts';
import { reviewWords } from './queries.ts';
import { changesOf, fieldsOf, type ServerValues, serverSchema, valuesOf } from './values.ts';

/** `server` null: a new one. */
type Props = {
  server: McpServer | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated?: (server: McpServer) => void;
};

export function McpServerDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title={props.server ? 'Edit MCP server' : 'Add MCP server'}
      description={
        props.server
          ? 'Its approved tools stay approved.'
          : 'Adding a server sends no requests and exposes no tools. Next, sync it and review its tools.'
      }
    >
      <ServerForm {...props} />
    </Dialog>
  );
}

function ServerForm({ server, onOpenChange, onCreated }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm<ServerValues>({
    schema: serverSchema,
    defaults: valuesOf(server),
    submit: async (values) => {
      if (server) await api.mcpServers.update(server.id, changesOf(values, server));
      else onCreated?.(await api.mcpServers.create(fieldsOf(values)));
      if (server) onOpenChange(false);
      showToast({ title: server ? `“${values.name}” saved` : `“${values.name}” added` });
      await invalidateProject(projectId, ['mcp-servers']);
    },
  });
  useProposedSlug(form, server === null);
  return (
    <Form form={form} label={server ? 'Edit MCP server' : 'Add MCP server'} className="gap-5">
      <Group title="Server">
        <TextField
          name="url"
          label="URL"
          type="url"
          autoComplete="off"
          placeholder="https://mcp.example.com/mcp"
          hint="The HTTPS URL of its Streamable HTTP endpoint."
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField name="name" label="Name" autoComplete="off" placeholder="Billing" />
          {!server && (
            <TextField
              name="slug"
              label="Slug"
              autoComplete="off"
              spellCheck={false}
              placeholder="billing"
              hint="The names of its tools start with it. It can't be changed later."
            />
          )}
        </div>
      </Group>
      <AuthGroup stored={server} target="mcp_server" />
      <RequestGroup />
      <ReviewGroup />
      <FormFailure failure={form.failure} />
      <DialogActions
        submit={server ? 'Save' : 'Add'}
        busy={form.formState.isSubmitting}
        onCancel={() => onOpenChange(false)}
      />
    </Form>
  );
}

function useProposedSlug({ watch, formState, setValue }: ApiForm<ServerValues>, isNew: boolean): void {
  const name = watch('name') ?? '';
  const isOwnSlug = formState.dirtyFields.slug === true;
  useEffect(() => {
    if (isNew && !isOwnSlug) setValue('slug', slugOf(name));
  }, [name, isNew, isOwnSlug, setValue]);
}

function RequestGroup() {
  return (
    <Group title="Requests">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          name="timeout_ms"
          label="Timeout (ms)"
          type="number"
          min={MIN_TIMEOUT_MS}
          max={MAX_TIMEOUT_MS}
          step={1000}
          hint={`For a call to one of its tools: ${MIN_TIMEOUT_MS.toLocaleString('en')} to ${MAX_TIMEOUT_MS.toLocaleString('en')}`}
        />
        <TextField
          name="sync_minutes"
          label="Sync every (minutes)"
          type="number"
          min={MIN_SYNC_MINUTES}
          max={MAX_SYNC_MINUTES}
          hint={`How often toolgate reads its list of tools: ${MIN_SYNC_MINUTES} to ${MAX_SYNC_MINUTES.toLocaleString('en')}`}
        />
      </div>
      <TextareaField
        name="headers"
        label="Fixed headers"
        mono
        rows={2}
        placeholder="X-Tenant: acme"
        hint="One per line, sent with every request. Everyone who can read the project sees them."
      />
    </Group>
  );
}

function ReviewGroup() {
  const { field } = useController<ServerValues, 'review'>({ name: 'review' });
  return (
    <Group title="Review">
      <RadioCards<ServerValues['review']>
        legend="A person approves"
        columns
        value={field.value}
        onChange={field.onChange}
        error={useFieldError('review')}
        choices={[
          {
            value: 'manual',
            label: reviewWords.manual,
            description: 'Nothing is offered until a person has reviewed it.',
          },
          {
            value: 'read_only_auto',
            label: reviewWords.read_only_auto,
            description:
              'A new tool that declares itself read-only and has no warnings is approved immediately. Changes always wait for review.',
          },
        ]}
      />
    </Group>
  );
}
