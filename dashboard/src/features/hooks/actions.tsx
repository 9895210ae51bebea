// The "Actions" of a hook.

import type { Hook, NewHook } from '@toolgate/sdk';
import { FlaskConical } from 'lucide-react';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { ActionsMenu, DeleteItem, EditItem, EnableItem, MenuItem, RotateItem } from '../../ui/menu.tsx';
import { useEnabling } from '../../ui/project-change.ts';
import { HookDialog, RotateHookDialog } from './form.tsx';
import { TestHookDialog } from './test-dialog.tsx';

type Props = { hook: Hook; onSecret: (hook: NewHook) => void };

export function HookActions({ hook, onSecret }: Props) {
  const dialogs = useRowDialogs<'test' | 'edit' | 'rotate' | 'delete'>();
  const enable = useEnabling({
    change: (toolgate, is_enabled) => toolgate.hooks.update(hook.id, { is_enabled }),
    invalidates: ['hooks'],
    done: (isEnabled) => (isEnabled ? 'The hook is active' : 'The hook is inactive: it is not asked'),
  });
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<FlaskConical />} needs="admin" onClick={dialogs.opens('test')}>
          Test
        </MenuItem>
        <EditItem needs="admin" onClick={dialogs.opens('edit')} />
        <RotateItem needs="admin" onClick={dialogs.opens('rotate')} />
        <EnableItem isEnabled={hook.is_enabled} needs="admin" onChange={enable} />
        <DeleteItem onClick={dialogs.opens('delete')} />
      </ActionsMenu>
      <TestHookDialog hook={hook} {...dialogs.of('test')} />
      <HookDialog hook={hook} {...dialogs.of('edit')} />
      <RotateHookDialog hook={hook} {...dialogs.of('rotate')} onSecret={onSecret} />
      <DeleteHookDialog hook={hook} {...dialogs.of('delete')} />
    </>
  );
}

type DeleteProps = { hook: Hook; open: boolean; onOpenChange: () => void };

function DeleteHookDialog({ hook: { id, url }, open, onOpenChange }: DeleteProps) {
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this hook?"
      name={url}
      change={(toolgate) => toolgate.hooks.delete(id)}
      done="The hook is deleted"
      invalidates={['hooks']}
    >
      Calls that it would have denied pass from now on. Its decisions stay in the log. This cannot be undone.
    </ChangeDialog>
  );
}
