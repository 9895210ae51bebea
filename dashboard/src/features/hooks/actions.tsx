// The "Actions" of a hook.

import type { Hook, NewHook } from '@toolgate/sdk';
import { FlaskConical, Pencil, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { DeleteDialog } from '../../ui/dialogs/delete.tsx';
import { ActionsMenu, DeleteItem, EnableItem, MenuItem } from '../../ui/menu.tsx';
import { useEnabling } from '../../ui/project-change.ts';
import { HookDialog, RotateHookDialog } from './form.tsx';
import { TestHookDialog } from './test-dialog.tsx';

type Props = { hook: Hook; onSecret: (hook: NewHook) => void };

export function HookActions({ hook, onSecret }: Props) {
  const [dialog, setDialog] = useState<'test' | 'edit' | 'rotate' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const enable = useEnabling({
    change: (toolgate, is_enabled) => toolgate.hooks.update(hook.id, { is_enabled }),
    invalidates: ['hooks'],
    done: (isEnabled) => (isEnabled ? 'The hook is active' : 'The hook is inactive: it is not asked'),
  });
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<FlaskConical />} needs="admin" onClick={() => setDialog('test')}>
          Test
        </MenuItem>
        <MenuItem icon={<Pencil />} needs="admin" onClick={() => setDialog('edit')}>
          Edit
        </MenuItem>
        <MenuItem icon={<RefreshCw />} needs="admin" onClick={() => setDialog('rotate')}>
          Rotate
        </MenuItem>
        <EnableItem isEnabled={hook.is_enabled} needs="admin" onChange={enable} />
        <DeleteItem onClick={() => setDialog('delete')} />
      </ActionsMenu>
      <TestHookDialog hook={hook} open={dialog === 'test'} onOpenChange={close} />
      <HookDialog hook={hook} open={dialog === 'edit'} onOpenChange={close} />
      <RotateHookDialog hook={hook} open={dialog === 'rotate'} onOpenChange={close} onSecret={onSecret} />
      <DeleteHookDialog hook={hook} open={dialog === 'delete'} onOpenChange={close} />
    </>
  );
}

type DeleteProps = { hook: Hook; open: boolean; onOpenChange: () => void };

function DeleteHookDialog({ hook: { id, url }, open, onOpenChange }: DeleteProps) {
  return (
    <DeleteDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this hook?"
      name={url}
      remove={(toolgate) => toolgate.hooks.delete(id)}
      done="The hook is deleted"
      invalidates={['hooks']}
    >
      Calls that it would have denied pass from now on. Its decisions stay in the log. This cannot be undone.
    </DeleteDialog>
  );
}
