// The "Actions" of a log stream.

import type { LogStream, NewLogStream } from '@toolgate/sdk';
import { FlaskConical } from 'lucide-react';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { ActionsMenu, DeleteItem, EditItem, EnableItem, MenuItem, RotateItem } from '../../ui/menu.tsx';
import { useEnabling } from '../../ui/project-change.ts';
import { LogStreamDialog, RotateLogStreamDialog } from './form.tsx';
import { TestLogStreamDialog } from './test-dialog.tsx';

type Props = { stream: LogStream; onSecret: (stream: NewLogStream) => void };

export function LogStreamActions({ stream, onSecret }: Props) {
  const dialogs = useRowDialogs<'test' | 'edit' | 'rotate' | 'delete'>();
  const enable = useEnabling({
    change: (toolgate, is_enabled) => toolgate.logStreams.update(stream.id, { is_enabled }),
    invalidates: ['log-streams'],
    done: (isEnabled) =>
      isEnabled ? 'The log stream goes on from where it stopped' : 'The log stream is inactive: nothing is sent',
  });
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<FlaskConical />} needs="admin" onClick={dialogs.opens('test')}>
          Test
        </MenuItem>
        <EditItem needs="admin" onClick={dialogs.opens('edit')} />
        <RotateItem
          needs="admin"
          disabledReason={stream.kind === 'https' ? undefined : 'Only batches over HTTPS are signed with a secret.'}
          onClick={dialogs.opens('rotate')}
        />
        <EnableItem isEnabled={stream.is_enabled} needs="admin" onChange={enable} />
        <DeleteItem onClick={dialogs.opens('delete')} />
      </ActionsMenu>
      <TestLogStreamDialog stream={stream} {...dialogs.of('test')} />
      <LogStreamDialog stream={stream} {...dialogs.of('edit')} />
      <RotateLogStreamDialog stream={stream} {...dialogs.of('rotate')} onSecret={onSecret} />
      <DeleteLogStreamDialog stream={stream} {...dialogs.of('delete')} />
    </>
  );
}

type DeleteProps = { stream: LogStream; open: boolean; onOpenChange: () => void };

function DeleteLogStreamDialog({ stream: { id, name }, open, onOpenChange }: DeleteProps) {
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this log stream?"
      name={name}
      change={(toolgate) => toolgate.logStreams.delete(id)}
      done="The log stream is deleted"
      invalidates={['log-streams']}
    >
      What was not sent yet is not sent any more: a new stream begins with what happens after it is created. This cannot
      be undone.
    </ChangeDialog>
  );
}
