// toolgate webhooks: webhooks and their deliveries. `listen` is in a file of its own.

import { command, type Group, listCommand } from '../command.ts';
import { addWebhookListenCommand } from '../webhook-listen.ts';

export const webhooks: Group = {
  name: 'webhooks',
  description: 'webhooks and their deliveries',
  commands: [
    listCommand('list', 'listWebhooks', { columns: ['id', 'url', 'events', 'is_enabled', 'disabled_reason'] }),
    command('get', 'getWebhook'),
    command('create', 'createWebhook', {
      description: 'create a webhook that sends events to this HTTPS URL, and show its secret once',
      argument: { field: 'url', name: 'receiver' },
      flags: ['events', 'headers', 'description', 'is_enabled'],
      isOpen: true,
    }),
    command('update', 'updateWebhook', {
      description: 'update a webhook; change its URL with --set url=…, remove its headers with --set headers={}',
      flags: ['events', 'headers', 'description', 'is_enabled'],
      isOpen: true,
    }),
    command('delete', 'deleteWebhook'),
    command('rotate-secret', 'rotateWebhookSecret', { flags: ['overlap_seconds'] }),
    command('ping', 'pingWebhook'),
    command('test-event', 'sendTestEvent', { flags: ['type'] }),
    command('recover', 'recoverDeliveries', { flags: ['since'] }),
    listCommand('deliveries', 'listDeliveries', {
      flags: ['status', 'event_type', 'event_id'],
      columns: ['id', 'event_type', 'is_test', 'status', 'attempt_count', 'created_at', 'next_attempt_at'],
    }),
    command('delivery', 'getDelivery'),
    command('redeliver', 'redeliver', {
      description: 'send a delivery again, with the same id and the full retry schedule',
    }),
    addWebhookListenCommand,
  ],
};
