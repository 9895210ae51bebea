// /setup#token=…: the first owner. The link is in the log of the server; the token is in the fragment, so no proxy logs it.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../../api/client.ts';
import { accountQuery } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { PasswordMeter } from '../../ui/forms/password-meter.tsx';
import { email, newPassword, required } from '../../ui/forms/schemas.ts';
import { createFirstKey } from '../onboarding/first-key.ts';
import { SignInFrame } from './frame.tsx';

const schema = z.object({
  name: required('Enter your name'),
  email,
  password: newPassword,
  project_name: required('Enter a name for the project'),
});

export function SetupPage() {
  const token = useFragmentToken();
  if (token === null) return <NoToken />;
  return (
    <SignInFrame title="Set up toolgate" description="You become the owner of this server.">
      <SetupForm token={token} />
    </SignInFrame>
  );
}

function SetupForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const form = useApiForm({
    schema,
    defaults: { name: '', email: '', password: '', project_name: 'My project' },
    submit: async (fields) => {
      const { account, project } = await toolgate.account.setup({ token, ...fields });
      queryClient.setQueryData(accountQuery.queryKey, account);
      await createFirstKey(project.id);
      await navigate({ to: '/projects/$projectId', params: { projectId: project.id }, replace: true });
    },
  });
  return (
    <Form form={form} label="Set up toolgate">
      <TextField name="name" label="Your name" autoComplete="name" autoFocus />
      <TextField name="email" label="Email" type="email" autoComplete="username" />
      <PasswordField name="password" label="Password" autoComplete="new-password">
        <PasswordMeter password={form.watch('password')} />
      </PasswordField>
      <TextField name="project_name" label="Project name" hint="A project holds your tools, keys and members." />
      <FormFailure failure={form.failure} />
      <Button type="submit" look="solid" size="lg" busy={form.formState.isSubmitting}>
        Create account
      </Button>
    </Form>
  );
}

function NoToken() {
  return (
    <SignInFrame title="Set up toolgate" description="This server has no owner yet.">
      <div className="grid gap-2 text-muted">
        <p>
          Open the link that the server printed when it started. The link ends with{' '}
          <code className="text-ink">/setup#token=…</code> and works once, for 30 minutes.
        </p>
        <p>
          For a new link, restart the server or run <code className="text-ink">npx toolgate setup-link</code>.
        </p>
      </div>
    </SignInFrame>
  );
}

/** Removed from the address bar when it is read, and so from the history. */
export function useFragmentToken(): string | null {
  const [token, setToken] = useState(readFragmentToken);
  // A link that is opened in the tab of this page changes only the fragment, and the page is not loaded again.
  useEffect(() => {
    const read = () => setToken((current) => readFragmentToken() ?? current);
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  useEffect(() => {
    if (token) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [token]);
  return token;
}

const readFragmentToken = () => new URLSearchParams(window.location.hash.slice(1)).get('token');
