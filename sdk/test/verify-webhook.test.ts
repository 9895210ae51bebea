import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { verifyWebhook } from '../src/verify-webhook.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const another = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const body =
  '{"id":"evt_1","type":"ping","timestamp":"2026-11-15T00:00:00.000Z","project_id":"prj_1","data":{"webhook_id":"wh_1"}}';

function delivery(age = 0, key = secret) {
  const time = Math.floor(Date.now() / 1000) - age;
  const signature = createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`evt_1.${time}.${body}`)
    .digest('base64');
  return {
    secret,
    body,
    headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': String(time), 'webhook-signature': `v1,${signature}` },
  };
}
const legacy = { 'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex') };

test('a webhook that was changed, signed by another or is older than 300 s is refused with the reason', async () => {
  const given = delivery();
  const { headers } = given;
  const cases = [
    ['mismatch', { ...given, body: `${body} ` }],
    ['mismatch', { ...given, headers: { ...headers, 'webhook-id': 'evt_2' } }],
    ['mismatch', { ...given, secret: another }],
    ['mismatch', delivery(0, another)],
    ['expired', delivery(302)],
    ['expired', delivery(-320)],
    ['expired', { ...delivery(20), toleranceSeconds: 10 }],
    ['malformed', { ...given, headers: { ...headers, 'webhook-timestamp': 'soon' } }],
    ['malformed', { ...given, headers: { ...headers, 'webhook-signature': 'v2,abc' } }],
    ['missing_header', { ...given, headers: { ...headers, 'webhook-timestamp': undefined } }],
    ['missing_header', { ...given, headers: {} }],
  ] as const;
  for (const [reason, each] of cases)
    await assert.rejects(verifyWebhook(each), (error: any) => {
      assert.equal(error.reason, reason, inspect(each));
      return !inspect(error, { showHidden: true }).includes(secret.slice(6));
    });
  assert.equal((await verifyWebhook({ ...given, secret: [another, secret] })).id, 'evt_1');
});

test('X-Webhook-Signature alone is accepted only with allowLegacy', async () => {
  await assert.rejects(verifyWebhook({ secret, body, headers: legacy }), { reason: 'missing_header' });
  assert.equal((await verifyWebhook({ secret, body, headers: legacy, allowLegacy: true })).type, 'ping');
  await assert.rejects(verifyWebhook({ secret: another, body, headers: legacy, allowLegacy: true }), {
    reason: 'mismatch',
  });
});

test('with allowLegacy an expired delivery that has both signatures is still refused', async () => {
  const given = delivery(400);
  await assert.rejects(verifyWebhook({ ...given, headers: { ...given.headers, ...legacy }, allowLegacy: true }), {
    reason: 'expired',
  });
});

test('a secret that cannot be one is refused without showing it', async () => {
  for (const wrong of ['', [], 'whsec_', 'whsec_~~~not-base64~~~'] as any[])
    await assert.rejects(verifyWebhook({ ...delivery(), secret: wrong }), (error: any) => {
      assert.ok(error instanceof TypeError);
      return !error.message.includes('not-base64');
    });
});
