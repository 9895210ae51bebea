// The "Actions" of a log stream.

import type { LogStream, NewLogStream } from '@toolgate/sdk';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { SettingsRowActions } from '../../ui/lists/settings-list.tsx';
import { useEnabling } from '../../ui/project-change.ts';
import { LogStreamDialog, RotateLogStreamDialog } from './form.tsx';
import { TestLogStreamDialog } from './test-dialog.tsx';

type Props = { stream: LogStream; onSecret: (stream: NewLogStream) => void };

export function LogStreamActions({ stream, onSecret }: Props) {
  const enable = useEnabling({
    change: (toolgate, is_enabled) => toolgate.logStreams.update(stream.id, { is_enabled }),
    invalidates: ['log-streams'],
    done: (isEnabled) =>
      isEnabled
        ? 'The log stream is enabled, and continues where it stopped'
        : 'The log stream is disabled: nothing is sent',
  });
  return (
    <SettingsRowActions
      isEnabled={stream.is_enabled}
      onEnable={enable}
      cannotRotate={stream.kind === 'https' ? undefined : 'Only batches over HTTPS are signed with a secret.'}
      dialogs={{
        test: (props) => <TestLogStreamDialog stream={stream} {...props} />,
        edit: (props) => <LogStreamDialog stream={stream} {...props} />,
        rotate: (props) => <RotateLogStreamDialog stream={stream} onSecret={onSecret} {...props} />,
        delete: (props) => <DeleteLogStreamDialog stream={stream} {...props} />,
      }}
    />
  );
}

type DeleteProps = { stream: LogStream; open: boolean; onOpenChange: (open: boolean) => void };

function DeleteLogStreamDialog({ stream: { id, name }, ...dialog }: DeleteProps) {
  return (
    <ChangeDialog
      {...dialog}
      title="Delete this log stream?"
      name={name}
      change={(toolgate) => toolgate.logStreams.delete(id)}
      done="Log stream deleted"
      invalidates={['log-streams']}
    >
      Unsent entries are never sent: a new stream starts with entries made after it is created. This cannot be undone.
    </ChangeDialog>
  );
}
