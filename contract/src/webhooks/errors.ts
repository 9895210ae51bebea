// The errors of webhooks.

import type { ErrorRow } from '../error-row.ts';

export const webhooksErrors = {
  webhookDisabled: {
    status: 409,
    code: 'WEBHOOK_DISABLED',
    message: 'Webhook is not enabled',
    cause: 'The webhook is disabled, so nothing is sent to it.',
    remedy: 'Enable the webhook first (PATCH is_enabled).',
    step: 'answer',
  },
  deliveryUnderWay: {
    status: 409,
    code: 'DELIVERY_UNDER_WAY',
    message: 'An attempt of this delivery is in progress',
    cause: 'An attempt of the delivery is in progress.',
    remedy: 'Wait until the attempt is finished, then redeliver.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;
