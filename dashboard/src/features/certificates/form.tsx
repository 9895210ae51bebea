// The dialog that creates and replaces a certificate. A stored key is never shown: its field is empty then.

import type { Certificate, Toolgate } from '@toolgate/sdk';
import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { changedFields } from '../../ui/forms/changed-fields.ts';
import { TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { resourceName } from '../../ui/forms/schemas.ts';
import { showToast } from '../../ui/toasts.ts';

const schema = z
  .object({ name: resourceName, ca: z.string(), client_certificate: z.string(), client_key: z.string() })
  .check(({ value, issues }) => {
    if (value.ca.trim() === '' && value.client_certificate.trim() === '')
      issues.push({
        code: 'custom',
        message: 'Paste certificate authorities, a client certificate, or both',
        path: ['ca'],
        input: value,
      });
  });

type Values = z.infer<typeof schema>;
type NewFields = Parameters<Toolgate['certificates']['create']>[0];

/** `certificate` null: a new one. */
type Props = { certificate: Certificate | null; open: boolean; onOpenChange: (open: boolean) => void };

export function CertificateDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title={props.certificate ? 'Replace certificate' : 'Create certificate'}
      description={
        props.certificate
          ? 'Everything that uses it connects with the new one from its next request.'
          : 'Choose it afterwards in the forms of tools, MCP servers, hooks, webhooks, log streams and OAuth providers.'
      }
    >
      <CertificateForm {...props} />
    </Dialog>
  );
}

function CertificateForm({ certificate, onOpenChange }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm<Values>({
    schema,
    defaults: {
      name: certificate?.name ?? '',
      ca: certificate?.ca ?? '',
      client_certificate: certificate?.client_certificate ?? '',
      client_key: '',
    },
    submit: async (values) => {
      if (certificate) await api.certificates.update(certificate.id, changesOf(values, certificate));
      else await api.certificates.create(fieldsOf(values));
      onOpenChange(false);
      showToast({ title: `“${values.name}” is ${certificate ? 'saved' : 'created'}` });
      await invalidateProject(projectId, ['certificates']);
    },
  });
  return (
    <Form form={form} label={certificate ? 'Replace certificate' : 'Create certificate'} className="gap-5">
      <TextField name="name" label="Name" autoComplete="off" placeholder="Partner gateway" />
      <PemField
        name="ca"
        label="Certificate authorities"
        placeholder={'-----BEGIN CERTIFICATE-----'}
        hint="Hosts are verified with these instead of the system's authorities. Leave it empty to use the system's."
      />
      <PemField
        name="client_certificate"
        label="Client certificate"
        placeholder={'-----BEGIN CERTIFICATE-----'}
        hint="For hosts that require one: the certificate, then its intermediates in order."
      />
      <PemField
        name="client_key"
        label="Private key"
        placeholder={'-----BEGIN PRIVATE KEY-----'}
        hint={
          certificate?.has_client_key
            ? 'Leave it empty to keep the stored key.'
            : "The client certificate's key, without a passphrase. Stored encrypted and never shown again."
        }
      />
      <FormFailure failure={form.failure} />
      <DialogActions
        submit={certificate ? 'Save' : 'Create'}
        busy={form.formState.isSubmitting}
        onCancel={() => onOpenChange(false)}
      />
    </Form>
  );
}

type PemProps = { name: keyof Values; label: string; hint: string; placeholder: string };

/** Takes a pasted text or a file. */
function PemField(props: PemProps) {
  const input = useRef<HTMLInputElement>(null);
  const { setValue, setError, clearErrors } = useFormContext<Values>();
  const { name, label } = props;
  const take = (text: string) => {
    setValue(name, text, { shouldDirty: true });
    clearErrors(name);
  };
  return (
    <TextareaField
      {...props}
      mono
      rows={4}
      autoComplete="off"
      aside={
        <>
          <Button
            size="sm"
            aria-label={`Choose a file for ${label.toLowerCase()}`}
            onClick={() => input.current?.click()}
          >
            <Upload /> Choose a file
          </Button>
          <input
            ref={input}
            type="file"
            accept=".pem,.crt,.cer,.key,.txt,application/x-pem-file"
            hidden
            onChange={(event) => {
              event.target.files?.[0]
                ?.text()
                .then(take, () => setError(name, { message: 'This file cannot be read.' }));
              event.target.value = '';
            }}
          />
        </>
      }
    />
  );
}

/** Empty fields are null for the API; an empty key is the stored one. */
const fieldsOf = ({ name, ca, client_certificate, client_key }: Values): NewFields => ({
  name,
  ca: ca.trim() === '' ? null : ca,
  client_certificate: client_certificate.trim() === '' ? null : client_certificate,
  ...(client_key.trim() !== '' && { client_key }),
});

const changesOf = (values: Values, certificate: Certificate): Partial<NewFields> =>
  changedFields(fieldsOf(values), certificate);
