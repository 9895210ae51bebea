// /sign-in: email and password, then the second factor if it is on, or single sign-on. With `?sso=link` the person has signed in at
// the identity provider, and gives the password of an account that is there already.

import { useRouter } from '@tanstack/react-router';
import { ToolgateError } from '@toolgate/sdk';
import { useState } from 'react';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../../api/client.ts';
import { accountQuery } from '../../api/session.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/forms/field.tsx';
import { type ApiForm, Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { required } from '../../ui/forms/schemas.ts';
import { useFilters } from '../../ui/search.ts';
import { SignInFrame } from './frame.tsx';

const schema = z.object({
  email: required('Enter your email'),
  password: z.string().check(z.minLength(1, 'Enter your password')),
  // Apps show it as “123 456”.
  code: z.string().check(z.overwrite((text) => text.replace(/\s/g, ''))),
  recovery_code: z.string().check(z.trim()),
});
type Fields = z.infer<typeof schema>;
const linkSchema = z.extend(schema, { email: z.string() });

const LINK =
  'An account with your email address has a password. Enter its password once: from then on you sign in by single sign-on.';

const reasons: Record<string, string> = {
  expired: 'Your session has expired. Sign in to continue.',
  'signed-out': 'You are signed out.',
};

type Step = 'password' | 'code' | 'recovery_code';

const stepTexts = {
  code: 'Enter the code of your authenticator app.',
  recovery_code: 'Enter one of your saved recovery codes. Each works once.',
};

export function SignInPage() {
  const { values } = useFilters();
  const isLink = values.sso === 'link';
  const [step, setStep] = useState<Step>('password');
  const router = useRouter();
  const form = useApiForm<Fields>({
    schema: isLink ? linkSchema : schema,
    defaults: { email: '', password: '', code: '', recovery_code: '' },
    submit: async ({ email, password, code, recovery_code }) => {
      const factor = step === 'code' ? { code } : step === 'recovery_code' ? { recovery_code } : {};
      try {
        const account = await (isLink
          ? toolgate.account.sso.link({ password, ...factor })
          : toolgate.account.signIn({ email, password, ...factor }));
        queryClient.setQueryData(accountQuery.queryKey, account);
      } catch (error) {
        if (!isTotpRequired(error)) throw error;
        return setStep('code');
      }
      router.history.replace(localPath(values.next));
    },
  });
  const reason = isLink ? LINK : values.reason && reasons[values.reason];
  return (
    <SignInFrame
      title={isLink ? 'One more step' : 'Sign in'}
      description={step === 'password' ? reason : stepTexts[step]}
      below={<Forgotten step={step} />}
    >
      <Form form={form} label="Sign in">
        {step === 'password' ? (
          <PasswordStep isLink={isLink} />
        ) : (
          <SecondStep form={form} step={step} setStep={setStep} />
        )}
        <FormFailure failure={form.failure} />
        <Button type="submit" look="solid" size="lg" busy={form.formState.isSubmitting}>
          {isLink ? 'Continue' : 'Sign in'}
        </Button>
        {step === 'password' && !isLink && <SingleSignOnButton form={form} />}
      </Form>
    </SignInFrame>
  );
}

/** By the domain of the address. It leaves this page: a refusal is a page of the server. */
function SingleSignOnButton({ form }: { form: ApiForm<Fields> }) {
  const start = async () => {
    if (await form.trigger('email', { shouldFocus: true }))
      location.assign(`/api/v1/account/sso?${new URLSearchParams({ email: form.getValues('email').trim() })}`);
  };
  return (
    <Button size="lg" onClick={() => void start()}>
      Continue with single sign-on
    </Button>
  );
}

function PasswordStep({ isLink }: { isLink: boolean }) {
  return (
    <>
      {!isLink && <TextField name="email" label="Email" type="email" autoComplete="username" autoFocus />}
      <PasswordField name="password" label="Password" autoComplete="current-password" />
    </>
  );
}

/** toolgate sends no email, so a person who is inside of the organization or on the server has to help. */
function Forgotten({ step }: { step: Step }) {
  const what = step === 'password' ? 'Forgot your password?' : 'Lost your phone and the codes?';
  return (
    <details className="text-muted text-xs">
      <summary className="w-fit rounded hover:text-ink">{what}</summary>
      <p className="mt-1.5">
        Ask an owner or admin to remove you and invite you again. If you are an owner, get a new password on the server
        with <code className="text-ink">npx toolgate owner reset</code>.
      </p>
    </details>
  );
}

function SecondStep({ form, step, setStep }: { form: ApiForm<Fields>; step: Step; setStep: (step: Step) => void }) {
  const other = step === 'code' ? 'recovery_code' : 'code';
  return (
    <>
      {step === 'code' ? (
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
        <TextField
          key="recovery"
          name="recovery_code"
          label="Recovery code"
          autoComplete="off"
          spellCheck={false}
          autoFocus
        />
      )}
      <button
        type="button"
        className={`${linkClass} justify-self-start text-xs`}
        onClick={() => {
          form.clearFailure();
          form.setValue(step === 'recovery_code' ? 'recovery_code' : 'code', '');
          setStep(other);
        }}
      >
        {step === 'code' ? 'Use a recovery code' : 'Use the authenticator app'}
      </button>
    </>
  );
}

function isTotpRequired(error: unknown): boolean {
  return error instanceof ToolgateError && error.code === 'TOTP_REQUIRED';
}

/** Only a path of this origin: a link must not send people elsewhere after they signed in. */
function localPath(next: string | undefined): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/';
}
