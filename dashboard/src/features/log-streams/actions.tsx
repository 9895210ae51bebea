// The "Actions" of a log stream.

import type { LogStream, NewLogStream } from '@toolgate/sdk';
import { CirclePause, CirclePlay, FlaskConical, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { useProjectChange } from '../../ui/project-change.ts';
import { showToast } from '../../ui/toasts.ts';
import { LogStreamDialog, RotateLogStreamDialog } from './form.tsx';
import { TestLogStreamDialog } from './test-dialog.tsx';

type Props = { stream: LogStream; onSecret: (stream: NewLogStream) => void };

export function LogStreamActions({ stream, onSecret }: Props) {
  const [dialog, setDialog] = useState<'test' | 'edit' | 'rotate' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const enable = useEnabling(stream);
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<FlaskConical />} needs="admin" onClick={() => setDialog('test')}>
          Test
        </MenuItem>
        <MenuItem icon={<Pencil />} needs="admin" onClick={() => setDialog('edit')}>
          Edit
        </MenuItem>
        <MenuItem
          icon={<RefreshCw />}
          needs="admin"
          disabledReason={stream.kind === 'https' ? undefined : 'Only batches over HTTPS are signed with a secret.'}
          onClick={() => setDialog('rotate')}
        >
          Rotate
        </MenuItem>
        {stream.is_enabled ? (
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
      <TestLogStreamDialog stream={stream} open={dialog === 'test'} onOpenChange={close} />
      <LogStreamDialog stream={stream} open={dialog === 'edit'} onOpenChange={close} />
      <RotateLogStreamDialog stream={stream} open={dialog === 'rotate'} onOpenChange={close} onSecret={onSecret} />
      <DeleteLogStreamDialog stream={stream} open={dialog === 'delete'} onOpenChange={close} />
    </>
  );
}

/** Deactivating can be undone from the toast. */
function useEnabling({ id }: LogStream): (isEnabled: boolean) => void {
  const { mutate } = useProjectChange<boolean>({
    change: (toolgate, is_enabled) => toolgate.logStreams.update(id, { is_enabled }),
    invalidates: ['log-streams'],
    done: (_, isEnabled) =>
      isEnabled ? 'The log stream goes on from where it stopped' : 'The log stream is inactive: nothing is sent',
    undo: (_, isEnabled) => mutate(!isEnabled),
  });
  return mutate;
}

type DeleteProps = { stream: LogStream; open: boolean; onOpenChange: () => void };

function DeleteLogStreamDialog({ stream: { id, name }, open, onOpenChange }: DeleteProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this log stream?"
      name={name}
      action="Delete"
      onConfirm={async () => {
        await api.logStreams.delete(id);
        showToast({ title: 'The log stream is deleted' });
        await invalidateProject(projectId, ['log-streams']);
      }}
    >
      What was not sent yet is not sent any more: a new stream begins with what happens after it is created. This cannot
      be undone.
    </ConfirmDialog>
  );
}
