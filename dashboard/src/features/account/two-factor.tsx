// The second factor: turn it on with an authenticator app, keep the recovery codes, turn it off.

import { useState } from 'react';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../../api/client.ts';
import { accountQuery, useAccount } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, linkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { controlClass, Field, PasswordField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { cardClass, Section } from '../../ui/section.tsx';
import { count } from '../../ui/words.ts';
import { showRefusal, withReauthentication } from './reauthentication.ts';

type Pending = Awaited<ReturnType<typeof toolgate.account.totp.create>>;

export function TwoFactorSection() {
  const account = useAccount();
  const [pending, setPending] = useState<Pending | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [asked, setAsked] = useState<'off' | 'codes' | null>(null);
  const turnOn = () => {
    withReauthentication(() => toolgate.account.totp.create()).then(setPending, showRefusal);
  };
  return (
    <Section title="Two-factor sign-in">
      <div className={cn(cardClass, 'flex flex-wrap items-center justify-between gap-4 p-4')}>
        <div className="min-w-0">
          <div className="flex items-center gap-2 font-medium">
            Authenticator app {account?.has_totp ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}
          </div>
          <p className="text-muted">
            {account?.has_totp
              ? `Signing in requires a code. ${count(account.recovery_codes_left, 'recovery code is left', 'recovery codes are left')}.`
              : "You'll need a code from an app on your phone, as well as your password, to sign in."}
          </p>
        </div>
        {account?.has_totp ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAsked('codes')}>New recovery codes</Button>
            <Button onClick={() => setAsked('off')}>Turn off</Button>
          </div>
        ) : (
          <Button onClick={turnOn}>Turn on two-factor</Button>
        )}
      </div>
      <TurnOnDialog pending={pending} onClose={() => setPending(null)} onDone={setCodes} />
      <RecoveryCodesDialog codes={codes} onSaved={() => setCodes(null)} />
      <PasswordDialog asked={asked} onClose={() => setAsked(null)} onCodes={setCodes} />
    </Section>
  );
}

type TurnOnProps = { pending: Pending | null; onClose: () => void; onDone: (codes: string[]) => void };

function TurnOnDialog(props: TurnOnProps) {
  return (
    <Dialog
      open={props.pending !== null}
      onOpenChange={props.onClose}
      title="Turn on two-factor"
      description="Scan the QR code with your authenticator app, or type in the secret. Then enter the code that the app shows."
    >
      {props.pending && <TurnOnForm {...props} pending={props.pending} />}
    </Dialog>
  );
}

function TurnOnForm({ pending, onClose, onDone }: TurnOnProps & { pending: Pending }) {
  const form = useApiForm({
    schema: z.object({
      code: z.string().check(
        z.overwrite((text) => text.replace(/\s/g, '')),
        z.minLength(6, 'Enter the six digits'),
      ),
    }),
    defaults: { code: '' },
    submit: async ({ code }) => {
      const { recovery_codes } = await withReauthentication(() => toolgate.account.totp.confirm({ code }));
      onClose();
      onDone(recovery_codes);
      await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  });
  return (
    <Form form={form} label="Turn on two-factor">
      <QrCode text={pending.otpauth_url} label="QR code for your authenticator app" />
      <Field
        label="Secret"
        hint={
          <a href={pending.otpauth_url} className={linkClass}>
            Open it in an app on this device
          </a>
        }
      >
        {(attributes) => (
          <div className="flex gap-2">
            <input
              {...attributes}
              readOnly
              value={pending.secret}
              className={cn(controlClass, 'h-8 font-mono text-xs')}
            />
            <CopyButton text={pending.secret} />
          </div>
        )}
      </Field>
      <TextField
        name="code"
        label="Authentication code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Turn on" busy={form.formState.isSubmitting} onCancel={onClose} />
    </Form>
  );
}

/** Shown once, like every secret. */
function RecoveryCodesDialog({ codes, onSaved }: { codes: string[] | null; onSaved: () => void }) {
  return (
    <Dialog
      open={codes !== null}
      onOpenChange={() => {}}
      persistent
      title="Recovery codes"
      description="Each code signs you in once, without your phone. Store them with your passwords: they aren't shown again."
    >
      <ul
        aria-label="Recovery codes"
        className="mb-5 grid grid-cols-2 gap-2 rounded-md border border-line bg-sunken p-3"
      >
        {codes?.map((code) => (
          <li key={code} className="text-center font-mono">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex justify-end gap-2">
        <CopyButton text={codes?.join('\n') ?? ''} />
        <Button look="solid" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </Dialog>
  );
}

type PasswordDialogProps = { asked: 'off' | 'codes' | null; onClose: () => void; onCodes: (codes: string[]) => void };

function PasswordDialog(props: PasswordDialogProps) {
  const title = props.asked === 'off' ? 'Turn off two-factor' : 'New recovery codes';
  const text = props.asked === 'off' ? "You'll sign in with your password only." : 'The old codes stop working.';
  return (
    <Dialog open={props.asked !== null} onOpenChange={props.onClose} title={title} description={text}>
      <PasswordConfirmation {...props} />
    </Dialog>
  );
}

function PasswordConfirmation({ asked, onClose, onCodes }: PasswordDialogProps) {
  const form = useApiForm({
    schema: z.object({ password: z.string().check(z.minLength(1, 'Enter your password')) }),
    defaults: { password: '' },
    submit: async (fields) => {
      if (asked === 'off') await toolgate.account.totp.delete(fields);
      else onCodes((await toolgate.account.totp.newRecoveryCodes(fields)).recovery_codes);
      onClose();
      await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  });
  const isOff = asked === 'off';
  return (
    <Form form={form} label="Confirm with your password">
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <FormFailure failure={form.failure} />
      <DialogActions
        submit={isOff ? 'Turn off' : 'Create'}
        danger={isOff}
        busy={form.formState.isSubmitting}
        onCancel={onClose}
      />
    </Form>
  );
}
