// The dialogs that create and change an OAuth client, and rotate its secret.

import type { NewOAuthClient, OAuthClient } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { RotateDialog } from '../../ui/dialogs/rotate.tsx';
import { SelectField, SwitchField, TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { resourceName } from '../../ui/forms/schemas.ts';
import { showToast } from '../../ui/toasts.ts';
import { words } from '../oauth-providers/kinds.ts';
import { ToolsetsField, toolsetIdsSchema } from '../tool-access/picker.tsx';
import {
  KeysFields,
  type MachineFields,
  machineFields,
  machineValues,
  readMachine,
  signsPeopleIn,
  UsedByField,
} from './machine.tsx';

const schema = z.object({
  name: resourceName,
  /** One in each line; none for a machine. */
  redirect_uris: z.string(),
  integration_id: z.string(),
  is_public: z.boolean(),
  toolset_ids: toolsetIdsSchema,
  ...machineFields,
});

type Props = { open: boolean; onOpenChange: (open: boolean) => void };
type Created = { onCreated: (client: NewOAuthClient) => void };

export function CreateClientDialog({ onCreated, ...props }: Props & Created) {
  const api = useProjectApi();
  return (
    <Dialog {...props} title="Create client" description="Create one for each app that sends people to sign in.">
      <ClientForm
        submit="Create"
        values={{
          name: '',
          redirect_uris: '',
          integration_id: '',
          is_public: false,
          toolset_ids: null,
          ...machineValues(null),
        }}
        close={() => props.onOpenChange(false)}
        isNew
        save={async (fields) => {
          const created = await api.oauthClients.create(fields);
          props.onOpenChange(false);
          // A public client has no secret to show.
          if (created.client_secret) onCreated(created);
          else showToast({ title: `“${created.name}” is ready` });
        }}
      />
    </Dialog>
  );
}

export function EditClientDialog({ client, ...props }: Props & { client: OAuthClient }) {
  const api = useProjectApi();
  const { name, redirect_uris, integration_id, ...kept } = client;
  return (
    <Dialog {...props} title={`Edit “${name}”`}>
      <ClientForm
        submit="Save"
        values={{
          ...kept,
          name,
          redirect_uris: redirect_uris.join('\n'),
          integration_id: integration_id ?? '',
          ...machineValues(client),
        }}
        close={() => props.onOpenChange(false)}
        save={async ({ is_public: _, ...change }) => {
          await api.oauthClients.update(client.id, change);
          props.onOpenChange(false);
          showToast({ title: `“${change.name}” saved` });
        }}
      />
    </Dialog>
  );
}

type Fields = {
  name: string;
  redirect_uris: string[];
  integration_id: string | null;
  is_public: boolean;
  toolset_ids: string[] | null;
} & MachineFields;
type FormProps = {
  submit: string;
  values: z.infer<typeof schema>;
  close: () => void;
  save: (fields: Fields) => Promise<unknown>;
  isNew?: boolean;
};

function ClientForm({ submit, values, close, save, isNew }: FormProps) {
  const projectId = useProjectId();
  const integrations = useProjectQuery(['integrations', 'names'], (toolgate) =>
    toolgate.integrations.list({ limit: 100 }),
  ).data?.data;
  const form = useApiForm({
    schema,
    defaults: values,
    submit: async ({ name, redirect_uris, integration_id, is_public, toolset_ids, ...machine }) => {
      const kept = { name, is_public, toolset_ids, integration_id: integration_id || null };
      const uris = signsPeopleIn(machine.used_by) ? words(redirect_uris) : [];
      await save({ ...kept, redirect_uris: uris, ...readMachine(machine) });
      await invalidateProject(projectId, ['oauth-clients', 'effective-tools']);
    },
  });
  const options = [
    { value: '', label: 'None' },
    ...(integrations ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <Form form={form}>
      <TextField
        name="name"
        label="Name"
        autoComplete="off"
        placeholder="Web shop"
        hint="People see it on the consent page."
      />
      <UsedByField />
      {signsPeopleIn(form.watch('used_by')) && (
        <TextareaField
          name="redirect_uris"
          label="Redirect URIs"
          mono
          placeholder="https://app.example.com/callback"
          hint="One per line: https, or http on a loopback address."
        />
      )}
      <SelectField
        key={integrations ? 'loaded' : 'loading'}
        name="integration_id"
        label="Integration"
        options={options}
        hint="Sessions that start through this client belong to this integration."
      />
      <ToolsetsField legend="Tools that people see through it, or the machine itself" />
      {!values.is_public && !form.watch('is_public') && <KeysFields proves_with={form.watch('proves_with')} />}
      {isNew && form.watch('used_by') === 'people' && form.watch('proves_with') === 'secret' && (
        <SwitchField
          name="is_public"
          label="Public client"
          hint="For an app that can't keep a secret, such as a mobile app. It has no secret and must use PKCE."
        />
      )}
      <FormFailure failure={form.failure} />
      <DialogActions submit={submit} busy={form.formState.isSubmitting} onCancel={close} />
    </Form>
  );
}

type RotateProps = Props & Created & { client: OAuthClient };

export function RotateClientDialog({ client, open, onOpenChange, onCreated }: RotateProps) {
  return (
    <RotateDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Rotate the secret of “${client.name}”`}
      description="Both secrets are accepted until the old one expires."
      label="The old secret expires"
      longest="86400"
      resource="oauth-clients"
      rotate={(api, overlap) => api.oauthClients.rotateSecret(client.id, overlap)}
      onRotated={onCreated}
    />
  );
}
