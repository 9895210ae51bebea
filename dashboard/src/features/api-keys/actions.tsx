// The "Actions" of an API key, in the list and on its page.

import type { ApiKey, NewApiKey } from '@toolgate/sdk';
import { Ban, CirclePause, CirclePlay, Group, Pencil, Trash2 } from 'lucide-react';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { ActionsMenu, MenuItem, MenuSeparator, RotateItem } from '../../ui/menu.tsx';
import { useEnabling } from '../../ui/project-change.ts';
import { ToolsetsDialog } from '../tool-access/dialog.tsx';
import { RenameApiKeyDialog, RotateApiKeyDialog } from './dialogs.tsx';

type Props = { apiKey: ApiKey; onCreated: (key: NewApiKey) => void; onDeleted?: () => Promise<void> };

export function ApiKeyActions({ apiKey, onCreated, onDeleted }: Props) {
  const dialogs = useRowDialogs<'rename' | 'tools' | 'rotate' | 'revoke' | 'delete'>();
  const activate = useActivation(apiKey);
  const isOver = apiKey.status === 'revoked' || apiKey.status === 'expired';
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<Pencil />} needs="admin" onClick={dialogs.opens('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={<Group />} needs="admin" onClick={dialogs.opens('tools')} {...ifOver(isOver, apiKey)}>
          Choose tools
        </MenuItem>
        <RotateItem needs="manage_keys" onClick={dialogs.opens('rotate')} {...cannotRotate(apiKey)} />
        {apiKey.status === 'inactive' ? (
          <MenuItem icon={<CirclePlay />} needs="admin" onClick={() => activate(true)}>
            Activate
          </MenuItem>
        ) : (
          <MenuItem icon={<CirclePause />} needs="admin" onClick={() => activate(false)} {...ifOver(isOver, apiKey)}>
            Deactivate
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem
          icon={<Ban />}
          danger
          needs="manage_keys"
          onClick={dialogs.opens('revoke')}
          {...ifOver(isOver, apiKey)}
        >
          Revoke
        </MenuItem>
        <MenuItem icon={<Trash2 />} danger needs="admin" onClick={dialogs.opens('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      <RenameApiKeyDialog apiKey={apiKey} {...dialogs.of('rename')} />
      <ToolsetsDialog
        {...dialogs.of('tools')}
        name={apiKey.name}
        toolsetIds={apiKey.toolset_ids}
        resource="api-keys"
        save={(api, toolset_ids) => api.apiKeys.update(apiKey.id, { toolset_ids })}
      />
      <RotateApiKeyDialog apiKey={apiKey} {...dialogs.of('rotate')} onCreated={onCreated} />
      <EndKeyDialog apiKey={apiKey} operation="revoke" {...dialogs.of('revoke')} />
      <EndKeyDialog apiKey={apiKey} operation="delete" {...dialogs.of('delete')} onDone={onDeleted} />
    </>
  );
}

const ifOver = (isOver: boolean, { status }: ApiKey) => (isOver ? { disabledReason: `It is ${status}.` } : {});

function cannotRotate({ rotated_to, status }: ApiKey): { disabledReason?: string } {
  if (rotated_to !== null) return { disabledReason: 'It has already been rotated.' };
  return status === 'active' ? {} : { disabledReason: `It is ${status}.` };
}

/** Deactivating can be undone from the toast. */
function useActivation({ id, name }: ApiKey): (isActive: boolean) => void {
  return useEnabling({
    change: (toolgate, is_active) => toolgate.apiKeys.update(id, { is_active }),
    invalidates: ['api-keys'],
    done: (isActive) => `“${name}” is ${isActive ? 'active' : 'inactive'}`,
  });
}

const consequences = {
  revoke:
    'Requests with this key are refused immediately, and sessions that it created are revoked. The key stays in the list. This cannot be undone.',
  delete: 'The key stops working and is removed from the list. Its calls stay in the log. This cannot be undone.',
};

type EndKeyProps = {
  apiKey: ApiKey;
  operation: 'revoke' | 'delete';
  open: boolean;
  onOpenChange: () => void;
  onDone?: (() => Promise<void>) | undefined;
};

function EndKeyDialog({ apiKey: { id, name }, operation, open, onOpenChange, onDone }: EndKeyProps) {
  const action = operation === 'revoke' ? 'Revoke' : 'Delete';
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`${action} the API key “${name}”?`}
      name={name}
      action={action}
      change={({ apiKeys }): Promise<unknown> => apiKeys[operation](id)}
      done={`“${name}” ${operation}d`}
      onDone={onDone}
      invalidates={['api-keys']}
    >
      {consequences[operation]}
    </ChangeDialog>
  );
}
