// "Signature doctor": a request that the customer's API received, compared with what toolgate signs, line by line.

import { bodyEncodings } from '@toolgate/contract/custom-tools/rules.ts';
import { type CustomTool, type SignatureCheck, ToolgateError } from '@toolgate/sdk';
import { useState } from 'react';
import * as z from 'zod/mini';
import { useProjectApi } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialogs/dialog.tsx';
import { SelectField, TextareaField } from '../../../ui/forms/field.tsx';
import { type ApiForm, Form, FormFailure, useApiForm } from '../../../ui/forms/form.tsx';
import { showError, showToast } from '../../../ui/toasts.ts';
import { parseReceived, writeReceived } from './received.ts';
import { SignatureReport } from './signature-report.tsx';
import type { TryIt } from './state.ts';

type Props = { tool: CustomTool; tryIt: TryIt; open: boolean; onOpenChange: (open: boolean) => void };

export function SignatureDoctor(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title="Signature doctor"
      description="Paste a request that your API refused, and find the first line that differs. Nothing is stored."
    >
      <DoctorForm {...props} />
    </Dialog>
  );
}

const schema = z.object({
  headers: z.string().check(
    z.minLength(1, 'Paste the headers of the request'),
    z.refine((text) => typeof parseReceived(text) !== 'string', {
      error: ({ input }) => String(parseReceived(String(input))),
    }),
  ),
  body: z.string(),
  body_encoding: z.enum(bodyEncodings),
  canonical_string: z.string(),
});

type Values = z.infer<typeof schema>;

function DoctorForm({ tool, tryIt, onOpenChange }: Props) {
  const api = useProjectApi();
  const [report, setReport] = useState<SignatureCheck | null>(null);
  const form = useApiForm<Values>({
    schema,
    defaults: { headers: '', body: '', body_encoding: 'utf8', canonical_string: '' },
    submit: async (values) => {
      setReport(null);
      try {
        setReport(await api.customTools.verifySignature(tool.id, toBody(values)));
      } catch (error) {
        showAtRequest(form, error);
        throw error;
      }
    },
  });
  return (
    <Form form={form} label="Signature doctor">
      <RequestField tool={tool} tryIt={tryIt} form={form} />
      <TextareaField
        name="body"
        label="Body"
        mono
        rows={3}
        hint="The raw bytes, before parsing. Leave it empty if the request has no body."
      />
      <SelectField name="body_encoding" label="The body is written as" options={encodings} />
      <TextareaField
        name="canonical_string"
        label="Text that your code signed"
        mono
        rows={4}
        hint="Optional. Every line is compared with it."
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Check" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
      <div aria-live="polite">{report && <SignatureReport report={report} />}</div>
    </Form>
  );
}

const encodings = [
  { value: 'utf8', label: 'Text' },
  { value: 'base64', label: 'Base64' },
];

function toBody({ headers, body, body_encoding, canonical_string }: Values) {
  const received = parseReceived(headers);
  if (typeof received === 'string') throw new Error(received);
  return { ...received, body, body_encoding, ...(canonical_string !== '' && { canonical_string }) };
}

/** Method, path and query are lines of one field here. */
function showAtRequest(form: ApiForm<Values>, error: unknown): void {
  const field = error instanceof ToolgateError ? String(error.details.field) : '';
  if (error instanceof ToolgateError && /^(method|path|query|host)$/.test(field))
    form.setError('headers', { message: `${field}: ${error.message}` }, { shouldFocus: true });
}

/** "Fill in" takes the request of "Try it": to see what a good one looks like. */
function RequestField({ tool, tryIt, form }: Pick<Props, 'tool' | 'tryIt'> & { form: ApiForm<Values> }) {
  const api = useProjectApi();
  const [isBusy, setBusy] = useState(false);
  const fill = async () => {
    setBusy(true);
    try {
      const { args, member_external_id } = tryIt;
      const preview = await api.customTools.preview(tool.id, { arguments: args ?? {}, member_external_id });
      const [problem] = preview.problems;
      if (preview.url === null) {
        showToast({ title: 'The arguments under “Try it” are not valid', description: problem?.message });
        return;
      }
      form.setValue('headers', writeReceived(preview), { shouldDirty: true });
      form.setValue('body', preview.body ?? '');
      form.setValue('canonical_string', preview.canonical_string ?? '');
      form.clearErrors();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <TextareaField
      name="headers"
      label="Received request"
      mono
      rows={8}
      autoComplete="off"
      className="break-all"
      placeholder={'POST /v1/orders?page=1\nhost: api.example.com\nx-toolgate-timestamp: 1794809497\n…'}
      hint="The request line and the headers, one per line, or the headers as JSON."
      aside={
        <Button size="sm" look="ghost" busy={isBusy} onClick={() => void fill()}>
          Fill in the request of “Try it”
        </Button>
      }
    />
  );
}
