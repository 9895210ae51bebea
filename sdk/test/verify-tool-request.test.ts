import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { SignatureError } from '../src/signature-error.ts';
import { verifyToolRequest } from '../src/verify-tool-request.ts';
import { toolRequest, toolVectors } from './received-requests.ts';

const vector = toolVectors.accepted.find(({ name }) => name === 'a member');
assert.ok(vector);
const secret = vector.secret;
const now = () => Math.floor(Date.now() / 1000);

/** The request of the vector, signed at another time. */
function signedAt(time: number | string, changes: Record<string, string> = {}) {
  assert.ok(vector);
  const given = toolRequest(vector);
  const headers: Record<string, string> = { ...given.headers, 'x-toolgate-timestamp': String(time), ...changes };
  const lines = vector.canonical_string.split('\n');
  lines[1] = String(time);
  lines[10] = headers['x-toolgate-member-id'] ?? '';
  headers['x-toolgate-signature'] = `v1=${createHmac('sha256', secret).update(lines.join('\n')).digest('hex')}`;
  return { ...given, headers, expected: lines.join('\n') };
}

const without = (headers: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

test('url may be a path or an address, headers a Headers, a Node object or pairs in any case, body text or bytes', async () => {
  const given = signedAt(now());
  const bytes = new TextEncoder().encode(given.body as string);
  const padded = new Uint8Array([0, ...bytes, 0]);
  const address = `https://${given.headers.host}${given.url}`;
  const forms = [
    { headers: new Headers(given.headers) },
    { headers: Object.entries(given.headers) },
    {
      headers: Object.fromEntries(Object.entries(given.headers).map(([name, value]) => [name.toUpperCase(), [value]])),
    },
    { url: address },
    { url: address, headers: without(given.headers, 'host') },
    { url: `${address}#fragment` },
    { headers: { ...without(given.headers, 'host'), ':authority': given.headers.host } },
    { body: bytes },
    { body: bytes.buffer as ArrayBuffer },
    { body: padded.subarray(1, -1) },
    { method: 'post' },
  ];
  for (const form of forms)
    assert.equal((await verifyToolRequest({ ...given, ...form })).memberId, 'user-7', inspect(form));
});

test('every missing header is named', async () => {
  const given = signedAt(now());
  for (const name of ['timestamp', 'request-id', 'project-id', 'signature']
    .map((each) => `x-toolgate-${each}`)
    .concat('host'))
    await assert.rejects(verifyToolRequest({ ...given, headers: without(given.headers, name) }), (error: any) => {
      assert.equal(error.reason, 'missing_header');
      return error.message.includes(name);
    });
});

test('a Headers without Host is fine with a whole address, and missing_header with a path', async () => {
  const given = signedAt(now());
  const headers = new Headers(without(given.headers, 'host'));
  await verifyToolRequest({ ...given, headers, url: `https://${given.headers.host}${given.url}` });
  await assert.rejects(verifyToolRequest({ ...given, headers }), { reason: 'missing_header' });
});

test('a malformed timestamp, signature or member id is malformed', async () => {
  for (const time of ['soon', '-1', '1e9', '12.5'])
    await assert.rejects(verifyToolRequest(signedAt(time)), { reason: 'malformed' });
  const given = signedAt(now());
  for (const signature of ['v1=', 'v0=00', `v1=${'g'.repeat(64)}`, `${given.headers['x-toolgate-signature']}00`])
    await assert.rejects(
      verifyToolRequest({ ...given, headers: { ...given.headers, 'x-toolgate-signature': signature } }),
      { reason: 'malformed' },
    );
  await assert.rejects(verifyToolRequest(signedAt(now(), { 'x-toolgate-member-id': '%zz' })), { reason: 'malformed' });
});

test('a line break in a value cannot move the lines that are signed', async () => {
  const given = signedAt(now());
  const { host, ...headers } = given.headers;
  await assert.rejects(
    verifyToolRequest({ ...given, url: `${given.url}\nx`, headers: { host: `${host}`, ...headers } }),
    {
      reason: 'malformed',
    },
  );
});

test('toleranceSeconds decides which requests are expired, and must be a number', async () => {
  await assert.rejects(verifyToolRequest(signedAt(now() - 302)), { reason: 'expired' });
  await assert.rejects(verifyToolRequest(signedAt(now() + 320)), { reason: 'expired' });
  await assert.rejects(verifyToolRequest({ ...signedAt(now() - 30), toleranceSeconds: 10 }), { reason: 'expired' });
  await verifyToolRequest({ ...signedAt(now() - 302), toleranceSeconds: 600 });
  for (const toleranceSeconds of [Number.NaN, Infinity, -1])
    await assert.rejects(verifyToolRequest({ ...signedAt(now()), toleranceSeconds }), TypeError);
});

test('one of several secrets is enough; an empty secret is never accepted', async () => {
  const given = signedAt(now());
  await verifyToolRequest({ ...given, secret: ['another', secret] });
  await assert.rejects(verifyToolRequest({ ...given, secret: ['another', 'a third'] }), { reason: 'mismatch' });
  for (const empty of ['', [], [''], ['', secret], undefined] as any[])
    await assert.rejects(verifyToolRequest({ ...given, secret: empty }), TypeError);
});

test('a parsed body is refused with the reason in words', async () => {
  await assert.rejects(verifyToolRequest({ ...signedAt(now()), body: { q: 'paid' } as any }), /raw body/);
});

test('with the expected canonical string a mismatch names the first line that differs', async () => {
  const given = signedAt(now());
  await assert.rejects(verifyToolRequest({ ...given, url: '/v1/orders/' }), (error: any) => {
    assert.deepEqual(error.firstDifference, { line: 6, expected: '/v1/orders', actual: '/v1/orders/' });
    return /line 6 \(path\)/.test(error.message);
  });
  await assert.rejects(verifyToolRequest({ ...given, body: '{}' }), (error: any) => error.firstDifference.line === 8);
  await assert.rejects(verifyToolRequest({ ...given, secret: 'another' }), (error: any) => {
    assert.equal(error.firstDifference, null);
    return /the secret is different/.test(error.message);
  });
});

test('a refusal shows neither the secret nor the right signature', async () => {
  const given = signedAt(now());
  const right = given.headers['x-toolgate-signature']?.slice(3) ?? '';
  await assert.rejects(verifyToolRequest({ ...given, body: 'x' }), (error: any) => {
    const text = inspect(error, { showHidden: true, depth: 9 }) + JSON.stringify(error);
    assert.ok(!text.includes(secret) && !text.includes(right));
    return error instanceof SignatureError && /^SignatureError: /.test(error.stack ?? '');
  });
});
