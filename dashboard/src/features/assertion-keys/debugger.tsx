// "Debug an assertion": every rule of the exchange, with what the assertion has and what to change.

import type { AssertionReport } from '@toolgate/sdk';
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import { useProjectApi } from '../../api/client.ts';
import { cn } from '../../ui/class-names.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { TextareaField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { required } from '../../ui/forms/schemas.ts';
import { exactTime } from '../../ui/time.tsx';

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

export function AssertionDebugger(props: Props) {
  return (
    <Dialog
      {...props}
      size="lg"
      title="Debug an assertion"
      description="Runs the same checks as the exchange for a session token, without creating a session or using up the jti."
    >
      <DebugForm {...props} />
    </Dialog>
  );
}

function DebugForm({ onOpenChange }: Props) {
  const api = useProjectApi();
  const [report, setReport] = useState<AssertionReport | null>(null);
  const form = useApiForm({
    schema: z.object({ member_assertion: required('Paste an assertion') }),
    defaults: { member_assertion: '' },
    submit: async (fields) => {
      setReport(null);
      setReport(await api.assertionKeys.debug(fields));
    },
  });
  return (
    <Form form={form}>
      <TextareaField
        name="member_assertion"
        label="Assertion"
        mono
        rows={4}
        autoComplete="off"
        className="break-all"
        placeholder="eyJhbGciOiJFUzI1NiIsImtpZCI6…"
        hint="The JWT that your backend signed. It is sent to this server only, and not stored."
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Check" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
      <div aria-live="polite">{report && <Report report={report} />}</div>
    </Form>
  );
}

function Report({ report }: { report: AssertionReport }) {
  const { is_valid, code, message, rules, server_time, clock_difference_seconds, expires_in_seconds } = report;
  return (
    <div className="grid grid-cols-1 gap-3 border-line border-t pt-4">
      <p
        className={cn('rounded-md px-3 py-2', is_valid ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger')}
      >
        <span className="font-medium">
          {is_valid ? 'Valid: the exchange would issue a session token now.' : message}
        </span>{' '}
        {code && <code className="break-all text-xs">{code}</code>}
      </p>
      <ul aria-label="Checks" className="divide-y divide-line rounded-md border border-line">
        {rules.map((rule) => (
          <Rule key={rule.rule} rule={rule} />
        ))}
      </ul>
      <p className="text-muted text-xs">
        Server clock: {exactTime(server_time)}.
        {clock_difference_seconds !== null && ` iat is ${seconds(clock_difference_seconds)} of it.`}
        {expires_in_seconds !== null && ` ${expiry(expires_in_seconds)}`}
      </p>
    </div>
  );
}

const seconds = (difference: number) => `${Math.abs(Math.round(difference))} s ${difference > 0 ? 'ahead' : 'behind'}`;

const expiry = (left: number) =>
  left >= 0 ? `It expires in ${Math.round(left)} s.` : `It expired ${Math.round(-left)} s ago.`;

const icons = {
  pass: <CircleCheck aria-label="Passed" className="text-success" />,
  fail: <CircleX aria-label="Failed" className="text-danger" />,
  skipped: <CircleMinus aria-label="Skipped" className="text-faint" />,
};

function Rule({
  rule: { rule, status, requires, code, found, how_to_fix },
}: {
  rule: AssertionReport['rules'][number];
}) {
  return (
    <li className="flex gap-2.5 px-3 py-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
      {icons[status]}
      <div className="min-w-0 flex-1">
        <p className={cn('flex flex-wrap items-baseline gap-x-2', status === 'skipped' && 'text-muted')}>
          <span className="font-medium">{rule}</span>
          {code && <code className="break-all text-danger text-xs">{code}</code>}
        </p>
        <p className="break-words text-muted text-xs">{requires}</p>
        {found !== null && status !== 'skipped' && (
          <p className="break-all text-xs">
            <span className="text-muted">Found:</span> <code>{found}</code>
          </p>
        )}
        {how_to_fix && <p className="mt-0.5 break-words text-xs">{how_to_fix}</p>}
      </div>
    </li>
  );
}
