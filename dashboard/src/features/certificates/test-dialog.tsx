// Connects to a host with a certificate, and shows the chain that the host presented and what was wrong.

import type { Certificate, CertificateTest } from '@toolgate/sdk';
import { useState } from 'react';
import * as z from 'zod/mini';
import { slowProjectApi, useProjectId } from '../../api/client.ts';
import { cn } from '../../ui/class-names.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { required } from '../../ui/forms/schemas.ts';
import { Name } from '../../ui/name.tsx';
import { exactTime } from '../../ui/time.tsx';

type Props = { certificate: Certificate; open: boolean; onOpenChange: (open: boolean) => void };

export function TestCertificateDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title="Test certificate"
      description="Connects to a host and shows what it presents. If it is accepted, a GET request without a credential follows."
    >
      <TestForm {...props} />
    </Dialog>
  );
}

const schema = z.object({ url: required('Enter a URL').check(z.regex(/^https:\/\//i, 'It begins with https://')) });

function TestForm({ certificate, onOpenChange }: Props) {
  const projectId = useProjectId();
  const [tested, setTested] = useState<CertificateTest | null>(null);
  const form = useApiForm({
    schema,
    defaults: { url: '' },
    submit: async (values) => {
      setTested(null);
      setTested(await slowProjectApi(projectId).certificates.test(certificate.id, values));
    },
  });
  return (
    <Form form={form} label="Test certificate">
      <TextField name="url" label="URL" type="url" autoComplete="off" placeholder="https://api.example.com/health" />
      <FormFailure failure={form.failure} />
      <div aria-live="polite">{tested && <Result tested={tested} />}</div>
      <DialogActions submit="Test" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

function Result({
  tested: { is_successful, status, protocol, chain, problems, duration_ms },
}: {
  tested: CertificateTest;
}) {
  const facts = [protocol, status !== null && `status ${status}`, `${duration_ms.toLocaleString('en')} ms`];
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <div
        className={cn(
          'rounded-md px-3 py-2',
          is_successful ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger',
        )}
      >
        <p className="font-medium">{is_successful ? 'The host is verified and responds.' : 'The test failed.'}</p>
        {problems.map(({ code, message }) => (
          <p key={code} className="break-words">
            <Name text={message} />
          </p>
        ))}
        <p className="text-xs">{facts.filter(Boolean).join(', ')}</p>
      </div>
      {chain.length > 0 && <Chain chain={chain} />}
    </div>
  );
}

function Chain({ chain }: Pick<CertificateTest, 'chain'>) {
  return (
    <section aria-label="Chain of the host" className="min-w-0">
      <h3 className="mb-2 font-medium">What the host presented</h3>
      <ol className="grid min-w-0 grid-cols-1 gap-2">
        {chain.map(({ subject, issuer, names, valid_from, valid_to, fingerprint_sha256 }) => (
          <li key={fingerprint_sha256} className="min-w-0 rounded-md border border-line p-3">
            <p className="break-words font-medium">
              <Name text={subject || names[0] || 'No name'} />
            </p>
            <p className="break-words text-muted text-xs">
              Signed by <Name text={issuer} />
            </p>
            {names.length > 0 && (
              <p className="break-words text-muted text-xs">
                For <Name text={names.slice(0, 10).join(', ')} />
                {names.length > 10 && ` and ${names.length - 10} more`}
              </p>
            )}
            <p className="text-muted text-xs">
              Valid from {exactTime(valid_from).slice(0, 10)} to {exactTime(valid_to).slice(0, 10)}
            </p>
            <p className="truncate font-mono text-faint text-xs" title={fingerprint_sha256}>
              {fingerprint_sha256}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
