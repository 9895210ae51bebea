// Webhooks with their deliveries, events and the audit log.

import { makeKey, makeProject } from '../../support/make/make.ts';
import { makeWebhook } from '../../support/make/make-webhook.ts';
import type { Recorder } from '../recorder.ts';

export async function recordWebhooks(recorder: Recorder): Promise<void> {
  const { server, customer, record, recordError } = recorder;
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const body = {
    url: `${customer.url}/hooks/toolgate`,
    events: ['custom_tool.*', 'webhook.disabled'],
    headers: { Authorization: 'Bearer the-token-of-your-gateway' },
  };
  const { id: webhook_id } = await record('createWebhook', { ...options, body });
  const one = { key, params: { project_id, webhook_id } };
  await record('listWebhooks', options);
  await record('getWebhook', one);
  await record('updateWebhook', { ...one, body: { events: ['*'], description: 'Tells the shop what changed' } });
  const { id: delivery_id } = await record('pingWebhook', one);
  await record('sendTestEvent', { ...one, body: { type: 'custom_tool.created' } });
  const delivery = { key, params: { ...one.params, delivery_id } };
  await server.runJobs();
  await record('listDeliveries', { ...one, query: { event_type: 'ping' } });
  await record('getDelivery', delivery);
  await record('redeliver', delivery);
  await record('rotateWebhookSecret', { ...one, body: { overlap_seconds: 86_400 } });

  const since = new Date(server.app.now() - 60_000).toISOString();
  const change = (is_enabled: boolean) =>
    server.api('PATCH', `/projects/${project_id}/webhooks/${webhook_id}`, { key, body: { is_enabled } });
  await change(false);
  await recordError('recoverDeliveries', 'WEBHOOK_DISABLED', { ...one, body: { since } });
  await server.api('POST', `/projects/${project_id}/integrations`, { key, body: { name: 'Web shop' } });
  await change(true);
  await record('recoverDeliveries', { ...one, body: { since } });
  await record('deleteWebhook', one);
}

export async function recordEvents({ server, customer, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  await makeWebhook(server, customer, project_id);
  await record('listEventTypes', options);
  await server.api('POST', `/projects/${project_id}/integrations`, { key, body: { name: 'Web shop' } });
  const { data } = await record('listEvents', { ...options, query: { type: 'integration.created' } });
  await record('getEvent', { key, params: { project_id, event_id: data[0].id } });
  // An entry is bound to the chain some seconds after its change.
  server.advance(60_000);
  await server.runJobs();
  await record('listAuditLog', { ...options, query: { action: 'integration.created' } });
}
