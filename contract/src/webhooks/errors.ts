// The errors of webhooks.

import type { ErrorRow } from '../error-row.ts';

export const webhooksErrors = {
  webhookDisabled: {
    status: 409,
    code: 'WEBHOOK_DISABLED',
    message: 'Webhook is not enabled',
    cause: 'The webhook is not enabled, so nothing is sent to it.',
    remedy: 'Enable the webhook first (PATCH is_enabled).',
    step: 'answer',
  },
  deliveryUnderWay: {
    status: 409,
    code: 'DELIVERY_UNDER_WAY',
    message: 'An attempt of this delivery is under way',
    cause: 'An attempt of the delivery is in progress.',
    remedy: 'Wait until the attempt has ended, then redeliver.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;
