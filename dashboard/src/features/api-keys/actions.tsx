// The "Actions" of an API key, in the list and on its page.

import type { ApiKey, NewApiKey } from '@toolgate/sdk';
import { Ban, CirclePause, CirclePlay, Group, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { useProjectChange } from '../../ui/project-change.ts';
import { showToast } from '../../ui/toasts.ts';
import { ToolsetsDialog } from '../tool-access/dialog.tsx';
import { RenameApiKeyDialog, RotateApiKeyDialog } from './dialogs.tsx';

type Props = { apiKey: ApiKey; onCreated: (key: NewApiKey) => void; onDeleted?: () => void };

export function ApiKeyActions({ apiKey, onCreated, onDeleted }: Props) {
  const [dialog, setDialog] = useState<'rename' | 'tools' | 'rotate' | 'revoke' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const activate = useActivation(apiKey);
  const isOver = apiKey.status === 'revoked' || apiKey.status === 'expired';
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<Pencil />} needs="admin" onClick={() => setDialog('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={<Group />} needs="admin" onClick={() => setDialog('tools')} {...ifOver(isOver, apiKey)}>
          Choose tools
        </MenuItem>
        <MenuItem
          icon={<RefreshCw />}
          needs="manage_keys"
          onClick={() => setDialog('rotate')}
          {...cannotRotate(apiKey)}
        >
          Rotate
        </MenuItem>
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
          onClick={() => setDialog('revoke')}
          {...ifOver(isOver, apiKey)}
        >
          Revoke
        </MenuItem>
        <MenuItem icon={<Trash2 />} danger needs="admin" onClick={() => setDialog('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      <RenameApiKeyDialog apiKey={apiKey} open={dialog === 'rename'} onOpenChange={close} />
      <ToolsetsDialog
        open={dialog === 'tools'}
        onOpenChange={close}
        name={apiKey.name}
        toolsetIds={apiKey.toolset_ids}
        resource="api-keys"
        save={(api, toolset_ids) => api.apiKeys.update(apiKey.id, { toolset_ids })}
      />
      <RotateApiKeyDialog apiKey={apiKey} open={dialog === 'rotate'} onOpenChange={close} onCreated={onCreated} />
      <EndKeyDialog apiKey={apiKey} verb="revoke" open={dialog === 'revoke'} onOpenChange={close} />
      <EndKeyDialog apiKey={apiKey} verb="delete" open={dialog === 'delete'} onOpenChange={close} onDone={onDeleted} />
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
  const { mutate } = useProjectChange<boolean>({
    change: (toolgate, is_active) => toolgate.apiKeys.update(id, { is_active }),
    invalidates: ['api-keys'],
    done: (_, isActive) => `“${name}” is ${isActive ? 'active' : 'inactive'}`,
    undo: (_, isActive) => mutate(!isActive),
  });
  return mutate;
}

const consequences = {
  revoke:
    'Requests with this key are refused from now on, and sessions that it created end. A revoked key stays in the list. This cannot be undone.',
  delete: 'The key stops working and disappears from the list. Its calls stay in the log. This cannot be undone.',
};

type EndKeyProps = {
  apiKey: ApiKey;
  verb: 'revoke' | 'delete';
  open: boolean;
  onOpenChange: () => void;
  onDone?: (() => void) | undefined;
};

function EndKeyDialog({ apiKey: { id, name }, verb, open, onOpenChange, onDone }: EndKeyProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const action = verb === 'revoke' ? 'Revoke' : 'Delete';
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`${action} the API key “${name}”?`}
      name={name}
      action={action}
      onConfirm={async () => {
        await (verb === 'revoke' ? api.apiKeys.revoke(id) : api.apiKeys.delete(id));
        showToast({ title: `“${name}” is ${verb}d` });
        onDone?.();
        await invalidateProject(projectId, ['api-keys']);
      }}
    >
      {consequences[verb]}
    </ConfirmDialog>
  );
}
