// The secret of a tool: written, never read. A signing secret can be made here; it is shown while it is typed, and then no more.

import type { CustomTool } from '@toolgate/sdk';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { cn } from '../../ui/class-names.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { controlClass, Field, useFieldError } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { showToast } from '../../ui/toasts.ts';

const SECRET_BYTES = 32;
const NAME = 'encrypted_auth_secret';

/** `hint` says what the strategy expects. */
export function SecretField({ hint, canGenerate }: { hint: string; canGenerate: boolean }) {
  const { register, setValue, watch } = useFormContext();
  const generate = (
    <button
      type="button"
      className="text-accent text-xs hover:underline"
      onClick={() => setValue(NAME, randomSecret(), { shouldDirty: true })}
    >
      Generate
    </button>
  );
  const text: string = watch(NAME) ?? '';
  return (
    <Field label="Secret" hint={hint} error={useFieldError(NAME)} aside={canGenerate ? generate : undefined}>
      {(attributes) => (
        <div className="relative">
          {/* Not a password field: browsers would offer to save it, and it has to be copied to the API. */}
          <input
            {...attributes}
            {...register(NAME)}
            type="text"
            autoComplete="off"
            spellCheck={false}
            className={cn(controlClass, 'h-8 pr-9 font-mono text-xs')}
          />
          {text !== '' && <CopyIcon text={text} label="Copy it" className="absolute top-1 right-1" />}
        </div>
      )}
    </Field>
  );
}

function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

type RotateProps = { tool: CustomTool; open: boolean; onOpenChange: (open: boolean) => void };

export function RotateSecretDialog(props: RotateProps) {
  const isSigning = props.tool.auth_strategy === 'hmac_signature';
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={`Rotate the secret of “${props.tool.name}”`}
      description={
        isSigning
          ? 'For 24 hours, requests are signed with both secrets, so that you can replace it in your API without failed calls.'
          : 'The next call uses the new secret. It is encrypted, and never shown again.'
      }
    >
      <RotateForm {...props} />
    </Dialog>
  );
}

function RotateForm({ tool, onOpenChange }: RotateProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema: z.object({ [NAME]: z.string().check(z.minLength(1, 'Enter the new secret')) }),
    defaults: { [NAME]: '' },
    submit: async ({ encrypted_auth_secret }) => {
      await api.customTools.update(tool.id, { encrypted_auth_secret });
      onOpenChange(false);
      showToast({ title: `Secret of “${tool.name}” rotated` });
      await invalidateProject(projectId, ['custom-tools']);
    },
  });
  return (
    <Form form={form} label="Rotate the secret">
      <SecretField hint={secretHints[tool.auth_strategy] ?? ''} canGenerate={tool.auth_strategy === 'hmac_signature'} />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Rotate" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

export const secretHints: Record<string, string> = {
  bearer_token: 'Sent as Authorization: Bearer …',
  api_key_header: 'Sent in the header.',
  api_key_query: 'Sent in the query.',
  basic: 'user:password',
  hmac_signature: 'Signs every request. Your API needs the same secret.',
  oauth2_client_credentials: 'The secret of the client.',
  token_exchange: 'The secret of the client.',
};
