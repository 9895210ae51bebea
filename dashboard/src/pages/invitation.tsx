// /invitation#token=…: who was invited chooses a name and a password.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ToolgateError } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../api.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { PasswordField, TextField } from '../components/field.tsx';
import { Form, FormFailure, useApiForm } from '../components/form.tsx';
import { PasswordMeter } from '../components/password-meter.tsx';
import { SignInFrame } from '../components/sign-in-frame.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { ErrorAlert } from '../components/states.tsx';
import { accountQuery } from '../session.ts';
import { useFragmentToken } from './setup.tsx';

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter your name')),
  password: z.string().check(z.minLength(8, 'Use at least 8 characters')),
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
