// A secret that is shown once. It closes by "I have saved it" only; then the secret is neither in the page nor in any storage.

import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../class-names.ts';
import { CopyButton } from '../copy.tsx';
import { controlClass, Field } from '../forms/field.tsx';
import { Dialog } from './dialog.tsx';

type SecretDialogProps = {
  /** Null: nothing is shown. */
  secret: string | null;
  title: string;
  description?: string;
  onSaved: () => void;
  /** Snippets with the secret filled in. */
  children?: ReactNode;
};

export function SecretDialog({
  secret,
  title,
  description = defaultDescription,
  onSaved,
  children,
}: SecretDialogProps) {
  return (
    <Dialog open={secret !== null} onOpenChange={() => {}} persistent size="lg" title={title} description={description}>
      <div className="grid grid-cols-1 gap-5">
        <SecretField secret={secret ?? ''} />
        {children}
        <footer className="flex justify-end">
          <Button look="solid" onClick={onSaved}>
            I have saved it
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}

export function SecretField({ secret }: { secret: string }) {
  return (
    <Field label="Secret">
      {(attributes) => (
        <div className="flex gap-2">
          <input
            {...attributes}
            readOnly
            spellCheck={false}
            autoComplete="off"
            value={secret}
            onFocus={(event) => event.target.select()}
            className={cn(controlClass, 'h-8 font-mono text-xs')}
          />
          <CopyButton text={secret} />
        </div>
      )}
    </Field>
  );
}

const defaultDescription = 'Copy it now. Only its hash is stored, so it cannot be shown again.';
