// What a provider accepts of ID-JAGs, as fields of its form, and "Check an ID-JAG": every check of the token endpoint.

import {
  DEFAULT_ASSERTION_SECONDS,
  linkKinds,
  MAX_ASSERTION_SECONDS,
  MIN_ASSERTION_SECONDS,
} from '@toolgate/contract/oauth-providers/rules.ts';
import type { IdJagReport, OAuthProvider } from '@toolgate/sdk';
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import { useProjectApi } from '../../api/client.ts';
import { cn } from '../../ui/class-names.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { SelectField, SwitchField, TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { required } from '../../ui/forms/schemas.ts';
import { exactTime } from '../../ui/time.tsx';

const LINE = /^([^=\s][^=]*)=(.+)$/;
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const idJagFields = {
  accepts_id_jag: z.boolean(),
  /** One in each line: name=value. */
  required_claims: z
    .string()
    .check(z.refine((text) => linesOf(text).every((line) => LINE.test(line)), 'Write one claim per line: name=value')),
  link_by: z.enum(linkKinds),
  max_assertion_seconds: z.string(),
};

type Values = {
  accepts_id_jag: boolean;
  required_claims: string;
  link_by: (typeof linkKinds)[number];
  max_assertion_seconds: string;
};
type Fields = Pick<OAuthProvider, 'accepts_id_jag' | 'required_claims' | 'link_by' | 'max_assertion_seconds'>;

/** For a new provider, or for one that is edited. */
export function idJagValues(provider: OAuthProvider | null): Values {
  return {
    accepts_id_jag: provider?.accepts_id_jag ?? false,
    required_claims: Object.entries(provider?.required_claims ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
    link_by: provider?.link_by ?? 'subject',
    max_assertion_seconds: String(provider?.max_assertion_seconds ?? DEFAULT_ASSERTION_SECONDS),
  };
}

/** As the API takes them. */
export function readIdJag({ required_claims, max_assertion_seconds, ...others }: Values): Fields {
  const claims = linesOf(required_claims).map((line) => {
    const [, name = '', value = ''] = LINE.exec(line) ?? [];
    return [name.trim(), value.trim()];
  });
  return {
    ...others,
    required_claims: Object.fromEntries(claims),
    max_assertion_seconds: Number(max_assertion_seconds),
  };
}

const links = optionsOf(linkKinds, {
  subject: 'The subject, as when they sign in',
  email: 'The verified email address',
});

export function IdJagFields({ accepts }: { accepts: boolean }) {
  return (
    <>
      <SwitchField
        name="accepts_id_jag"
        label="Accept ID-JAGs"
        hint="Apps get sessions for people whom this issuer vouches for, without a sign-in here."
      />
      {accepts && (
        <>
          <TextareaField
            name="required_claims"
            label="Required claims"
            mono
            placeholder="tid=72f988bf-86f1-41af-91ab-2d7cd011db47"
            hint="One per line. If several companies share the issuer, require your tenant."
          />
          <SelectField name="link_by" label="People are identified by" options={links} />
          <TextField
            name="max_assertion_seconds"
            label="Maximum lifetime of an ID-JAG (seconds)"
            type="number"
            min={MIN_ASSERTION_SECONDS}
            max={MAX_ASSERTION_SECONDS}
          />
        </>
      )}
    </>
  );
}

type Props = { provider: OAuthProvider; open: boolean; onOpenChange: (open: boolean) => void };

export function IdJagDebugger(props: Props) {
  const { provider, ...dialog } = props;
  return (
    <Dialog
      {...dialog}
      size="lg"
      title={`Check an ID-JAG of “${provider.name}”`}
      description="Runs the same checks as the token endpoint, without creating a session or using up the jti."
    >
      <DebugForm {...props} />
    </Dialog>
  );
}

function DebugForm({ provider, onOpenChange }: Props) {
  const api = useProjectApi();
  const [report, setReport] = useState<IdJagReport | null>(null);
  const form = useApiForm({
    schema: z.object({ assertion: required('Paste an ID-JAG') }),
    defaults: { assertion: '' },
    submit: async (fields) => {
      setReport(null);
      setReport(await api.oauthProviders.debugIdJag(provider.id, fields));
    },
  });
  return (
    <Form form={form}>
      <TextareaField
        name="assertion"
        label="ID-JAG"
        mono
        rows={4}
        autoComplete="off"
        className="break-all"
        placeholder="eyJ0eXAiOiJvYXV0aC1pZC1qYWcrand0Ii…"
        hint="The JWT that the issuer gave to the app. It is sent to this server only, and not stored."
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Check" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
      <div aria-live="polite">{report && <Report report={report} />}</div>
    </Form>
  );
}

const icons = {
  pass: <CircleCheck aria-label="Passed" className="text-success" />,
  fail: <CircleX aria-label="Failed" className="text-danger" />,
  skipped: <CircleMinus aria-label="Skipped" className="text-faint" />,
};

function Report({ report: { is_valid, failed_check, checks, server_time } }: { report: IdJagReport }) {
  return (
    <div className="grid grid-cols-1 gap-3 border-line border-t pt-4">
      <p
        className={cn('rounded-md px-3 py-2', is_valid ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger')}
      >
        <span className="font-medium">
          {is_valid ? 'Valid: the token endpoint would accept it now.' : `Refused by the check ${failed_check}.`}
        </span>
      </p>
      <ul aria-label="Checks" className="divide-y divide-line rounded-md border border-line">
        {checks.map(({ check, status, requires, found }) => (
          <li key={check} className="flex gap-2.5 px-3 py-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
            {icons[status]}
            <div className="min-w-0 flex-1">
              <p className={cn('font-medium', status === 'skipped' && 'text-muted')}>{check}</p>
              <p className="break-words text-muted text-xs">{requires}</p>
              {found !== null && <p className="break-all text-xs">{found}</p>}
            </div>
          </li>
        ))}
      </ul>
      <p className="text-muted text-xs">Server clock: {exactTime(server_time)}.</p>
    </div>
  );
}
