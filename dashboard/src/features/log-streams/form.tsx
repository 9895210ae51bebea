// The dialogs that create and change a log stream and rotate its secret, and the one that shows the secret once.

import {
  DEFAULT_REGION,
  defaultFlushSeconds,
  MAX_FLUSH_SECONDS,
  MIN_FLUSH_SECONDS,
} from '@toolgate/contract/log-streams/rules.ts';
import type { LogStream, NewLogStream } from '@toolgate/sdk';
import { useController, useFormContext } from 'react-hook-form';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Snippets } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { RotateDialog } from '../../ui/dialogs/rotate.tsx';
import { SecretDialog } from '../../ui/dialogs/secret.tsx';
import { PasswordField, SwitchField, TextField, useFieldError } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { RadioCards } from '../../ui/forms/radio.tsx';
import { showToast } from '../../ui/toasts.ts';
import { CertificateField } from '../certificates/field.tsx';
import { HeadersPart } from '../webhooks/headers.tsx';
import { kindWords, sourceWords } from './log-streams.ts';
import { verifySnippets } from './snippets.ts';
import { changesOf, fieldsOf, type LogStreamValues, logStreamSchema, valuesOf } from './values.ts';

/** `stream` null: a new one. */
type Props = {
  stream: LogStream | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated?: (stream: NewLogStream) => void;
};

export function LogStreamDialog(props: Props) {
  const { stream } = props;
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title={stream ? 'Edit log stream' : 'Create log stream'}
      description={
        stream
          ? `${sourceWords[stream.source]}, ${kindWords[stream.kind]}. The next attempt starts immediately.`
          : 'It starts with entries made from now on.'
      }
    >
      <LogStreamForm {...props} />
    </Dialog>
  );
}

function LogStreamForm({ stream, onOpenChange, onCreated }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm<LogStreamValues>({
    schema: logStreamSchema(stream === null),
    defaults: valuesOf(stream),
    submit: async (values) => {
      if (stream) await api.logStreams.update(stream.id, changesOf(values, stream));
      else onCreated?.(await api.logStreams.create(fieldsOf(values)));
      onOpenChange(false);
      showToast({ title: stream ? 'Log stream saved' : 'Log stream created' });
      await invalidateProject(projectId, ['log-streams']);
    },
  });
  const kind = form.watch('kind');
  return (
    <Form form={form} label={stream ? 'Edit log stream' : 'Create log stream'} className="gap-5">
      {!stream && <KindAndSource />}
      <TextField name="name" label="Name" autoComplete="off" hint={stream ? undefined : 'Optional'} />
      {kind === 's3' ? <BucketFields stream={stream} /> : <EndpointFields stream={stream} />}
      <TextField
        name="flush_seconds"
        label="Maximum wait (seconds)"
        type="number"
        min={MIN_FLUSH_SECONDS}
        max={MAX_FLUSH_SECONDS}
        placeholder={String(defaultFlushSeconds(kind))}
        hint={`How long entries can wait to be sent together, 5 to 3,600${kind === 's3' ? '. A file is also written when 16 MB wait' : ''}.`}
      />
      <CertificateField />
      <SwitchField
        name="is_enabled"
        label="Enabled"
        hint="While the stream is disabled, nothing is sent. When you enable it again, it continues where it stopped."
      />
      <FormFailure failure={form.failure} />
      <DialogActions
        submit={stream ? 'Save' : 'Create'}
        busy={form.formState.isSubmitting}
        onCancel={() => onOpenChange(false)}
      />
    </Form>
  );
}

function KindAndSource() {
  const { field: kind } = useController<LogStreamValues, 'kind'>({ name: 'kind' });
  const { field: source } = useController<LogStreamValues, 'source'>({ name: 'source' });
  return (
    <>
      <RadioCards<LogStreamValues['source']>
        legend="Log"
        columns
        value={source.value}
        onChange={source.onChange}
        error={useFieldError('source')}
        choices={[
          {
            value: 'tool_calls',
            label: sourceWords.tool_calls,
            description: 'Every call of a tool, without arguments and results.',
          },
          {
            value: 'audit_log',
            label: sourceWords.audit_log,
            description: 'Every change to this project, and who made it.',
          },
        ]}
      />
      <RadioCards<LogStreamValues['kind']>
        legend="Sent to"
        columns
        value={kind.value}
        onChange={kind.onChange}
        error={useFieldError('kind')}
        choices={[
          { value: 'https', label: kindWords.https, description: 'Your own URL gets signed JSON.' },
          { value: 'otlp_http', label: kindWords.otlp_http, description: 'A collector gets OTLP logs.' },
          { value: 's3', label: kindWords.s3, description: 'Any S3-compatible store gets files of gzip NDJSON.' },
        ]}
      />
    </>
  );
}

function EndpointFields({ stream }: { stream: LogStream | null }) {
  const isCollector = useFormContext<LogStreamValues>().watch('kind') === 'otlp_http';
  return (
    <>
      <TextField
        name="endpoint"
        label="URL"
        type="url"
        autoComplete="off"
        placeholder={isCollector ? 'https://collector.example.com' : 'https://logs.example.com/toolgate'}
        hint={
          isCollector
            ? 'HTTPS. /v1/logs is appended unless it ends with it.'
            : 'HTTPS. It returns 2xx when it has stored a batch.'
        }
      />
      <HeadersPart
        storedNames={stream?.header_names}
        hint="Sent with every request, such as the token of a collector. Values are stored encrypted and never shown again."
      />
    </>
  );
}

function BucketFields({ stream }: { stream: LogStream | null }) {
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-5 sm:grid-cols-2">
        <TextField name="bucket" label="Bucket" autoComplete="off" placeholder="example-logs" />
        <TextField name="region" label="Region" autoComplete="off" placeholder={DEFAULT_REGION} />
        <TextField name="access_key_id" label="Access key ID" autoComplete="off" />
        <PasswordField
          name="secret_access_key"
          label="Secret access key"
          autoComplete="off"
          what="secret"
          hint={stream ? 'Leave it empty to keep the stored one.' : 'Stored encrypted and never shown again.'}
        />
      </div>
      <TextField
        name="prefix"
        label="Prefix"
        autoComplete="off"
        placeholder="toolgate/"
        hint="Optional. Object names start with it."
      />
      <TextField
        name="endpoint"
        label="URL of the store"
        type="url"
        autoComplete="off"
        placeholder="https://s3.eu-central-1.amazonaws.com"
        hint="Default: Amazon S3 in the region."
      />
    </>
  );
}

type RotateProps = {
  stream: LogStream;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSecret: (stream: NewLogStream) => void;
};

export function RotateLogStreamDialog({ stream, open, onOpenChange, onSecret }: RotateProps) {
  return (
    <RotateDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Rotate"
      description="Creates a new secret. Until the old one expires, every batch is signed with both, so that your receiver can switch at any time."
      label="The old one expires"
      resource="log-streams"
      rotate={(api, overlap) => api.logStreams.rotateSecret(stream.id, overlap)}
      onRotated={onSecret}
    />
  );
}

/** The secret is in the state of the page only, and is gone with "I have saved it". Only streams of the kind https have one. */
export function LogStreamSecretDialog({ created, onSaved }: { created: NewLogStream | null; onSaved: () => void }) {
  return (
    <SecretDialog
      secret={created?.secret ?? null}
      title="The log stream is ready"
      description="Copy it now. It is stored encrypted and cannot be shown again."
      onSaved={onSaved}
    >
      <div>
        <p className="mb-2 text-muted">Your receiver checks each batch with it:</p>
        <Snippets label="Verify a batch" snippets={verifySnippets} />
      </div>
    </SecretDialog>
  );
}
