// /invitation#token=…: who was invited chooses a name and a password.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ToolgateError } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../../api/client.ts';
import { accountQuery } from '../../api/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { PasswordMeter } from '../../ui/forms/password-meter.tsx';
import { newPassword, required } from '../../ui/forms/schemas.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { SignInFrame } from './frame.tsx';
import { useFragmentToken } from './setup.tsx';

const schema = z.object({
  name: required('Enter your name'),
  password: newPassword,
});

export function InvitationPage() {
  const token = useFragmentToken() ?? '';
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => toolgate.account.invitations.inspect({ token }),
    retry: false,
  });
  const { data } = preview;
  const text = data && `${data.organization_name} invited ${data.email} as ${data.role}.`;
  return (
    <SignInFrame
      title="Accept the invitation"
      description={text ?? (preview.error ? 'This link does not work.' : <Skeleton className="w-64" />)}
    >
      {preview.error ? (
        <Unusable error={preview.error} retry={() => void preview.refetch()} />
      ) : (
        <AcceptForm token={token} email={data?.email ?? ''} />
      )}
    </SignInFrame>
  );
}

/** A link that has ended does not work later either; another failure may pass. */
function Unusable({ error, retry }: { error: Error; retry: () => void }) {
  const hasEnded = error instanceof ToolgateError && error.status === 410;
  return (
    <div className="grid gap-4">
      <ErrorAlert error={error}>
        {!hasEnded && (
          <Button size="sm" className="mt-2" onClick={retry}>
            Try again
          </Button>
        )}
      </ErrorAlert>
      <ButtonLink to="/sign-in">Sign in</ButtonLink>
    </div>
  );
}

function AcceptForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const form = useApiForm({
    schema,
    defaults: { name: '', password: '' },
    submit: async (fields) => {
      const account = await toolgate.account.invitations.accept({ token, ...fields });
      queryClient.setQueryData(accountQuery.queryKey, account);
      await navigate({ to: '/', replace: true });
    },
  });
  return (
    <Form form={form} label="Accept the invitation">
      {/* Password managers store it with the password. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <TextField name="name" label="Your name" autoComplete="name" autoFocus />
      <PasswordField name="password" label="Password" autoComplete="new-password">
        <PasswordMeter password={form.watch('password')} />
      </PasswordField>
      <FormFailure failure={form.failure} />
      <Button type="submit" look="solid" size="lg" busy={form.formState.isSubmitting}>
        Create account
      </Button>
    </Form>
  );
}
