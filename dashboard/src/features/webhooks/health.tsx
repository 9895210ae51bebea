// Whether a webhook works: its status, a bar for each of its last deliveries; and the events that it gets.

import type { Delivery, Webhook } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { cn } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { count, percent } from '../../ui/words.ts';

const SHOWN = 24;

export function statusOf({ is_enabled, failing_since }: Webhook): 'enabled' | 'failing' | 'disabled' {
  if (!is_enabled) return 'disabled';
  return failing_since === null ? 'enabled' : 'failing';
}

export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  return <StatusBadge status={statusOf(webhook)} />;
}

type Look = 'delivered' | 'failed' | 'retrying' | 'waiting';

export function deliveryLook({ status, attempt_count }: Delivery): Look {
  if (status === 'pending') return attempt_count > 0 ? 'retrying' : 'waiting';
  return status === 'succeeded' ? 'delivered' : 'failed';
}

const fills: Record<Look, string> = {
  delivered: 'bg-success',
  failed: 'bg-danger',
  retrying: 'bg-warning',
  waiting: 'bg-line-strong',
};

/** The newest is on the right. */
export function DeliveryStrip({ webhookId }: { webhookId: string }) {
  const { data, error } = useProjectQuery(['deliveries', webhookId, 'last'], (toolgate) =>
    toolgate.webhooks.deliveries.list(webhookId, { limit: SHOWN }),
  );
  // The table of the deliveries says why.
  if (error && !data) return <span className="text-faint">Unknown</span>;
  if (!data) return <Skeleton className="w-40" />;
  if (data.data.length === 0) return <span className="text-faint">Nothing sent yet</span>;
  const looks = data.data.map(deliveryLook);
  const arrived = looks.filter((look) => look === 'delivered').length;
  const tried = looks.filter((look) => look !== 'waiting').length;
  const rate = tried === 0 ? '–' : percent(arrived / tried, 0);
  return (
    <span className="flex items-center gap-2">
      <span className="w-10 tabular-nums">{rate}</span>
      <span
        role="img"
        aria-label={`${arrived} of the last ${count(looks.length, 'delivery', 'deliveries')} arrived`}
        title={`${arrived} of the last ${count(looks.length, 'delivery', 'deliveries')} arrived`}
        className="flex h-5 items-end gap-0.5"
      >
        {data.data
          .map((delivery) => (
            <span key={delivery.id} className={cn('h-full w-1 rounded-full', fills[deliveryLook(delivery)])} />
          ))
          .reverse()}
      </span>
    </span>
  );
}

const EVENTS_SHOWN = 1;

export function EventBadges({ events }: { events: string[] }) {
  return (
    <span className="flex items-center gap-1" title={events.join(', ')}>
      {events.slice(0, EVENTS_SHOWN).map((event) => (
        <Badge key={event}>
          <code>{event === '*' ? 'all' : event}</code>
        </Badge>
      ))}
      {events.length > EVENTS_SHOWN && <Badge>+{events.length - EVENTS_SHOWN}</Badge>}
    </span>
  );
}
