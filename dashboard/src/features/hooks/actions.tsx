// The "Actions" of a hook.

import type { Hook, NewHook } from '@toolgate/sdk';
import { CirclePause, CirclePlay, FlaskConical, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { useProjectChange } from '../../ui/project-change.ts';
import { showToast } from '../../ui/toasts.ts';
import { HookDialog, RotateHookDialog } from './form.tsx';
import { TestHookDialog } from './test-dialog.tsx';

type Props = { hook: Hook; onSecret: (hook: NewHook) => void };

export function HookActions({ hook, onSecret }: Props) {
  const [dialog, setDialog] = useState<'test' | 'edit' | 'rotate' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const enable = useEnabling(hook);
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
        {hook.is_enabled ? (
          <MenuItem icon={<CirclePause />} needs="admin" onClick={() => enable(false)}>
            Deactivate
          </MenuItem>
        ) : (
          <MenuItem icon={<CirclePlay />} needs="admin" onClick={() => enable(true)}>
            Activate
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger needs="admin" onClick={() => setDialog('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      <TestHookDialog hook={hook} open={dialog === 'test'} onOpenChange={close} />
      <HookDialog hook={hook} open={dialog === 'edit'} onOpenChange={close} />
      <RotateHookDialog hook={hook} open={dialog === 'rotate'} onOpenChange={close} onSecret={onSecret} />
      <DeleteHookDialog hook={hook} open={dialog === 'delete'} onOpenChange={close} />
    </>
  );
}

/** Deactivating can be undone from the toast. */
function useEnabling({ id }: Hook): (isEnabled: boolean) => void {
  const { mutate } = useProjectChange<boolean>({
    change: (toolgate, is_enabled) => toolgate.hooks.update(id, { is_enabled }),
    invalidates: ['hooks'],
    done: (_, isEnabled) => (isEnabled ? 'The hook is active' : 'The hook is inactive: it is not asked'),
    undo: (_, isEnabled) => mutate(!isEnabled),
  });
  return mutate;
}

type DeleteProps = { hook: Hook; open: boolean; onOpenChange: () => void };

function DeleteHookDialog({ hook: { id, url }, open, onOpenChange }: DeleteProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this hook?"
      name={url}
      action="Delete"
      onConfirm={async () => {
        await api.hooks.delete(id);
        showToast({ title: 'The hook is deleted' });
        await invalidateProject(projectId, ['hooks']);
      }}
    >
      Calls that it would have denied pass from now on. Its decisions stay in the log. This cannot be undone.
    </ConfirmDialog>
  );
}
