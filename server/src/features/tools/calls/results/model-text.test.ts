import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { appearance } from '../../../../errors/call-failure.ts';
import { refusals, refuse } from '../../../../errors/errors.ts';
import { modelText } from './model-text.ts';

const linesOf = (refusal: ReturnType<typeof refuse.internal>, call_id: string | null = null) =>
  modelText(refusal, call_id, 'req_1').split('\n');

test('a model reads the message of the spec, the facts, what it can do, and the id of the call', () => {
  const refusal = refuse.upstreamStatus({ details: { upstream_status: 404, body: 'no such order' } });
  const [message, facts = '', advice, id, ...more] = linesOf(refusal, 'call_1');
  assert.equal(message, 'Upstream tool call failed - non-2xx response');
  assert.deepEqual(JSON.parse(facts), { upstream_status: 404, body: 'no such order', reason: 'upstream_status' });
  assert.match(`${advice}`, /correct them and call the tool again; otherwise tell the user\.$/);
  assert.equal(id, 'Call id: call_1');
  assert.deepEqual(more, []);
});

test('what the model can correct has the remedy of the reason, everything else tells it to tell the user', () => {
  const advice = (refusal: ReturnType<typeof refuse.internal>) => linesOf(refusal).at(-2);
  assert.equal(advice(refuse.reservedVariable()), reasonRows.reserved_variable.remedy);
  assert.equal(
    advice(refuse.validation({ details: { reason: 'invalid_arguments' } })),
    reasonRows.invalid_arguments.remedy,
  );
  assert.equal(advice(refuse.memberSignInRequired()), reasonRows.member_sign_in_required.remedy);
  const remedy = 'Send arguments of at most 7 bytes as JSON.';
  assert.equal(advice(refuse.bodyTooLarge({ details: { reason: 'arguments_too_large', remedy } })), remedy);
  for (const refusal of [
    refuse.authSecretUnreadable(),
    refuse.toolExecutionFailed(),
    refuse.upstreamStatus({ details: { upstream_status: 302 } }),
    refuse.upstreamStatus({ details: { upstream_status: 400, reason: 'token_endpoint_refused' } }),
    refuse.memberSignInRequired({ details: { reason: 'oauth_provider_disabled' } }),
    refuse.internal(),
  ])
    assert.match(`${advice(refusal)}`, /^Other arguments do not help: tell the user/, refusal.code);
  assert.match(`${advice(refuse.toolTimedOut())}`, /may have taken effect/);
  for (const refusal of [refuse.upstreamConnection(), refuse.upstreamStatus({ details: { upstream_status: 503 } })])
    assert.match(`${advice(refusal)}`, /^This may be temporary: the same call may succeed later\./);
});

test('no advice for the people who run the tool is in the text for the model', () => {
  const forPeople = /base_url|base URL|TOOLGATE_|PATCH|POST|Settings|operator|Enable|certificate|timeout_ms|token_url/;
  for (const { name } of refusals) {
    const refusal = refuse[name]();
    if (appearance(refusal) !== 'status') assert.doesNotMatch(linesOf(refusal).at(-2) ?? '', forPeople, name);
  }
  const hidden = refuse.upstreamConnection({ hidden_reason: 'address_not_public' });
  assert.doesNotMatch(modelText(hidden, null, 'req_1'), /address_not_public|TOOLGATE_EGRESS_ALLOW/);
});
