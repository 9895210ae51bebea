// The search of the webhooks: by what they are, and by the id of a delivery or event that was sent to them. Such an id names no
// webhook, so that each one is asked; a project has at most 50.

import { type Toolgate, ToolgateError, type Webhook } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { readWhole } from '../../ui/lists/whole-list.ts';
import { type Search, useFilters } from '../../ui/search.ts';
import { statusOf } from './health.tsx';

/** As a filter of a webhook's page, if the text is such an id. */
export function sentId(search = ''): Search | null {
  if (/^dlv_\w{22}$/.test(search)) return { delivery: search };
  return /^evt_\w{22}$/.test(search) ? { event_id: search } : null;
}

export function useWebhookSearch() {
  const { search = '', status } = useFilters().values;
  const wanted = sentId(search);
  const sent = useProjectQuery(['deliveries', 'sent', search], (toolgate) => findReceivers(toolgate, wanted ?? {}), {
    enabled: wanted !== null,
  });
  const receivers = sent.isPlaceholderData ? undefined : sent.data;
  return {
    matches: (webhook: Webhook): boolean =>
      (wanted ? receivers?.has(webhook.id) === true : textOf(webhook).includes(search.toLowerCase())) &&
      (!status || statusOf(webhook) === status),
    isPending: wanted !== null && receivers === undefined,
    error: wanted && sent.error,
    refetch: sent.refetch,
  };
}

const textOf = ({ url, description, id, events }: Webhook) =>
  `${url} ${description ?? ''} ${id} ${events.join(' ')}`.toLowerCase();

async function findReceivers(toolgate: Toolgate, wanted: Search): Promise<Set<string>> {
  const { data } = await readWhole((page) => toolgate.webhooks.list(page));
  const found = await Promise.all(data.map(async ({ id }) => ((await wasSent(toolgate, id, wanted)) ? [id] : [])));
  return new Set(found.flat());
}

async function wasSent(toolgate: Toolgate, webhookId: string, { delivery, event_id }: Search): Promise<boolean> {
  const { deliveries } = toolgate.webhooks;
  if (event_id) return (await deliveries.list(webhookId, { event_id, limit: 1 })).data.length > 0;
  try {
    await deliveries.get(webhookId, delivery ?? '');
    return true;
  } catch (error) {
    if (error instanceof ToolgateError && error.status === 404) return false;
    throw error;
  }
}
