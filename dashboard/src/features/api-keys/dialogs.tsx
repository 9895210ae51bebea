// The dialogs that create and rotate an API key, and the one that shows the new secret once.

import { permissions } from '@toolgate/contract/permissions.ts';
import type { ApiKey, NewApiKey } from '@toolgate/sdk';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { Snippets } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { RotateDialog } from '../../ui/dialogs/rotate.tsx';
import { SecretDialog } from '../../ui/dialogs/secret.tsx';
import { SelectField, SwitchField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { resourceName } from '../../ui/forms/schemas.ts';
import { showToast } from '../../ui/toasts.ts';
import { mcpSnippets } from '../onboarding/snippets.ts';
import { ToolsetsField, toolsetIdsSchema } from '../tool-access/picker.tsx';
import { PermissionCards } from './permissions.tsx';

const DAY_MS = 86_400_000;

const expiries = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
  { value: 'custom', label: 'On a date' },
];

const keySchema = z
  .object({
    name: resourceName,
    permissions: z.array(z.enum(permissions)).check(z.minLength(1, 'Choose at least one')),
    expires: z.string(),
    expires_at: z.string(),
    toolset_ids: toolsetIdsSchema,
    can_approve: z.boolean(),
  })
  .check(
    z.refine(({ expires, expires_at }) => expires !== 'custom' || expires_at !== '', {
      path: ['expires_at'],
      error: 'Choose a date',
    }),
  );

type KeyDialogProps = { open: boolean; onOpenChange: (open: boolean) => void; onCreated: (key: NewApiKey) => void };
/** With `integrationId` the key is created from that integration. */
type CreateProps = KeyDialogProps & { integrationId?: string };

export function CreateApiKeyDialog(props: CreateProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Create API key">
      <CreateApiKeyForm {...props} />
    </Dialog>
  );
}

function CreateApiKeyForm({ onOpenChange, onCreated, integrationId }: CreateProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema: keySchema,
    defaults: {
      name: '',
      permissions: ['read'],
      expires: 'never',
      expires_at: '',
      toolset_ids: null,
      can_approve: false,
    },
    submit: async ({ expires, expires_at, can_approve, ...given }) => {
      const fields = {
        ...given,
        expires_at: expiryTime(expires, expires_at),
        // Only admins send it.
        ...(can_approve ? { can_approve } : {}),
      };
      const created = await (integrationId
        ? api.integrations.apiKeys.create(integrationId, fields)
        : api.apiKeys.create(fields));
      onOpenChange(false);
      onCreated(created);
      await invalidateProject(projectId, ['api-keys', 'effective-tools']);
    },
  });
  return (
    <Form form={form} label="Create API key">
      <TextField
        name="name"
        label="Name"
        placeholder="Backend"
        autoComplete="off"
        hint="What uses this key? You can change the name later."
      />
      <PermissionCards name="permissions" />
      <ApproveField />
      <ToolsetsField hint="The tools that this key can list and call. Its permissions control what it can manage." />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField name="expires" label="Expires" options={expiries} />
        {form.watch('expires') === 'custom' && (
          <TextField
            name="expires_at"
            label="Expiry date"
            type="date"
            min={dayAfter(Date.now())}
            hint="At the end of that day, UTC"
          />
        )}
      </div>
      <FormFailure failure={form.failure} />
      <DialogActions submit="Create" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

/** A key with `admin` approves anyway. */
function ApproveField() {
  const isAdmin = useAccess().can('admin');
  const { watch } = useFormContext<{ permissions: string[] }>();
  if (!isAdmin || watch('permissions').includes('admin')) return null;
  return (
    <SwitchField
      name="can_approve"
      label="Can approve calls"
      hint="It can approve calls that wait for an approver, but never its own."
    />
  );
}

function expiryTime(expires: string, date: string): string | null {
  if (expires === 'never') return null;
  if (expires === 'custom') return `${date}T23:59:59Z`;
  return new Date(Date.now() + Number(expires) * DAY_MS).toISOString();
}

const dayAfter = (time: number) => new Date(time + DAY_MS).toISOString().slice(0, 10);

type RenameProps = Omit<KeyDialogProps, 'onCreated'> & { apiKey: ApiKey };

export function RenameApiKeyDialog(props: RenameProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title={`Rename “${props.apiKey.name}”`}>
      <RenameForm {...props} />
    </Dialog>
  );
}

function RenameForm({ apiKey, onOpenChange }: RenameProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema: z.object({ name: resourceName }),
    defaults: { name: apiKey.name },
    submit: async (change) => {
      await api.apiKeys.update(apiKey.id, change);
      onOpenChange(false);
      showToast({ title: `The key is now named “${change.name}”` });
      await invalidateProject(projectId, ['api-keys']);
    },
  });
  return (
    <Form form={form} label="Rename API key">
      <TextField name="name" label="Name" autoComplete="off" />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Save" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

type RotateProps = KeyDialogProps & { apiKey: ApiKey };

export function RotateApiKeyDialog({ apiKey, open, onOpenChange, onCreated }: RotateProps) {
  return (
    <RotateDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Rotate “${apiKey.name}”`}
      description="Creates a key with the same name, permissions and tools. The old key keeps working for the time you choose."
      label="The old key expires"
      resource="api-keys"
      rotate={(api, overlap) => api.apiKeys.rotate(apiKey.id, overlap)}
      onRotated={onCreated}
    />
  );
}

/** The secret is in the state of the page only, and is gone with "I have saved it". */
export function NewKeyDialog({ created, onSaved }: { created: NewApiKey | null; onSaved: () => void }) {
  const target = { origin: usePublicUrl(), projectId: useProjectId(), key: created?.key ?? '' };
  return (
    <SecretDialog secret={created?.key ?? null} title={`The key “${created?.name}” is ready`} onSaved={onSaved}>
      <Snippets label="Connect a model" snippets={mcpSnippets(target)} />
    </SecretDialog>
  );
}
