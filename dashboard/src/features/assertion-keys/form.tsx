// The dialog that registers a public key. The key is read in the browser: its kind is shown, and a key id is suggested.

import { assertionAlgorithms, MAX_KID_LENGTH } from '@toolgate/contract/assertion-keys/rules.ts';
import { Upload } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Snippets } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { controlClass, Field, SelectField, TextField, useFieldError } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { atMost, required } from '../../ui/forms/schemas.ts';
import { showToast } from '../../ui/toasts.ts';
import { detectAlgorithm, isPrivateKey, keyKinds, thumbprint } from './public-key.ts';
import { opensslSnippets } from './snippets.ts';

const schema = z.object({
  kid: required('Enter a key ID').check(atMost(MAX_KID_LENGTH)),
  algorithm: z.enum(assertionAlgorithms),
  public_key: z.string().check(
    z.minLength(1, 'Paste the public key'),
    // Not sent: it would be in the memory of two more programs.
    z.refine(
      (text) => !isPrivateKey(text),
      'This is a private key, and it was not sent. Paste the public key instead.',
    ),
  ),
});

const options = assertionAlgorithms.map((value) => ({ value, label: `${value} (${keyKinds[value]})` }));

type Values = z.infer<typeof schema>;
type Props = { open: boolean; onOpenChange: (open: boolean) => void; kid: string };

/** `kid`: the key id of a deactivated key that is used again. */
export function AddAssertionKeyDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title="Add assertion key"
      description="The public half of a key pair. The private half stays in your backend."
    >
      <AddForm {...props} />
    </Dialog>
  );
}

function AddForm({ onOpenChange, kid }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema,
    defaults: { kid, algorithm: 'ES256', public_key: '' },
    submit: async (fields) => {
      await api.assertionKeys.create(fields);
      onOpenChange(false);
      showToast({ title: `“${fields.kid}” is active` });
      await invalidateProject(projectId, ['assertion-keys']);
    },
  });
  return (
    <Form form={form}>
      <PublicKeyField />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <div className="grid gap-1.5">
          <TextField
            name="kid"
            label="Key ID"
            placeholder="backend-2026"
            autoComplete="off"
            hint="The kid in the header of assertions."
          />
          <ThumbprintButton />
        </div>
        <SelectField name="algorithm" label="Algorithm" options={options} />
      </div>
      <details>
        <summary className="cursor-pointer text-accent">Make a key pair</summary>
        <div className="mt-2">
          <Snippets label="Make a key pair" snippets={opensslSnippets} />
          <p className="mt-1.5 text-muted text-xs">Then paste public.pem above. Never upload private.pem.</p>
        </div>
      </details>
      <FormFailure failure={form.failure} />
      <DialogActions submit="Add" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

/** Takes a pasted text or a dropped file. A new key sets the algorithm that fits it. */
function PublicKeyField() {
  const { setValue, clearErrors, watch } = useFormContext<Values>();
  const [isOver, setOver] = useState(false);
  const error = useFieldError('public_key');
  const text = watch('public_key');
  const take = (pem: string) => {
    setValue('public_key', pem, { shouldDirty: true });
    clearErrors('public_key');
    const algorithm = detectAlgorithm(pem);
    if (algorithm) setValue('algorithm', algorithm);
  };
  const takeFile = (file: File | undefined) => void file?.text().then(take);
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    setOver(false);
    takeFile(event.dataTransfer.files[0]);
  };
  return (
    <Field label="Public key" error={error} hint={<Detected text={text} />}>
      {(attributes) => (
        <>
          <textarea
            {...attributes}
            rows={7}
            spellCheck={false}
            autoComplete="off"
            placeholder={'-----BEGIN PUBLIC KEY-----\nPaste it, or drop the file here\n-----END PUBLIC KEY-----'}
            value={text}
            onChange={(event) => take(event.target.value)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
            className={cn(controlClass, 'py-2 font-mono text-xs leading-5', isOver && 'border-accent bg-accent-soft')}
          />
          <FileButton onFile={takeFile} />
        </>
      )}
    </Field>
  );
}

function Detected({ text }: { text: string }) {
  const algorithm = detectAlgorithm(text);
  if (algorithm) return <span className="text-success">{`Detected: ${keyKinds[algorithm]}, for ${algorithm}`}</span>;
  if (text && isPrivateKey(text)) return <span className="text-danger">This is a private key: remove it.</span>;
  if (text) return <>Not recognized yet: a PEM text with one PUBLIC KEY block is expected.</>;
  return <>A PEM text with one PUBLIC KEY block. Its kind is detected.</>;
}

function FileButton({ onFile }: { onFile: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" onClick={() => input.current?.click()} className="justify-self-start">
        <Upload /> Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".pem,.pub,.txt,application/x-pem-file"
        hidden
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </>
  );
}

function ThumbprintButton() {
  const { watch, setValue, clearErrors } = useFormContext<Values>();
  const [suggestion, setSuggestion] = useState<string | null>(null);
  const text = watch('public_key');
  useEffect(() => {
    let isCurrent = true;
    const show = (found: string | null) => {
      if (isCurrent) setSuggestion(found);
    };
    thumbprint(text).then(show, () => show(null));
    return () => {
      isCurrent = false;
    };
  }, [text]);
  if (!suggestion || suggestion === watch('kid')) return null;
  const use = () => {
    setValue('kid', suggestion, { shouldDirty: true });
    clearErrors('kid');
  };
  return (
    <button type="button" onClick={use} className="truncate text-left text-accent text-xs hover:underline">
      Use its thumbprint: <code>{suggestion}</code>
    </button>
  );
}
