// toolgate webhooks: webhooks and their deliveries. `listen` is in a file of its own.

import type { Command } from '@commander-js/extra-typings';
import type { Field } from '../fields.ts';
import { addListVerb, addVerb } from '../verb.ts';
import { addWebhookListenCommand } from '../webhook-listen.ts';

const events: Field = {
  flag: '--events <list>',
  field: 'events',
  description: 'event types with commas between them, or *',
  kind: 'list',
};
const optional: Field[] = [
  {
    flag: '--header-env <name=variable>',
    field: 'headers',
    description: 'a header of every delivery, and the environment variable that holds its value; repeat it',
    kind: 'environments',
  },
  { flag: '--description <text>', field: 'description', description: 'what it is for' },
  { flag: '--enabled <true|false>', field: 'is_enabled', description: 'whether it receives events', kind: 'boolean' },
];

export function addWebhooksCommand(program: Command): void {
  const group = program.command('webhooks').description('webhooks and their deliveries');
  addListVerb(group, {
    usage: 'list',
    description: 'list the webhooks of the project',
    columns: ['id', 'url', 'events', 'is_enabled', 'disabled_reason'],
    run: ({ toolgate, fields }) => toolgate.webhooks.list(fields),
  });
  addVerb(group, {
    usage: 'get <id>',
    description: 'show a webhook, without its secret',
    run: ({ toolgate, args }) => toolgate.webhooks.get(String(args[0])),
  });
  addVerb(group, {
    usage: 'create <receiver>',
    description: 'create a webhook that sends events to this HTTPS address, and show its secret once',
    fields: [{ ...events, required: true }, ...optional],
    isOpen: true,
    run: ({ toolgate, args, fields }) =>
      toolgate.webhooks.create({ ...(fields as { events: never }), url: String(args[0]) }),
  });
  addVerb(group, {
    usage: 'update <id>',
    description: 'change a webhook; its address by --set url=…, no headers by --set headers={}',
    fields: [events, ...optional],
    isOpen: true,
    run: ({ toolgate, args, fields }) => toolgate.webhooks.update(String(args[0]), fields),
  });
  addSendingVerbs(group);
  addDeliveryVerbs(group);
  addWebhookListenCommand(group);
}

function addSendingVerbs(group: Command): void {
  addVerb(group, {
    usage: 'delete <id>',
    description: 'delete a webhook',
    run: ({ toolgate, args }) => toolgate.webhooks.delete(String(args[0])),
  });
  addVerb(group, {
    usage: 'rotate-secret <id>',
    description: 'create a new secret and show it once',
    fields: [
      {
        flag: '--overlap-seconds <n>',
        field: 'overlap_seconds',
        description: 'how long the old secret signs too; a day by default',
        kind: 'number',
      },
    ],
    run: ({ toolgate, args, fields }) => toolgate.webhooks.rotateSecret(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'ping <id>',
    description: 'send an event of the type ping',
    run: ({ toolgate, args }) => toolgate.webhooks.ping(String(args[0])),
  });
  addVerb(group, {
    usage: 'test-event <id>',
    description: 'send the example of an event type, marked as a test',
    fields: [{ flag: '--type <type>', field: 'type', description: 'such as custom_tool.created', required: true }],
    run: ({ toolgate, args, fields }) => toolgate.webhooks.sendTestEvent(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'recover <id>',
    description: 'send again what failed since a time',
    fields: [{ flag: '--since <time>', field: 'since', description: 'such as 2026-11-01T00:00:00Z', required: true }],
    run: ({ toolgate, args, fields }) => toolgate.webhooks.recover(String(args[0]), fields),
  });
}

function addDeliveryVerbs(group: Command): void {
  addListVerb(group, {
    usage: 'deliveries <id>',
    description: 'list the deliveries of a webhook',
    columns: ['id', 'event_type', 'is_test', 'status', 'attempt_count', 'created_at', 'next_attempt_at'],
    fields: [
      { flag: '--status <status>', field: 'status', description: 'pending, succeeded or failed' },
      { flag: '--event-type <type>', field: 'event_type', description: 'only of this type' },
      { flag: '--event-id <id>', field: 'event_id', description: 'only of this event' },
    ],
    run: ({ toolgate, args, fields }) => toolgate.webhooks.deliveries.list(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'delivery <id> <delivery-id>',
    description: 'show a delivery with its attempts',
    run: ({ toolgate, args }) => toolgate.webhooks.deliveries.get(String(args[0]), String(args[1])),
  });
  addVerb(group, {
    usage: 'redeliver <id> <delivery-id>',
    description: 'send a delivery again',
    run: ({ toolgate, args }) => toolgate.webhooks.deliveries.redeliver(String(args[0]), String(args[1])),
  });
}
