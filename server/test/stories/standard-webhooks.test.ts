// What we send is what a receiver with the official library accepts, and what it must refuse it refuses.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { expectResponse, makeProject } from '../support/make/make.ts';
import { type MadeWebhook, makeWebhook } from '../support/make/make-webhook.ts';
import { type ReceivedRequest, startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const receiver = await startCustomer();
after(() => receiver.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: receiver.address });

async function ping(project_id: string, webhook: MadeWebhook): Promise<ReceivedRequest> {
  const path = `/projects/${project_id}/webhooks/${webhook.id}/ping`;
  expectResponse(await server.api('POST', path, { key: ROOT_KEY }), 201);
  await server.runJobs();
  const request = receiver.at(webhook.path).at(-1);
  assert.ok(request);
  return request;
}

const verify = (secret: string, { body, headers }: ReceivedRequest) =>
  new Webhook(secret).verify(String(body), headers as Record<string, string>);

test('the standardwebhooks library verifies what arrives, and a plain HMAC of the body does too', async () => {
  const { id } = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, id);
  const request = await ping(id, webhook);
  assert.deepEqual(verify(webhook.secret, request), JSON.parse(String(request.body)));
  assert.equal(JSON.parse(String(request.body)).id, request.headers['webhook-id']);
  const hex = createHmac('sha256', webhook.secret).update(request.body).digest('hex');
  assert.equal(request.headers['x-webhook-signature'], hex);
});

test('the library refuses another secret, another body and another id', async () => {
  const { id } = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, id);
  const other = await makeWebhook(server, receiver, id);
  const request = await ping(id, webhook);
  const headers = { ...request.headers, 'webhook-id': 'evt_another' };
  assert.throws(() => verify(other.secret, request), WebhookVerificationError);
  assert.throws(() => verify(webhook.secret, { ...request, body: Buffer.from('{}') }), WebhookVerificationError);
  assert.throws(() => verify(webhook.secret, { ...request, headers }), WebhookVerificationError);
});

test('during a rotation the library accepts both the old and the new secret', async () => {
  const { id } = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, id);
  const path = `/projects/${id}/webhooks/${webhook.id}/rotate-secret`;
  const { secret } = expectResponse(await server.api('POST', path, { key: ROOT_KEY }), 201);
  const request = await ping(id, webhook);
  assert.deepEqual(verify(secret, request), verify(webhook.secret, request));
});
