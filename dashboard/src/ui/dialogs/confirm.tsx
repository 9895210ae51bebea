// Asks before something is destroyed. The name has to be typed, so that the wrong row is noticed.

import { AlertDialog } from '@base-ui/react/alert-dialog';
import { withoutHidden } from '@toolgate/contract/hidden-characters.ts';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../class-names.ts';
import { CopyIcon } from '../copy.tsx';
import { controlClass, Field } from '../forms/field.tsx';
import { Name } from '../name.tsx';
import { ErrorAlert } from '../states.tsx';
import { backdropClass, popupClass } from './dialog.tsx';

type ConfirmProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** "Delete the API key “Backend”?" */
  title: string;
  /** What happens, and what stops working. */
  children: ReactNode;
  /** What has to be typed. Without it a click is enough: for what can be undone. */
  name?: string;
  /** What the text is, if it is not a name: "number of tools". */
  named?: string;
  /** The button: the same word as in the menu. */
  action: string;
  /** Rejects if it failed; then the dialog stays open and shows why. */
  onConfirm: () => Promise<unknown>;
};

export function ConfirmDialog(props: ConfirmProps) {
  return (
    <AlertDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClass} />
        <AlertDialog.Popup className={cn(popupClass, 'max-w-md overflow-y-auto p-5')}>
          <ConfirmForm {...props} />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function ConfirmForm({ title, children, name, named = 'name', action, onConfirm, onOpenChange }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => keepFocus, []);
  const isConfirmed = name === undefined || asSeen(typed) === asSeen(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isConfirmed) return;
    setBusy(true);
    setError(null);
    onConfirm()
      .then(() => onOpenChange(false), setError)
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div>
        <AlertDialog.Title className="break-words font-semibold text-base">
          <Name text={title} />
        </AlertDialog.Title>
        <AlertDialog.Description render={<div />} className="mt-1 text-muted">
          {children}
        </AlertDialog.Description>
      </div>
      {name !== undefined && (
        <Field label={`Type the ${named} to confirm`} hint={<NameHint name={name} named={named} />}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className={cn(controlClass, 'h-8')}
            />
          )}
        </Field>
      )}
      {error !== null && <ErrorAlert error={error} />}
      <footer className="flex justify-end gap-2">
        <AlertDialog.Close render={<Button>Cancel</Button>} />
        <Button type="submit" look="danger" disabled={!isConfirmed} busy={isBusy} className="min-w-20">
          {action}
        </Button>
      </footer>
    </form>
  );
}

/** What opened the dialog may be gone with what was destroyed. Then the next Tab goes on in the content, not at the top. */
function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
  });
}

/** As it is seen: nobody sees two spaces, a space at the end, a new line or an invisible character, nor types them. */
const asSeen = (text: string) => withoutHidden(text).replace(/\s+/g, ' ').trim();

function NameHint({ name, named }: { name: string; named: string }) {
  return (
    <>
      The {named} is <code className="break-all text-ink">{asSeen(name)}</code>{' '}
      <CopyIcon text={asSeen(name)} label={`Copy the ${named}`} className="align-middle" />
    </>
  );
}
