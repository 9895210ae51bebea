// The dialog with which a page creates something: the button of the page, the key "c" and the URL open it.

import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Permission, useAccess } from '../api/session.ts';
import { Button } from './button.tsx';
import { useCreateShortcut } from './create-shortcut.ts';
import { useUrlDialog } from './search.ts';

type Creating = {
  dialog: { open: boolean; onOpenChange: (open: boolean) => void };
  button: (text: string) => ReactNode;
};

/** `full`: why the project can have no more of them. */
export function useCreateDialog(needs: Permission, full?: string): Creating {
  const [isOpen, setOpen] = useUrlDialog('create');
  return useCreating({ needs, full, isOpen, setOpen });
}

type Given = { needs: Permission; full?: string | undefined; isOpen: boolean; setOpen: (open: boolean) => void };

/** The same for a dialog that has more than its name in the URL. */
export function useCreating({ needs, full, isOpen, setOpen }: Given): Creating {
  const isAllowed = useAccess().can(needs);
  const button = useCreateAction({ needs, full, create: () => setOpen(true) });
  return { dialog: { open: isOpen && isAllowed, onOpenChange: setOpen }, button };
}

type Action = { needs: Permission; full?: string | undefined; create: () => void };

/** The button alone, for what is created on a page of its own. */
export function useCreateAction({ needs, full, create }: Action): Creating['button'] {
  const isAllowed = useAccess().can(needs);
  useCreateShortcut(() => isAllowed && !full && create());
  return (text) => (
    <Button look="solid" needs={needs} disabledReason={full} onClick={create}>
      <Plus /> {text}
    </Button>
  );
}

/** Undefined: there is room for one more. `rows` are all that the project has. */
export function fullReason(rows: unknown[] | undefined, most: number, what: string): string | undefined {
  return (rows?.length ?? 0) >= most ? `A project has at most ${most} ${what}.` : undefined;
}
