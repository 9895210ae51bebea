// The "Actions" of a log stream.

import type { LogStream, NewLogStream } from '@toolgate/sdk';
import { FlaskConical, Pencil, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { DeleteDialog } from '../../ui/dialogs/delete.tsx';
import { ActionsMenu, DeleteItem, EnableItem, MenuItem } from '../../ui/menu.tsx';
import { useEnabling } from '../../ui/project-change.ts';
import { LogStreamDialog, RotateLogStreamDialog } from './form.tsx';
import { TestLogStreamDialog } from './test-dialog.tsx';

type Props = { stream: LogStream; onSecret: (stream: NewLogStream) => void };

export function LogStreamActions({ stream, onSecret }: Props) {
  const [dialog, setDialog] = useState<'test' | 'edit' | 'rotate' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const enable = useEnabling({
    change: (toolgate, is_enabled) => toolgate.logStreams.update(stream.id, { is_enabled }),
    invalidates: ['log-streams'],
    done: (isEnabled) =>
      isEnabled ? 'The log stream goes on from where it stopped' : 'The log stream is inactive: nothing is sent',
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
        <MenuItem
          icon={<RefreshCw />}
          needs="admin"
          disabledReason={stream.kind === 'https' ? undefined : 'Only batches over HTTPS are signed with a secret.'}
          onClick={() => setDialog('rotate')}
        >
          Rotate
        </MenuItem>
        <EnableItem isEnabled={stream.is_enabled} needs="admin" onChange={enable} />
        <DeleteItem onClick={() => setDialog('delete')} />
      </ActionsMenu>
      <TestLogStreamDialog stream={stream} open={dialog === 'test'} onOpenChange={close} />
      <LogStreamDialog stream={stream} open={dialog === 'edit'} onOpenChange={close} />
      <RotateLogStreamDialog stream={stream} open={dialog === 'rotate'} onOpenChange={close} onSecret={onSecret} />
      <DeleteLogStreamDialog stream={stream} open={dialog === 'delete'} onOpenChange={close} />
    </>
  );
}

type DeleteProps = { stream: LogStream; open: boolean; onOpenChange: () => void };

function DeleteLogStreamDialog({ stream: { id, name }, open, onOpenChange }: DeleteProps) {
  return (
    <DeleteDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this log stream?"
      name={name}
      remove={(toolgate) => toolgate.logStreams.delete(id)}
      done="The log stream is deleted"
      invalidates={['log-streams']}
    >
      What was not sent yet is not sent any more: a new stream begins with what happens after it is created. This cannot
      be undone.
    </DeleteDialog>
  );
}
