// A webhook's life: what it hears, how it is signed, what is retried, and how one finds out what went wrong.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { startCustomer } from '../fake-customer.ts';
import { expectAnswer, makeKey, makeTenant, unique } from '../make.ts';
import { startServer } from '../start-server.ts';

const receiver = await startCustomer();
after(() => receiver.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: receiver.address });
const { api } = server;

async function makeWebhook(tenant: { id: string; keys: { webhook: string } }, fields: object = {}) {
  const path = `/${unique('hook')}`;
  const body = { url: `${receiver.url}${path}`, events: ['*'], ...fields };
  const made = await api('POST', `/projects/${tenant.id}/webhooks`, { key: tenant.keys.webhook, body });
  return { ...expectAnswer(made, 201), path } as { id: string; secret: string; path: string; [field: string]: any };
}

test('a change is heard by the webhook that subscribes to it, with the id the event log shows', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(tenant, { events: ['api_key.*'] });
  const key = await makeKey(server, tenant.id);
  expectAnswer(await api('PATCH', `/projects/${tenant.id}`, { key: tenant.keys.write, body: { name: 'other' } }), 200);
  await server.runJobs();

  const [request, ...more] = receiver.at(webhook.path);
  assert.equal(more.length, 0);
  const payload = JSON.parse(String(request?.body));
  assert.equal(payload.type, 'api_key.created');
  assert.equal(payload.project_id, tenant.id);
  assert.equal(payload.data.id, key.id);
  assert.equal(payload.data.key, undefined);
  const event = expectAnswer(
    await api('GET', `/projects/${tenant.id}/events/${payload.id}`, { key: tenant.keys.read }),
    200,
  );
  assert.deepEqual(event, { object: 'event', ...payload });
});

test('both signatures are made over the very bytes that are sent', async () => {
  const tenant = await makeTenant(server);
  const webhook = await makeWebhook(tenant);
  expectAnswer(
    await api('POST', `/projects/${tenant.id}/webhooks/${webhook.id}/ping`, { key: tenant.keys.webhook }),
    201,
  );
  await server.runJobs();
  const [request] = receiver.at(webhook.path);
  const body = request?.body ?? Buffer.alloc(0);
  assert.equal(
    request?.headers['x-webhook-signature'],
    createHmac('sha256', webhook.secret).update(body).digest('hex'),
  );
});
