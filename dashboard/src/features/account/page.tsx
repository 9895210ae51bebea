// /account: my name and password, the second factor, and where I am signed in.

import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../../api/client.ts';
import { accountQuery, useAccount } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { PasswordMeter } from '../../ui/forms/password-meter.tsx';
import { email, newPassword, required } from '../../ui/forms/schemas.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { cardClass, Section } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.ts';
import { SessionsSection } from './sessions.tsx';
import { TwoFactorSection } from './two-factor.tsx';

export function AccountPage() {
  const account = useQuery(accountQuery).data;
  return (
    <>
      <PageHeader
        title="Your account"
        description={account && `${sentence(account.role)} of ${account.organization.name}`}
      />
      <div className="grid grid-cols-1 gap-8">
        <div className="grid grid-cols-1 gap-8 lg:grid-cols-2">
          <ProfileSection />
          {account?.has_sso ? <SingleSignOnSection /> : <PasswordSection />}
        </div>
        {!account?.has_sso && <TwoFactorSection />}
        <SessionsSection />
      </div>
    </>
  );
}

const sentence = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const profileSchema = z.object({
  name: required('Enter your name'),
  email,
  current_password: z.string(),
});

function ProfileSection() {
  const account = useAccount();
  const form = useApiForm({
    schema: profileSchema,
    defaults: { name: account?.name ?? '', email: account?.email ?? '', current_password: '' },
    submit: async ({ name, email, current_password }) => {
      const isNewEmail = email !== account?.email;
      const changed = await toolgate.account.update({ name, ...(isNewEmail && { email, current_password }) });
      queryClient.setQueryData(accountQuery.queryKey, changed);
      form.reset({ name: changed.name, email: changed.email, current_password: '' });
      showToast({ title: 'Profile saved' });
    },
  });
  return (
    <Section title="Profile">
      <Form form={form} label="Profile" className={`${cardClass} p-4`}>
        <TextField name="name" label="Your name" autoComplete="name" />
        <TextField name="email" label="Email" type="email" autoComplete="email" readOnly={account?.has_sso ?? false} />
        {form.watch('email') !== account?.email && (
          <PasswordField
            name="current_password"
            label="Current password"
            autoComplete="current-password"
            hint="Required to change your email address."
          />
        )}
        <FormFailure failure={form.failure} />
        <SaveButton isDirty={form.formState.isDirty} busy={form.formState.isSubmitting} />
      </Form>
    </Section>
  );
}

function SingleSignOnSection() {
  return (
    <Section title="Sign-in">
      <p className={`${cardClass} p-4 text-muted`}>
        You use single sign-on. Your identity provider manages your password, second factor and email address, and your
        groups there set your role.
      </p>
    </Section>
  );
}

const passwordSchema = z.object({
  current_password: z.string().check(z.minLength(1, 'Enter your current password')),
  password: newPassword,
});

function PasswordSection() {
  const form = useApiForm({
    schema: passwordSchema,
    defaults: { current_password: '', password: '' },
    submit: async (fields) => {
      queryClient.setQueryData(accountQuery.queryKey, await toolgate.account.update(fields));
      await queryClient.invalidateQueries({ queryKey: ['account', 'sessions'] });
      form.reset();
      showToast({ title: 'Password changed', description: 'Your other sessions are signed out.' });
    },
  });
  return (
    <Section title="Password">
      <Form form={form} label="Password" className={`${cardClass} p-4`}>
        <PasswordField name="current_password" label="Current password" autoComplete="current-password" />
        <PasswordField name="password" label="New password" autoComplete="new-password">
          <PasswordMeter password={form.watch('password')} />
        </PasswordField>
        <FormFailure failure={form.failure} />
        <SaveButton isDirty={form.formState.isDirty} busy={form.formState.isSubmitting} />
      </Form>
    </Section>
  );
}

function SaveButton({ isDirty, busy }: { isDirty: boolean; busy: boolean }) {
  return (
    <Button type="submit" className="justify-self-start" disabled={!isDirty} busy={busy}>
      Save
    </Button>
  );
}
