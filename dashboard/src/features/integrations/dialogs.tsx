// The dialogs that create, change and delete an integration, and the "Actions" of one.

import type { ApiKey, Integration } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { resourceDescription, resourceName } from '../../ui/forms/schemas.ts';
import { ActionsMenu, DeleteItem, EditItem } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.ts';
import { ToolsetsField, toolsetIdsSchema } from '../tool-access/picker.tsx';
import { Consequences } from './facts.tsx';
import type { Example } from './gallery.tsx';

const schema = z.object({
  name: resourceName,
  description: resourceDescription,
  toolset_ids: toolsetIdsSchema,
});

type Values = z.infer<typeof schema>;

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

type CreateProps = Props & { example: Example | undefined; onCreated: (integration: Integration) => void };

export function CreateIntegrationDialog({ example, onCreated, ...props }: CreateProps) {
  const api = useProjectApi();
  return (
    <Dialog
      {...props}
      title="Create integration"
      description="Create one for each part of your product that connects your users to their tools."
    >
      <IntegrationForm
        submit="Create"
        values={{ name: example?.name ?? '', description: example?.description ?? '', toolset_ids: null }}
        onCancel={() => props.onOpenChange(false)}
        save={async (fields) => onCreated(await api.integrations.create(fields))}
      />
    </Dialog>
  );
}

function EditIntegrationDialog({ integration, ...props }: Props & { integration: Integration }) {
  const api = useProjectApi();
  const { name, description, toolset_ids } = integration;
  return (
    <Dialog {...props} title={`Edit “${name}”`}>
      <IntegrationForm
        submit="Save"
        values={{ name, description: description ?? '', toolset_ids }}
        onCancel={() => props.onOpenChange(false)}
        save={async (fields) => {
          await api.integrations.update(integration.id, fields);
          props.onOpenChange(false);
          showToast({ title: `“${fields.name}” saved` });
        }}
      />
    </Dialog>
  );
}

type FormProps = {
  submit: string;
  values: Values;
  onCancel: () => void;
  save: (fields: Omit<Values, 'description'> & { description: string | null }) => Promise<unknown>;
};

function IntegrationForm({ submit, values, onCancel, save }: FormProps) {
  const projectId = useProjectId();
  const form = useApiForm({
    schema,
    defaults: values,
    submit: async ({ name, description, toolset_ids }) => {
      await save({ name, description: description || null, toolset_ids });
      await invalidateProject(projectId, ['integrations', 'effective-tools']);
    },
  });
  return (
    <Form form={form}>
      <TextField name="name" label="Name" placeholder="Web app" autoComplete="off" />
      <TextareaField name="description" label="Description" hint="For your team. Members do not see it." rows={2} />
      <ToolsetsField legend="Tools that its keys and sessions see" />
      <FormFailure failure={form.failure} />
      <DialogActions submit={submit} busy={form.formState.isSubmitting} onCancel={onCancel} />
    </Form>
  );
}

type ActionsProps = { integration: Integration; keys: ApiKey[] | undefined; onDeleted?: () => Promise<void> };

export function IntegrationActions({ integration, keys, onDeleted }: ActionsProps) {
  const dialogs = useRowDialogs<'edit' | 'delete'>();
  const { id, name } = integration;
  return (
    <>
      <ActionsMenu>
        <EditItem needs="webhook" onClick={dialogs.opens('edit')} />
        <DeleteItem onClick={dialogs.opens('delete')} />
      </ActionsMenu>
      <EditIntegrationDialog integration={integration} {...dialogs.of('edit')} />
      <ChangeDialog
        {...dialogs.of('delete')}
        title={`Delete the integration “${name}”?`}
        name={name}
        change={(toolgate) => toolgate.integrations.delete(id)}
        done={`“${name}” deleted`}
        onDone={onDeleted}
        invalidates={['integrations', 'api-keys']}
      >
        <Consequences integration={integration} keys={keys} />
      </ChangeDialog>
    </>
  );
}
