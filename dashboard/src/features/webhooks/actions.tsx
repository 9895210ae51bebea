// The "Actions" of a webhook, in the list and on its page.

import type { NewWebhook, Webhook } from '@toolgate/sdk';
import { CirclePause, CirclePlay, Pencil, RefreshCw, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { useProjectChange } from '../../ui/project-change.ts';
import { showToast } from '../../ui/toasts.ts';
import { EditWebhookDialog, RotateSecretDialog } from './dialogs.tsx';

type Props = {
  webhook: Webhook;
  onSecret: (webhook: NewWebhook) => void;
  onDeleted?: () => void;
  /** On its page "Send ping" and "Rotate secret" are buttons. */
  isOnPage?: boolean;
};

export function WebhookActions({ webhook, onSecret, onDeleted, isOnPage }: Props) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const enable = useEnabling(webhook);
  const ping = usePing(webhook);
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<Pencil />} needs="webhook" onClick={() => setDialog('edit')}>
          Edit
        </MenuItem>
        {!isOnPage && (
          <>
            <MenuItem icon={<Send />} needs="webhook" onClick={ping.mutate}>
              Send ping
            </MenuItem>
            <MenuItem icon={<RefreshCw />} needs="webhook" onClick={() => setDialog('rotate')}>
              Rotate
            </MenuItem>
          </>
        )}
        {webhook.is_enabled ? (
          <MenuItem icon={<CirclePause />} needs="webhook" onClick={() => enable(false)}>
            Deactivate
          </MenuItem>
        ) : (
          <MenuItem icon={<CirclePlay />} needs="webhook" onClick={() => enable(true)}>
            Activate
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger needs="admin" onClick={() => setDialog('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      <EditWebhookDialog webhook={webhook} open={dialog === 'edit'} onOpenChange={close} />
      <RotateSecretDialog webhook={webhook} open={dialog === 'rotate'} onOpenChange={close} onSecret={onSecret} />
      <DeleteWebhookDialog webhook={webhook} open={dialog === 'delete'} onOpenChange={close} onDone={onDeleted} />
    </>
  );
}

export function usePing({ id }: Webhook) {
  return useProjectChange({
    change: (toolgate) => toolgate.webhooks.ping(id),
    invalidates: ['deliveries'],
    done: 'A ping is on its way',
  });
}

/** Deactivating can be undone from the toast. */
export function useEnabling({ id }: Webhook): (isEnabled: boolean) => void {
  const { mutate } = useProjectChange<boolean>({
    change: (toolgate, is_enabled) => toolgate.webhooks.update(id, { is_enabled }),
    invalidates: ['webhooks'],
    done: (_, isEnabled) => (isEnabled ? 'The webhook is active' : 'The webhook is inactive'),
    undo: (_, isEnabled) => mutate(!isEnabled),
  });
  return mutate;
}

type DeleteProps = { webhook: Webhook; open: boolean; onOpenChange: () => void; onDone?: (() => void) | undefined };

function DeleteWebhookDialog({ webhook: { id, url }, open, onOpenChange, onDone }: DeleteProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this webhook?"
      name={url}
      action="Delete"
      onConfirm={async () => {
        await api.webhooks.delete(id);
        showToast({ title: 'The webhook is deleted' });
        onDone?.();
        await invalidateProject(projectId, ['webhooks']);
      }}
    >
      Nothing more is sent to it, including deliveries that wait for their next attempt, and its delivery log is
      deleted. The events stay. This cannot be undone.
    </ConfirmDialog>
  );
}
