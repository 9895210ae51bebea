// The dialogs that add and change an OAuth provider.

import type { OAuthProvider } from '@toolgate/sdk';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../api.ts';
import { cn } from '../components/class-names.ts';
import { CodeBlock } from '../components/code-block.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { PasswordField, SelectField, SwitchField, TextField } from '../components/field.tsx';
import { Form, FormFailure, useApiForm } from '../components/form.tsx';
import { PermissionCards } from '../components/permissions.tsx';
import { relativeTime } from '../components/time.tsx';
import { showToast } from '../toasts.ts';
import { type Kind, kindNames, kinds, words } from './oauth-kinds.ts';

const fields = {
  provider: z.enum(['google', 'github', 'oidc']),
  name: z.string().check(z.trim(), z.maxLength(128, 'Use at most 128 characters')),
  issuer: z.string().check(z.trim()),
  client_id: z.string().check(z.trim(), z.minLength(1, 'Enter the client ID')),
  scopes: z.string(),
  permissions: z.array(z.enum(['read', 'write', 'admin', 'webhook'])),
  is_enabled: z.boolean(),
};
const newSchema = z.object({
  ...fields,
  client_secret: z.string().check(z.minLength(1, 'Enter the client secret')),
});
const changeSchema = z.object({ ...fields, client_secret: z.string() });

const options = kindNames.map((value) => ({ value, label: kinds[value].name }));

type Props = { open: boolean; onOpenChange: (open: boolean) => void };
type AddProps = Props & { kind: Kind; onAdded: (provider: OAuthProvider) => void };

export function AddProviderDialog(props: AddProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title="Add provider"
      description="Register an app at the provider first, and copy its client ID and secret."
    >
      <AddForm {...props} />
    </Dialog>
  );
}

function AddForm({ onOpenChange, kind, onAdded }: AddProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema: newSchema,
    defaults: {
      provider: kind,
      name: '',
      issuer: '',
      client_id: '',
      client_secret: '',
      scopes: '',
      permissions: [],
      is_enabled: true,
    },
    submit: async ({ name, issuer, scopes, ...others }) => {
      const added = await api.oauthProviders.create({
        ...others,
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
      <CallbackBefore kind={chosen} />
      {chosen !== 'google' && <IssuerField kind={chosen} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField name="client_id" label="Client ID" autoComplete="off" spellCheck={false} />
        <PasswordField
          name="client_secret"
          label="Client secret"
          autoComplete="new-password"
          hint="Stored encrypted, never shown again."
        />
      </div>
      <ProviderOptions kind={chosen} />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Add" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

/** The full URL has the id of the provider, which does not exist yet. GitHub accepts every path below the registered one. */
function CallbackBefore({ kind }: { kind: Kind }) {
  const url = `${window.location.origin}/api/v1/oauth/callback`;
  return (
    <div className="grid gap-1.5 rounded-md bg-sunken p-3 text-xs">
      <p className="font-medium">Callback URL</p>
      <CodeBlock code={kind === 'github' ? url : `${url}/<id>`} label="callback URL" />
      <p className="text-muted">
        {kind === 'github'
          ? 'Enter it as the Authorization callback URL of your OAuth App: GitHub accepts every path below it.'
          : 'It ends with the id that you get when you add it here. Enter the full URL at the app afterwards: it is shown next.'}
      </p>
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
          ? 'Its /.well-known/openid-configuration is read.'
          : 'Only for a GitHub Enterprise Server. Empty: github.com'
      }
    />
  );
}

function ProviderOptions({ kind }: { kind: Kind }) {
  return (
    <>
      <ScopesField kind={kind} />
      <details className="rounded-md border border-line p-3">
        <summary className="cursor-pointer font-medium">More options</summary>
        <div className="mt-3 grid grid-cols-1 gap-4">
          <TextField
            name="name"
            label="Name"
            autoComplete="off"
            placeholder={kinds[kind].name}
            hint="What people choose it by."
          />
          <PermissionCards name="permissions" legend="Most that a person who signs in can get on the API" />
          <SwitchField name="is_enabled" label="Enabled" hint="Nobody can sign in where it is off." />
        </div>
      </details>
    </>
  );
}

/** Text with the scopes, and chips that add and remove the usual ones. */
function ScopesField({ kind }: { kind: Kind }) {
  const { watch, setValue } = useFormContext();
  const { scopes, defaultScopes } = kinds[kind];
  const text = watch('scopes') as string;
  const chosen = words(text || defaultScopes);
  const toggle = (scope: string) => {
    const next = chosen.includes(scope) ? chosen.filter((word) => word !== scope) : [...chosen, scope];
    setValue('scopes', next.join(' '), { shouldDirty: true });
  };
  return (
    <div className="grid gap-2">
      <TextField
        name="scopes"
        label="Scopes"
        autoComplete="off"
        spellCheck={false}
        placeholder={defaultScopes}
        hint="Separated by spaces. People are asked for all of them at the sign-in."
      />
      <div className="flex flex-wrap gap-1.5">
        {scopes.map(({ value, meaning }) => (
          <button
            key={value}
            type="button"
            aria-pressed={chosen.includes(value)}
            onClick={() => toggle(value)}
            className={cn(
              'max-w-full rounded-md border px-2 py-1 text-left text-xs transition-colors',
              chosen.includes(value) ? 'border-accent bg-accent-soft' : 'border-line hover:border-line-strong',
            )}
          >
            <span className="block font-medium">{meaning}</span>
            <code className="block truncate text-muted">{value}</code>
          </button>
        ))}
      </div>
    </div>
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
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema: changeSchema,
    defaults: { ...provider, scopes: provider.scopes.join(' '), client_secret: '' },
    submit: async ({ name, client_id, client_secret, scopes, permissions, is_enabled }) => {
      await api.oauthProviders.update(provider.id, {
        ...(name && { name }),
        client_id,
        scopes: words(scopes || kinds[provider.provider].defaultScopes),
        permissions,
        is_enabled,
        ...(client_secret && { client_secret }),
      });
      onOpenChange(false);
      showToast({ title: `“${provider.name}” is saved` });
      await invalidateProject(projectId, ['oauth-providers']);
    },
  });
  const changed = relativeTime(provider.updated_at, Date.now());
  return (
    <Form form={form}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField name="client_id" label="Client ID" autoComplete="off" spellCheck={false} />
        <PasswordField
          name="client_secret"
          label="Client secret"
          autoComplete="new-password"
          placeholder="••••••••"
          hint={`Is set, and cannot be shown. Fill it in to replace it. Last change: ${changed}.`}
        />
      </div>
      <ProviderOptions kind={provider.provider} />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Save" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
