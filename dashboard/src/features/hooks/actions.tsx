// The "Actions" of a hook.

import type { Hook, NewHook } from '@toolgate/sdk';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { SettingsRowActions } from '../../ui/lists/settings-list.tsx';
import { useEnabling } from '../../ui/project-change.ts';
import { HookDialog, RotateHookDialog } from './form.tsx';
import { TestHookDialog } from './test-dialog.tsx';

type Props = { hook: Hook; onSecret: (hook: NewHook) => void };

export function HookActions({ hook, onSecret }: Props) {
  const enable = useEnabling({
    change: (toolgate, is_enabled) => toolgate.hooks.update(hook.id, { is_enabled }),
    invalidates: ['hooks'],
    done: (isEnabled) => (isEnabled ? 'The hook is enabled' : 'The hook is disabled: it is not asked'),
  });
  return (
    <SettingsRowActions
      isEnabled={hook.is_enabled}
      onEnable={enable}
      dialogs={{
        test: (props) => <TestHookDialog hook={hook} {...props} />,
        edit: (props) => <HookDialog hook={hook} {...props} />,
        rotate: (props) => <RotateHookDialog hook={hook} onSecret={onSecret} {...props} />,
        delete: (props) => <DeleteHookDialog hook={hook} {...props} />,
      }}
    />
  );
}

type DeleteProps = { hook: Hook; open: boolean; onOpenChange: (open: boolean) => void };

function DeleteHookDialog({ hook: { id, url }, ...dialog }: DeleteProps) {
  return (
    <ChangeDialog
      {...dialog}
      title="Delete this hook?"
      name={url}
      change={(toolgate) => toolgate.hooks.delete(id)}
      done="Hook deleted"
      invalidates={['hooks']}
    >
      Calls that it would have denied are allowed from now on. Its decisions stay in the log. This cannot be undone.
    </ChangeDialog>
  );
}
