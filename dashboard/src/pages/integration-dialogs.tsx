// The dialogs that create, change and delete an integration, and the "Actions" of one.

import type { ApiKey, Integration } from '@toolgate/sdk';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../api.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { TextareaField, TextField } from '../components/field.tsx';
import { Form, FormFailure, useApiForm } from '../components/form.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { showToast } from '../toasts.ts';
import { Consequences } from './integration-facts.tsx';
import type { Example } from './integration-gallery.tsx';

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name'), z.maxLength(128, 'Use at most 128 characters')),
  description: z.string().check(z.trim(), z.maxLength(1024, 'Use at most 1,024 characters')),
});

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

type CreateProps = Props & { example: Example | undefined; onCreated: (integration: Integration) => void };

export function CreateIntegrationDialog({ example, onCreated, ...props }: CreateProps) {
  const api = useProjectApi();
  return (
    <Dialog
      {...props}
      title="Create integration"
      description="One for each part of your product that connects people to their tools."
    >
      <IntegrationForm
        submit="Create"
        values={{ name: example?.name ?? '', description: example?.description ?? '' }}
        onCancel={() => props.onOpenChange(false)}
        save={async (fields) => onCreated(await api.integrations.create(fields))}
      />
    </Dialog>
  );
}

function EditIntegrationDialog({ integration, ...props }: Props & { integration: Integration }) {
  const api = useProjectApi();
  return (
    <Dialog {...props} title={`Edit “${integration.name}”`}>
      <IntegrationForm
        submit="Save"
        values={{ name: integration.name, description: integration.description ?? '' }}
        onCancel={() => props.onOpenChange(false)}
        save={async (fields) => {
          await api.integrations.update(integration.id, fields);
          props.onOpenChange(false);
          showToast({ title: `“${fields.name}” is saved` });
        }}
      />
    </Dialog>
  );
}

type FormProps = {
  submit: string;
  values: { name: string; description: string };
  onCancel: () => void;
  save: (fields: { name: string; description: string | null }) => Promise<unknown>;
};

function IntegrationForm({ submit, values, onCancel, save }: FormProps) {
  const projectId = useProjectId();
  const form = useApiForm({
    schema,
    defaults: values,
    submit: async ({ name, description }) => {
      await save({ name, description: description || null });
      await invalidateProject(projectId, ['integrations']);
    },
  });
  return (
    <Form form={form}>
      <TextField name="name" label="Name" placeholder="Web app" autoComplete="off" />
      <TextareaField name="description" label="Description" hint="For your team. Members do not see it." rows={2} />
      <FormFailure failure={form.failure} />
      <DialogActions submit={submit} busy={form.formState.isSubmitting} onCancel={onCancel} />
    </Form>
  );
}

type ActionsProps = { integration: Integration; keys: ApiKey[] | undefined; onDeleted?: () => void };

export function IntegrationActions({ integration, keys, onDeleted }: ActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const api = useProjectApi();
  const projectId = useProjectId();
  const { id, name } = integration;
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<Pencil />} needs="webhook" onClick={() => setDialog('edit')}>
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger needs="admin" onClick={() => setDialog('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      <EditIntegrationDialog integration={integration} open={dialog === 'edit'} onOpenChange={() => setDialog(null)} />
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={() => setDialog(null)}
        title={`Delete the integration “${name}”?`}
        name={name}
        action="Delete"
        onConfirm={async () => {
          await api.integrations.delete(id);
          showToast({ title: `“${name}” is deleted` });
          onDeleted?.();
          await invalidateProject(projectId, ['integrations', 'api-keys']);
        }}
      >
        <Consequences integration={integration} keys={keys} />
      </ConfirmDialog>
    </>
  );
}
