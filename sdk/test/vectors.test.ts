// The vectors that also define what the server signs.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { verifyToolRequest } from '../src/verify-tool-request.ts';
import { verifyWebhook } from '../src/verify-webhook.ts';
import { toolRequest, toolVectors, webhookVectors } from './received-requests.ts';

/** Runs with a clock that shows this Unix time. */
async function at(seconds: number, work: () => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['Date'], now: seconds * 1000 });
  try {
    await work();
  } finally {
    mock.timers.reset();
  }
}

const reasons = { missing: ['missing_header', 'malformed'], window: ['expired'], different: ['mismatch'] };

for (const vector of toolVectors.accepted) {
  test(`tool request, ${vector.name}: accepted`, () =>
    at(toolVectors.now, async () => {
      const { headers } = vector.request;
      const member = headers['x-toolgate-member-id'];
      assert.deepEqual(await verifyToolRequest(toolRequest(vector)), {
        projectId: headers['x-toolgate-project-id'],
        integrationId: headers['x-toolgate-integration-id'] ?? null,
        memberId: member === undefined ? null : decodeURIComponent(member),
        requestId: headers['x-toolgate-request-id'],
      });
    }));
}

for (const vector of toolVectors.refused) {
  test(`tool request, ${vector.name}: refused`, () =>
    at(toolVectors.now, () =>
      assert.rejects(verifyToolRequest(toolRequest(vector)), (error: any) => {
        assert.ok(reasons[vector.reason].includes(error.reason), `${error}`);
        return error.name === 'SignatureError';
      }),
    ));
}

test('the canonical string of a refused request is the one that the server signs', () =>
  at(toolVectors.now, async () => {
    for (const vector of toolVectors.accepted)
      await assert.rejects(verifyToolRequest({ ...toolRequest(vector), secret: 'another' }), {
        reason: 'mismatch',
        canonicalString: vector.canonical_string,
      });
  }));

for (const { name, secret, previous_secret, headers, body, timestamp } of webhookVectors.cases) {
  test(`webhook, ${name}: accepted with each secret, by both signatures`, () =>
    at(timestamp + 5, async () => {
      const { 'x-webhook-signature': legacy, 'x-webhook-signature-previous': previous } = headers;
      for (const each of [secret, previous_secret].filter((text) => text !== null)) {
        assert.deepEqual(await verifyWebhook({ secret: each, headers, body }), JSON.parse(body));
        const old = { 'X-Webhook-Signature': legacy, 'X-Webhook-Signature-Previous': previous };
        assert.deepEqual(
          await verifyWebhook({ secret: each, headers: old, body, allowLegacy: true }),
          JSON.parse(body),
        );
      }
    }));
}
