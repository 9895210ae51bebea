// The dialogs that create and change a webhook and rotate its secret, and the one that shows the secret once.

import type { NewWebhook, Webhook } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { Snippets } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { RotateDialog } from '../../ui/dialogs/rotate.tsx';
import { SecretDialog } from '../../ui/dialogs/secret.tsx';
import { TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { required, resourceDescription } from '../../ui/forms/schemas.ts';
import { showToast } from '../../ui/toasts.ts';
import {
  CertificateField,
  certificateFields,
  certificateFieldsOf,
  certificateValuesOf,
} from '../certificates/field.tsx';
import { EventsField, readEvents } from './events.tsx';
import { HeadersPart, headerDefaults, headerFields, toHeaders } from './headers.tsx';
import { verifySnippets } from './snippets.ts';

const webhookSchema = z.object({
  url: required('Enter a URL').check(z.regex(/^https?:\/\//i, 'It begins with https://')),
  events: z.string().check(z.refine((text) => readEvents(text).length > 0, 'Choose at least one')),
  description: resourceDescription,
  ...certificateFields,
  ...headerFields,
});

type Values = z.infer<typeof webhookSchema>;

/** The API checks the names of the events itself. */
const toBody = ({ url, events, description, certificate_id, ...headers }: Values) => ({
  ...toHeaders(headers),
  ...certificateFieldsOf({ certificate_id }),
  url,
  events: readEvents(events) as never[],
  description: description || null,
});

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };
type CreateProps = DialogProps & { onCreated: (webhook: NewWebhook) => void };

export function CreateWebhookDialog(props: CreateProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Create webhook">
      <CreateForm {...props} />
    </Dialog>
  );
}

function CreateForm({ onOpenChange, onCreated }: CreateProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const isAdmin = useAccess().can('admin');
  const form = useApiForm({
    schema: webhookSchema,
    defaults: {
      url: '',
      events: isAdmin ? '*' : 'tool_call.*',
      description: '',
      ...certificateValuesOf(null),
      ...headerDefaults([]),
    },
    submit: async (values) => {
      const created = await api.webhooks.create(toBody(values));
      onOpenChange(false);
      onCreated(created);
      await invalidateProject(projectId, ['webhooks']);
    },
  });
  return (
    <Form form={form} label="Create webhook">
      <WebhookFields />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Create" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

function WebhookFields({ storedNames }: { storedNames?: string[] }) {
  return (
    <>
      <TextField
        name="url"
        label="URL"
        type="url"
        placeholder="https://example.com/hooks/toolgate"
        autoComplete="off"
        hint="HTTPS. It returns 2xx within 15 seconds."
      />
      <EventsField name="events" />
      <TextareaField name="description" label="Description" rows={2} placeholder="Tells the shop what changed" />
      <HeadersPart
        storedNames={storedNames}
        hint="Sent with every delivery, for example for a gateway in front of your receiver. Values are stored encrypted and never shown again."
      />
      <CertificateField />
    </>
  );
}

type EditProps = DialogProps & { webhook: Webhook };

export function EditWebhookDialog(props: EditProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Edit webhook">
      <EditForm {...props} />
    </Dialog>
  );
}

function EditForm({ webhook, onOpenChange }: EditProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const { url, events, description, header_names } = webhook;
  const form = useApiForm({
    schema: webhookSchema,
    defaults: {
      url,
      events: events.join(', '),
      description: description ?? '',
      ...certificateValuesOf(webhook),
      ...headerDefaults(header_names),
    },
    submit: async (values) => {
      await api.webhooks.update(webhook.id, toBody(values));
      onOpenChange(false);
      showToast({ title: 'Webhook changed' });
      await invalidateProject(projectId, ['webhooks']);
    },
  });
  return (
    <Form form={form} label="Edit webhook">
      <WebhookFields storedNames={header_names} />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Save" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

type RotateProps = EditProps & { onSecret: (webhook: NewWebhook) => void };

export function RotateSecretDialog({ webhook, open, onOpenChange, onSecret }: RotateProps) {
  return (
    <RotateDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Rotate"
      description="Creates a new secret. Until the old one expires, every request is signed with both, so that your receiver can switch at any time."
      label="The old one expires"
      resource="webhooks"
      rotate={(api, overlap) => api.webhooks.rotateSecret(webhook.id, overlap)}
      onRotated={onSecret}
    />
  );
}

/** The secret is in the state of the page only, and is gone with "I have saved it". */
export function NewWebhookDialog({ created, onSaved }: { created: NewWebhook | null; onSaved: () => void }) {
  return (
    <SecretDialog
      secret={created?.secret ?? null}
      title="The webhook is ready"
      description="Copy it now. It is stored encrypted and cannot be shown again."
      onSaved={onSaved}
    >
      <div>
        <p className="mb-2 text-muted">Your receiver checks each request with it:</p>
        <Snippets label="Verify a webhook" snippets={verifySnippets} />
      </div>
    </SecretDialog>
  );
}
