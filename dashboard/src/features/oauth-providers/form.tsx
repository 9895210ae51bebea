// The dialogs that add and change an OAuth provider.

import { ID_RANDOM_LENGTH } from '@toolgate/contract/ids.ts';
import { defaultScopes, oauthProviderKinds } from '@toolgate/contract/oauth-providers/rules.ts';
import { permissions } from '@toolgate/contract/permissions.ts';
import type { OAuthProvider } from '@toolgate/sdk';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { PasswordField, SelectField, SwitchField, TextField } from '../../ui/forms/field.tsx';
import { FoldedFields, Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { optionalName, required } from '../../ui/forms/schemas.ts';
import { relativeTime } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.ts';
import { PermissionCards } from '../api-keys/permissions.tsx';
import {
  CertificateField,
  certificateFields,
  certificateFieldsOf,
  certificateValuesOf,
} from '../certificates/field.tsx';
import { useDecidingPermission } from '../projects/production.ts';
import { ToolsetsField, toolsetIdsSchema } from '../tool-access/picker.tsx';
import { LastErrorBox } from './error.tsx';
import { OriginsField, ScopesField } from './fields.tsx';
import { IdJagFields, idJagFields, idJagValues, readIdJag } from './id-jag.tsx';
import { type Kind, kinds, words } from './kinds.ts';

const fields = {
  provider: z.enum(oauthProviderKinds),
  name: optionalName,
  issuer: z.string().check(z.trim()),
  client_id: required('Enter the client ID'),
  scopes: z.string(),
  /** One in each line. */
  allowed_origins: z.string(),
  permissions: z.array(z.enum(permissions)),
  is_enabled: z.boolean(),
  toolset_ids: toolsetIdsSchema,
  ...certificateFields,
  ...idJagFields,
};
const newSchema = z.object({
  ...fields,
  client_secret: z.string().check(z.minLength(1, 'Enter the client secret')),
});
const changeSchema = z.object({ ...fields, client_secret: z.string() });

const options = oauthProviderKinds.map((value) => ({ value, label: kinds[value].name }));

type Props = { open: boolean; onOpenChange: (open: boolean) => void };
type AddProps = Props & { kind: Kind; onAdded: (provider: OAuthProvider) => void };

export function AddProviderDialog(props: AddProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title="Add provider"
      description="Register an app at the provider with this callback URL. It then gives you a client ID and a secret."
    >
      <AddForm {...props} />
    </Dialog>
  );
}

function AddForm({ onOpenChange, kind, onAdded }: AddProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const origin = usePublicUrl();
  // Chosen here, so that the callback URL is known before the provider is added.
  const [id] = useState(newProviderId);
  const form = useApiForm({
    schema: newSchema,
    defaults: {
      provider: kind,
      name: '',
      issuer: '',
      client_id: '',
      client_secret: '',
      scopes: '',
      allowed_origins: '',
      permissions: [],
      is_enabled: true,
      toolset_ids: null,
      ...certificateValuesOf(null),
      ...idJagValues(null),
    },
    submit: async ({ name, issuer, scopes, allowed_origins, accepts_id_jag, ...rest }) => {
      const { required_claims, link_by, max_assertion_seconds, ...others } = rest;
      const idJag = readIdJag({ accepts_id_jag, required_claims, link_by, max_assertion_seconds });
      const added = await api.oauthProviders.create({
        id,
        ...others,
        ...certificateFieldsOf(others),
        ...(others.provider === 'oidc' && idJag),
        allowed_origins: words(allowed_origins),
        issuer: others.provider === 'google' || issuer === '' ? null : issuer,
        ...(name && { name }),
        ...(words(scopes).length > 0 && { scopes: words(scopes) }),
      });
      onAdded(added);
      await invalidateProject(projectId, ['oauth-providers']);
    },
  });
  const chosen = form.watch('provider') as Kind;
  return (
    <Form form={form}>
      <SelectField name="provider" label="Provider" options={options} />
      <CallbackBefore kind={chosen} url={`${origin}/api/v1/oauth/callback/${id}`} />
      {chosen !== 'google' && <IssuerField kind={chosen} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField name="client_id" label="Client ID" autoComplete="off" spellCheck={false} />
        <PasswordField
          name="client_secret"
          label="Client secret"
          what="secret"
          autoComplete="new-password"
          hint="Stored encrypted, never shown again."
        />
      </div>
      <ProviderOptions kind={chosen} accepts={form.watch('accepts_id_jag')} />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Add" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id as the API makes it. Bytes that would make some letters likelier than others are left out. */
function newProviderId(): string {
  let id = '';
  while (id.length < ID_RANDOM_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(ID_RANDOM_LENGTH)))
      if (byte < 4 * LETTERS.length && id.length < ID_RANDOM_LENGTH) id += LETTERS[byte % LETTERS.length];
  return `oap_${id}`;
}

function CallbackBefore({ kind, url }: { kind: Kind; url: string }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <p className="font-medium">Callback URL</p>
      <CodeBlock code={url} label="callback URL" />
      <p className="text-muted text-xs">Register it at {kinds[kind].callbackField}.</p>
    </div>
  );
}

function IssuerField({ kind }: { kind: Kind }) {
  return (
    <TextField
      name="issuer"
      label="Issuer"
      type="url"
      autoComplete="off"
      placeholder={kind === 'oidc' ? 'https://login.example.com' : 'https://github.example.com'}
      hint={
        kind === 'oidc'
          ? 'toolgate reads its /.well-known/openid-configuration.'
          : 'Only for a GitHub Enterprise Server. Default: github.com'
      }
    />
  );
}

function ProviderOptions({ kind, accepts }: { kind: Kind; accepts: boolean }) {
  return (
    <>
      <ScopesField kind={kind} />
      <FoldedFields title="More options" className="rounded-md border border-line p-3 [&>summary]:font-medium">
        <div className="mt-3 grid grid-cols-1 gap-4">
          <TextField
            name="name"
            label="Name"
            autoComplete="off"
            placeholder={kinds[kind].name}
            hint="The name that people see when they choose a provider."
          />
          <OriginsField />
          <ToolsetsField legend="Tools that people who sign in here see" />
          <PermissionCards name="permissions" legend="Most permissions that people who sign in can get" />
          <CertificateField />
          {kind === 'oidc' && <IdJagFields accepts={accepts} />}
          <SwitchField name="is_enabled" label="Enabled" hint="Nobody can sign in while it is disabled." />
        </div>
      </FoldedFields>
    </>
  );
}

type EditProps = Props & { provider: OAuthProvider };

export function EditProviderDialog(props: EditProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} size="lg" title={`Edit “${props.provider.name}”`}>
      <EditForm {...props} />
    </Dialog>
  );
}

function EditForm({ provider, onOpenChange }: EditProps) {
  const reason = useAccess().reason(useDecidingPermission('webhook'));
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema: changeSchema,
    defaults: {
      ...provider,
      scopes: provider.scopes.join(' '),
      allowed_origins: provider.allowed_origins.join('\n'),
      ...certificateValuesOf(provider),
      ...idJagValues(provider),
      client_secret: '',
    },
    submit: async ({ name, client_secret, scopes, allowed_origins, provider: _, issuer: __, ...rest }) => {
      const { accepts_id_jag, required_claims, link_by, max_assertion_seconds, ...others } = rest;
      const idJag = readIdJag({ accepts_id_jag, required_claims, link_by, max_assertion_seconds });
      await api.oauthProviders.update(provider.id, {
        ...(name && { name }),
        ...others,
        ...certificateFieldsOf(others),
        ...(provider.provider === 'oidc' && idJag),
        scopes: scopes ? words(scopes) : defaultScopes[provider.provider],
        allowed_origins: words(allowed_origins),
        ...(client_secret && { client_secret }),
      });
      onOpenChange(false);
      showToast({ title: `“${provider.name}” saved` });
      await invalidateProject(projectId, ['oauth-providers']);
    },
  });
  return (
    <Form form={form}>
      {provider.last_error && <LastErrorBox error={provider.last_error} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          name="client_id"
          label="Client ID"
          autoComplete="off"
          spellCheck={false}
          readOnly={reason !== undefined}
          hint={reason}
        />
        <PasswordField
          name="client_secret"
          label="Client secret"
          what="secret"
          autoComplete="new-password"
          placeholder="••••••••"
          aside={<SecretAge provider={provider} />}
          hint="The stored secret can't be shown. Leave it empty to keep it."
        />
      </div>
      <ProviderOptions kind={provider.provider} accepts={form.watch('accepts_id_jag')} />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Save" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

/** The API has the time of the last change of any field; the secret is as old or older. */
function SecretAge({ provider: { created_at, updated_at } }: { provider: OAuthProvider }) {
  const { setFocus } = useFormContext();
  const age = relativeTime(updated_at, Date.now());
  return (
    <span className="min-w-0 truncate text-muted text-xs">
      set {age}
      {updated_at !== created_at && ' or earlier'} ·{' '}
      <button type="button" onClick={() => setFocus('client_secret')} className="text-accent hover:underline">
        replace
      </button>
    </span>
  );
}
