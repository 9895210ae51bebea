// The dialogs that create and change a hook and rotate its secret, and the one that shows the secret once.

import { MAX_HOOK_TIMEOUT_MS, MIN_HOOK_TIMEOUT_MS } from '@toolgate/contract/hooks/rules.ts';
import type { Hook, NewHook } from '@toolgate/sdk';
import { useController } from 'react-hook-form';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Snippets } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { RotateDialog } from '../../ui/dialogs/rotate.tsx';
import { SecretDialog } from '../../ui/dialogs/secret.tsx';
import { CheckboxCard, FieldError, SwitchField, TextField, useFieldError } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { RadioCards } from '../../ui/forms/radio.tsx';
import { showToast } from '../../ui/toasts.ts';
import { CertificateField } from '../certificates/field.tsx';
import { AppliesTo } from '../tool-access/match-fields.tsx';
import { verifySnippets } from './snippets.ts';
import { changesOf, fieldsOf, type HookValues, hookSchema, valuesOf } from './values.ts';

/** `hook` null: a new one. */
type Props = {
  hook: Hook | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated?: (hook: NewHook) => void;
};

export function HookDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title={props.hook ? 'Edit hook' : 'Create hook'}
      description="toolgate asks your policy about each call of these tools, with a signed request."
    >
      <HookForm {...props} />
    </Dialog>
  );
}

function HookForm({ hook, onOpenChange, onCreated }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm<HookValues>({
    schema: hookSchema,
    defaults: valuesOf(hook),
    submit: async (values) => {
      if (hook) await api.hooks.update(hook.id, changesOf(values, hook));
      else onCreated?.(await api.hooks.create(fieldsOf(values)));
      onOpenChange(false);
      if (hook) showToast({ title: 'Hook saved' });
      await invalidateProject(projectId, ['hooks']);
    },
  });
  return (
    <Form form={form} label={hook ? 'Edit hook' : 'Create hook'} className="gap-5">
      <TextField
        name="url"
        label="URL"
        type="url"
        placeholder="https://policy.example.com/toolgate"
        autoComplete="off"
        hint="HTTPS. It returns a decision; redirects are not followed."
      />
      <Points />
      <AppliesTo />
      <OnFailure />
      <TextField
        name="timeout_ms"
        label="Timeout in milliseconds"
        type="number"
        min={MIN_HOOK_TIMEOUT_MS}
        max={MAX_HOOK_TIMEOUT_MS}
        hint="100 to 3,000. Every call waits for the hook."
      />
      <SwitchField
        name="may_change"
        label="May change arguments and results"
        hint="Changed arguments and results are checked again. Otherwise, changes in its responses are ignored."
      />
      <CertificateField />
      <SwitchField name="is_enabled" label="Enabled" hint="A disabled hook is not asked." />
      <FormFailure failure={form.failure} />
      <DialogActions
        submit={hook ? 'Save' : 'Create'}
        busy={form.formState.isSubmitting}
        onCancel={() => onOpenChange(false)}
      />
    </Form>
  );
}

function Points() {
  const error = useFieldError('points');
  return (
    <fieldset aria-describedby={error && 'points-error'} className="min-w-0">
      <legend className="mb-1.5 font-medium">When to ask</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        <CheckboxCard
          name="points"
          value="before"
          label="Before a call"
          description="Gets the arguments. Denied calls are not sent to your API."
        />
        <CheckboxCard
          name="points"
          value="after"
          label="After a call"
          description="Gets the result. The call has already taken effect; a denied result is withheld."
        />
      </div>
      <FieldError id="points" error={error} className="mt-1" />
    </fieldset>
  );
}

function OnFailure() {
  const { field } = useController<HookValues, 'on_failure'>({ name: 'on_failure' });
  return (
    <RadioCards<HookValues['on_failure']>
      legend="If it fails"
      columns
      value={field.value}
      onChange={field.onChange}
      error={useFieldError('on_failure')}
      choices={[
        {
          value: 'refuse',
          label: 'Refuse the call',
          description: 'While the policy is down, these calls are refused.',
        },
        { value: 'allow', label: 'Allow the call', description: 'While the policy is down, these calls are allowed.' },
      ]}
    />
  );
}

type RotateProps = {
  hook: Hook;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSecret: (hook: NewHook) => void;
};

export function RotateHookDialog({ hook, open, onOpenChange, onSecret }: RotateProps) {
  return (
    <RotateDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Rotate"
      description="Creates a new secret. Until the old one expires, every request is signed with both, so that your policy can switch at any time."
      label="The old one expires"
      resource="hooks"
      rotate={(api, overlap) => api.hooks.rotateSecret(hook.id, overlap)}
      onRotated={onSecret}
    />
  );
}

/** The secret is in the state of the page only, and is gone with "I have saved it". */
export function HookSecretDialog({ created, onSaved }: { created: NewHook | null; onSaved: () => void }) {
  return (
    <SecretDialog
      secret={created?.secret ?? null}
      title="The hook is ready"
      description="Copy it now. It is stored encrypted and cannot be shown again."
      onSaved={onSaved}
    >
      <div>
        <p className="mb-2 text-muted">Your policy checks each request with it, and decides:</p>
        <Snippets label="Verify a hook" snippets={verifySnippets} />
      </div>
    </SecretDialog>
  );
}
