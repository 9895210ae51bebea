// What is shown of a delivery in the list and in its drawer.

import type { AttemptError } from '@toolgate/contract/webhooks/rules.ts';
import type { Delivery, Webhook } from '@toolgate/sdk';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { useProjectChange } from '../../../ui/project-change.ts';
import { CLOCK_DIFFERENCE_MS, Time, useNow } from '../../../ui/time.tsx';
import { count } from '../../../ui/words.ts';
import { deliveryLook } from '../health.tsx';

/** For one round of the retry schedule; "Redeliver" begins another. */
const ATTEMPTS = 10;
export const attempts = (count: number) => (count > ATTEMPTS ? String(count) : `${count} of ${ATTEMPTS}`);

export const onTheirWay = (number: number) =>
  count(number, 'delivery is being sent again', 'deliveries are being sent again');

export const whyNotSend = ({ is_enabled }: Webhook) => (is_enabled ? undefined : 'The webhook is disabled.');

export function NextAttempt({ delivery: { next_attempt_at } }: { delivery: Delivery }) {
  const now = useNow();
  if (next_attempt_at !== null && Date.parse(next_attempt_at) <= now + CLOCK_DIFFERENCE_MS) return <span>Due now</span>;
  return <Time value={next_attempt_at} empty="–" />;
}

export function DeliveryStatus({ delivery }: { delivery: Delivery }) {
  const look = deliveryLook(delivery);
  return <StatusBadge status={look === 'delivered' ? 'succeeded' : look === 'waiting' ? 'pending' : look} />;
}

const errors: Record<AttemptError, string> = {
  timeout: 'Timed out',
  connection: 'No connection',
  secret: 'Secret unreadable',
  internal: 'Internal error',
};

export function ResponseStatus({ attempt }: { attempt: Delivery['last_attempt'] }) {
  if (attempt === null) return <span className="text-faint">–</span>;
  const { status, error } = attempt;
  const isGood = status !== null && status >= 200 && status < 300;
  return (
    <span className={cn('tabular-nums', isGood ? 'text-success' : 'text-danger')}>
      {status ?? (error && errors[error])}
    </span>
  );
}

export function RedeliverButton({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { mutate, isPending } = useProjectChange({
    change: (toolgate) => toolgate.webhooks.deliveries.redeliver(webhook.id, delivery.id),
    invalidates: ['deliveries'],
    done: `${delivery.event_type} is being sent again`,
  });
  return (
    <Button
      size="sm"
      needs="webhook"
      busy={isPending}
      disabledReason={whyNotSend(webhook)}
      onClick={() => mutate()}
      className="relative z-10"
    >
      Redeliver
    </Button>
  );
}
