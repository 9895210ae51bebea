// The form of single sign-on: the callback URL to register first, the fields, the test, and Save.

import { roles } from '@toolgate/contract/roles.ts';
import type { CurrentAccount, OrganizationSso } from '@toolgate/sdk';
import { type ReactNode, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { queryClient, toolgate } from '../../api/client.ts';
import { Button, inlineLinkClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { PasswordField, SelectField, SwitchField, TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { cardClass } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.ts';
import { withReauthentication } from '../account/reauthentication.ts';
import { RoleMap } from './role-map.tsx';
import { SsoTest } from './test.tsx';
import { REFUSED, recordsOf, type SsoValues, ssoSchema, toInput, toValues } from './values.ts';

const queryKey = ['organization', 'sso'];

type Props = { saved: OrganizationSso | null; account: CurrentAccount };

export function SsoForm({ saved, account }: Props) {
  const form = useApiForm<SsoValues>({
    schema: ssoSchema,
    defaults: toValues(saved),
    submit: async (values) => {
      const next = await withReauthentication(() => toolgate.organization.sso.set(toInput(values)));
      queryClient.setQueryData(queryKey, next);
      form.reset(toValues(next));
      showToast({ title: 'Single sign-on saved' });
    },
  });
  return (
    <Form form={form} label="Single sign-on" className={`${cardClass} gap-6 p-4`}>
      <Part title="Register this redirect URI at your identity provider">
        <CodeBlock code={saved?.callback_url ?? callbackUrl(account)} label="redirect URI" />
      </Part>
      <Part title="Identity provider">
        <TextField
          name="issuer"
          label="Issuer"
          placeholder="https://login.example.com"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField name="client_id" label="Client ID" autoComplete="off" spellCheck={false} />
        <PasswordField
          name="client_secret"
          label="Client secret"
          what="client secret"
          autoComplete="off"
          hint={saved ? 'Leave it empty to keep the stored one.' : 'Stored encrypted and never shown again.'}
        />
      </Part>
      <Part title="People">
        <Domains account={account} saved={saved} />
        <TextField
          name="role_claim"
          label="Group claim"
          autoComplete="off"
          spellCheck={false}
          hint="The claim of the ID token that lists a person's groups."
        />
        <RoleMap />
        <SelectField
          name="default_role"
          label="Default role"
          hint="For people in none of these groups."
          options={[{ value: REFUSED, label: 'None: they are refused' }, ...optionsOf(roles)]}
        />
        <SwitchField
          name="is_required"
          label="Require single sign-on"
          hint="Only break-glass owners can then use a password, and all other password sessions are signed out. First, mark a break-glass owner under People."
        />
      </Part>
      <SsoTest />
      <FormFailure failure={form.failure} />
      <Buttons saved={saved} isDirty={form.formState.isDirty} busy={form.formState.isSubmitting} />
    </Form>
  );
}

/** As the server makes it. */
const callbackUrl = ({ organization, public_url }: CurrentAccount) =>
  `${public_url}/api/v1/account/sso/callback/${organization.id}`;

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 grid-cols-1 gap-4">
      <h3 className="font-medium text-muted text-xs">{title}</h3>
      {children}
    </section>
  );
}

/** Owners of the first organization need no proof. */
function Domains({ account, saved }: Props) {
  const { watch } = useFormContext<SsoValues>();
  const records = recordsOf(watch('domains'), account.organization.id);
  const fresh = records.filter(({ name }) => !saved?.domains.some((domain) => name.endsWith(`.${domain}`)));
  return (
    <>
      <TextareaField
        name="domains"
        label="Email domains"
        mono
        rows={2}
        placeholder="example.com"
        hint="One per line. Email addresses of other domains are refused, even if the provider accepts them."
      />
      {!account.is_operator && fresh.length > 0 && (
        <div className="grid min-w-0 grid-cols-1 gap-1.5">
          <p className="text-muted text-xs">
            Before you save, add these TXT records to prove that the domains are yours:
          </p>
          <CodeBlock code={fresh.map(({ name, value }) => `${name} TXT "${value}"`).join('\n')} label="TXT records" />
        </div>
      )}
    </>
  );
}

function Buttons({ saved, isDirty, busy }: { saved: OrganizationSso | null; isDirty: boolean; busy: boolean }) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button type="submit" look="solid" disabled={!isDirty} busy={busy}>
        Save
      </Button>
      {saved && <Button onClick={() => setDeleting(true)}>Turn off</Button>}
      <a href="/docs/guides/single-sign-on" target="_blank" rel="noreferrer" className={`${inlineLinkClass} ml-auto`}>
        Guide
      </a>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title="Turn off single sign-on?"
        name={saved?.domains[0] ?? ''}
        action="Turn off"
        onConfirm={async () => {
          await withReauthentication(() => toolgate.organization.sso.delete());
          queryClient.setQueryData(queryKey, null);
        }}
      >
        Its sessions are signed out. Its people can't sign in until you set it up again.
      </ConfirmDialog>
    </div>
  );
}
