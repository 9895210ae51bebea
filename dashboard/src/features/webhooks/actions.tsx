// The "Actions" of a webhook, in the list and on its page.

import type { NewWebhook, Webhook } from '@toolgate/sdk';
import { Pencil, RefreshCw, Send } from 'lucide-react';
import { useState } from 'react';
import { DeleteDialog } from '../../ui/dialogs/delete.tsx';
import { ActionsMenu, DeleteItem, EnableItem, MenuItem } from '../../ui/menu.tsx';
import { useEnabling, useProjectChange } from '../../ui/project-change.ts';
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
  const enable = useWebhookEnabling(webhook);
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
        <EnableItem isEnabled={webhook.is_enabled} needs="webhook" onChange={enable} />
        <DeleteItem onClick={() => setDialog('delete')} />
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

export function useWebhookEnabling({ id }: Webhook): (isEnabled: boolean) => void {
  return useEnabling({
    change: (toolgate, is_enabled) => toolgate.webhooks.update(id, { is_enabled }),
    invalidates: ['webhooks'],
    done: (isEnabled) => (isEnabled ? 'The webhook is active' : 'The webhook is inactive'),
  });
}

type DeleteProps = { webhook: Webhook; open: boolean; onOpenChange: () => void; onDone?: (() => void) | undefined };

function DeleteWebhookDialog({ webhook: { id, url }, open, onOpenChange, onDone }: DeleteProps) {
  return (
    <DeleteDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this webhook?"
      name={url}
      remove={(toolgate) => toolgate.webhooks.delete(id)}
      done="The webhook is deleted"
      onDone={onDone}
      invalidates={['webhooks']}
    >
      Nothing more is sent to it, including deliveries that wait for their next attempt, and its delivery log is
      deleted. The events stay. This cannot be undone.
    </DeleteDialog>
  );
}
