// Asks for the password, or for a code of the authenticator app, before a change that needs it again.

import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { toolgate } from '../../api/client.ts';
import { useAccount } from '../../api/session.ts';
import { linkClass } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { PasswordField, TextField } from '../../ui/forms/field.tsx';
import { type ApiForm, Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { onReauthentication } from './reauthentication.ts';

type Finish = (isDone: boolean) => void;

export function ReauthenticationDialog() {
  const account = useAccount();
  // What waits for the response; null while nothing is asked.
  const [finish, setFinish] = useState<Finish | null>(null);
  useEffect(
    () =>
      onReauthentication(
        () =>
          new Promise((resolve) => {
            setFinish(() => (isDone: boolean) => {
              setFinish(null);
              resolve(isDone);
            });
          }),
      ),
    [],
  );
  return (
    <Dialog
      open={finish !== null}
      onOpenChange={() => finish?.(false)}
      title="Confirm it's you"
      description={`You signed in more than 10 minutes ago, and this change requires ${account?.has_sso ? 'a new sign-in' : 'your password again'}.`}
    >
      {finish && (account?.has_sso ? <SignInAgain email={account.email} /> : <ReauthenticationForm finish={finish} />)}
    </Dialog>
  );
}

/** Whoever signs in by single sign-on has no password here. It leaves this page. */
function SignInAgain({ email }: { email: string }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="text-muted">Sign in again at your identity provider, then repeat the change.</p>
      <a href={`/api/v1/account/sso?${new URLSearchParams({ email })}`} className={`${linkClass} justify-self-end`}>
        Sign in again
      </a>
    </div>
  );
}

const schema = z.object({
  password: z.string(),
  code: z.string().check(z.overwrite((text) => text.replace(/\s/g, ''))),
});
type Fields = z.infer<typeof schema>;

function ReauthenticationForm({ finish }: { finish: Finish }) {
  const hasTotp = useAccount()?.has_totp === true;
  const [isCode, setCode] = useState(false);
  const form = useApiForm<Fields>({
    schema,
    defaults: { password: '', code: '' },
    submit: async ({ password, code }) => {
      await toolgate.account.reauthenticate(isCode ? { code } : { password });
      finish(true);
    },
  });
  return (
    <Form form={form} label="Confirm it's you">
      {isCode ? (
        <TextField
          key="code"
          name="code"
          label="Authentication code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          autoFocus
        />
      ) : (
        <PasswordField key="password" name="password" label="Password" autoComplete="current-password" />
      )}
      {hasTotp && <OtherFactor form={form} isCode={isCode} setCode={setCode} />}
      <FormFailure failure={form.failure} />
      <DialogActions submit="Confirm" busy={form.formState.isSubmitting} onCancel={() => finish(false)} />
    </Form>
  );
}

type OtherFactorProps = { form: ApiForm<Fields>; isCode: boolean; setCode: (isCode: boolean) => void };

function OtherFactor({ form, isCode, setCode }: OtherFactorProps) {
  return (
    <button
      type="button"
      className={`${linkClass} justify-self-start text-xs`}
      onClick={() => {
        form.clearFailure();
        form.reset();
        setCode(!isCode);
      }}
    >
      {isCode ? 'Use the password' : 'Use the authenticator app'}
    </button>
  );
}
