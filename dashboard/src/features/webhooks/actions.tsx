// The "Actions" of a webhook, in the list and on its page.

import type { NewWebhook, Webhook } from '@toolgate/sdk';
import { Send } from 'lucide-react';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { ActionsMenu, DeleteItem, EditItem, EnableItem, MenuItem, RotateItem } from '../../ui/menu.tsx';
import { useEnabling, useProjectChange } from '../../ui/project-change.ts';
import { EditWebhookDialog, RotateSecretDialog } from './dialogs.tsx';

type Props = {
  webhook: Webhook;
  onSecret: (webhook: NewWebhook) => void;
  onDeleted?: () => Promise<void>;
  /** On its page "Send ping" and "Rotate secret" are buttons. */
  isOnPage?: boolean;
};

export function WebhookActions({ webhook, onSecret, onDeleted, isOnPage }: Props) {
  const dialogs = useRowDialogs<'edit' | 'rotate' | 'delete'>();
  const enable = useWebhookEnabling(webhook);
  const ping = usePing(webhook);
  return (
    <>
      <ActionsMenu>
        <EditItem needs="webhook" onClick={dialogs.opens('edit')} />
        {!isOnPage && (
          <>
            <MenuItem icon={<Send />} needs="webhook" onClick={ping.mutate}>
              Send ping
            </MenuItem>
            <RotateItem needs="webhook" onClick={dialogs.opens('rotate')} />
          </>
        )}
        <EnableItem isEnabled={webhook.is_enabled} needs="webhook" onChange={enable} />
        <DeleteItem onClick={dialogs.opens('delete')} />
      </ActionsMenu>
      <EditWebhookDialog webhook={webhook} {...dialogs.of('edit')} />
      <RotateSecretDialog webhook={webhook} {...dialogs.of('rotate')} onSecret={onSecret} />
      <DeleteWebhookDialog webhook={webhook} {...dialogs.of('delete')} onDone={onDeleted} />
    </>
  );
}

export function usePing({ id }: Webhook) {
  return useProjectChange({
    change: (toolgate) => toolgate.webhooks.ping(id),
    invalidates: ['deliveries'],
    done: 'A ping is being sent',
  });
}

export function useWebhookEnabling({ id }: Webhook): (isEnabled: boolean) => void {
  return useEnabling({
    change: (toolgate, is_enabled) => toolgate.webhooks.update(id, { is_enabled }),
    invalidates: ['webhooks'],
    done: (isEnabled) => (isEnabled ? 'The webhook is enabled' : 'The webhook is disabled'),
  });
}

type DeleteProps = {
  webhook: Webhook;
  open: boolean;
  onOpenChange: () => void;
  onDone?: (() => Promise<void>) | undefined;
};

function DeleteWebhookDialog({ webhook: { id, url }, open, onOpenChange, onDone }: DeleteProps) {
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this webhook?"
      name={url}
      change={(toolgate) => toolgate.webhooks.delete(id)}
      done="Webhook deleted"
      onDone={onDone}
      invalidates={['webhooks']}
    >
      Nothing more is sent to it, including deliveries waiting for their next attempt. Its delivery log is deleted; the
      events stay. This cannot be undone.
    </ChangeDialog>
  );
}
