// POST /custom-tools/{id}/verify-signature: a customer posts what it received and gets the line of its string that is wrong.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { makeTool, received } from '../support/make/make-tools.ts';
import { type ReceivedRequest, startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const tenant = await makeMemberTenant(server);
const { session_token } = await makeSession(server, tenant, 'Zoë');
const secret = 'the-secret-of-the-doctor';
const properties = { user: { type: 'string' } };
const tool = await makeTool(server, tenant.keys.write, customer, {
  auth_strategy: 'hmac_signature',
  encrypted_auth_secret: secret,
  endpoint_path: '/doctor/{{user}}',
  input_schema: { type: 'object', properties },
});
const request = await received(server, customer, session_token, tool, { user: 'a/b', q: 'ü' });

const posted = ({ headers, path, query, body, method }: ReceivedRequest, more: object = {}) => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), String(value)])),
  path,
  query,
  method,
  host: headers.host,
  body: body.toString(),
  ...more,
});
const ask = async (body: object, id = tool.id) =>
  expectResponse(
    await server.api('POST', `/custom-tools/${id}/verify-signature`, { key: tenant.keys.write, body }),
    200,
  );

test('an unchanged request is valid, and every line is returned', async () => {
  const report = await ask(posted(request));
  assert.deepEqual([report.is_valid, report.signature, report.first_difference], [true, 'current', null]);
  assert.equal(report.timestamp.is_within_window, true);
  const lines = Object.fromEntries(report.lines.map(({ name, ours }: any) => [name, ours]));
  assert.deepEqual(
    [lines.version, lines.method, lines.host, lines.path, lines.project_id, lines.member_id],
    ['v1', 'POST', customer.address, '/doctor/a%2Fb', tenant.id, 'Zo%C3%AB'],
  );
  const bytes = await ask(posted(request, { body: request.body.toString('base64'), body_encoding: 'base64' }));
  assert.equal(bytes.is_valid, true);
});

test('the first line of the given string that differs is returned, with advice', async () => {
  const right: string[] = (await ask(posted(request))).lines.map(({ ours }: any) => ours);
  const wrong: [name: string, line: number, value: string][] = [
    ['version', 1, 'v2'],
    ['timestamp', 2, '1'],
    ['request_id', 3, 'req_1'],
    ['method', 4, 'post'],
    ['host', 5, 'proxy.internal'],
    ['path', 6, '/doctor/a/b'],
    ['query', 7, '?'],
    ['body_sha256', 8, 'e3b0c442'],
    ['project_id', 9, 'prj_x'],
    ['integration_id', 10, ''],
    ['member_id', 11, 'Zoë'],
  ];
  for (const [name, line, value] of wrong) {
    // All that comes after it is wrong too: the first one counts.
    const canonical_string = right
      .map((text, index) => (index + 1 === line ? value : index + 1 > line ? 'x' : text))
      .join('\n');
    const report = await ask(posted(request, { canonical_string }));
    const { name: found, line: at, yours, ours } = report.first_difference;
    assert.deepEqual([found, at, yours, ours], [name, line, value, right[line - 1]]);
    assert.ok(report.advice.length > 20);
  }
  const whole = right.join('\n');
  assert.equal((await ask(posted(request, { canonical_string: whole }))).first_difference, null);
  assert.equal((await ask(posted(request, { canonical_string: `${whole}\n` }))).first_difference.line, 12);
  assert.equal(
    (await ask(posted(request, { canonical_string: right.slice(0, 10).join('\n') }))).first_difference.line,
    11,
  );
});

test('a changed method or host is found without a given string', async () => {
  assert.equal((await ask(posted(request, { host: 'proxy.internal' }))).first_difference.name, 'host');
  assert.equal((await ask(posted(request, { method: 'GET' }))).first_difference.name, 'method');
});

test('a signed header that a proxy changed is found by the headers alone', async () => {
  const { host: _, ...told } = posted(request);
  assert.equal((await ask(told)).is_valid, true);
  for (const [name, value, line] of [
    ['HOST', 'internal.svc:8080', 'host'],
    ['X-TOOLGATE-PROJECT-ID', 'prj_another', 'project_id'],
    ['X-TOOLGATE-PROJECT-ID', undefined, 'project_id'],
  ] as const) {
    const { [name]: _gone, ...headers } = told.headers;
    const report = await ask({ ...told, headers: value === undefined ? headers : { ...headers, [name]: value } });
    assert.deepEqual([report.is_valid, report.first_difference?.name], [false, line]);
  }
});

test('other bytes, a missing signature and an old one have different results', async () => {
  const changed = await ask(posted(request, { body: request.body.toString().replace('ü', 'u') }));
  assert.deepEqual([changed.is_valid, changed.signature], [false, 'different']);
  const bare = posted(request);
  delete bare.headers['X-TOOLGATE-SIGNATURE'];
  assert.deepEqual([(await ask(bare)).signature, (await ask(bare)).is_valid], ['missing', false]);
  server.advance(301_000);
  const late = await ask(posted(request));
  server.advance(-301_000);
  assert.deepEqual([late.is_valid, late.signature, late.timestamp.is_within_window], [false, 'current', false]);
});

test('headers, signature and time are reported separately', async () => {
  const parts = ({ headers_present, signature_matches, timestamp_is_fresh }: any) => [
    headers_present,
    signature_matches,
    timestamp_is_fresh,
  ];
  assert.deepEqual(parts(await ask(posted(request))), [true, true, true]);
  server.advance(301_000);
  const late = await ask(posted(request));
  server.advance(-301_000);
  assert.deepEqual(parts(late), [true, true, false]);
  assert.deepEqual(parts(await ask(posted(request, { body: 'x' }))), [true, false, true]);
  const bare = posted(request);
  for (const name of ['X-TOOLGATE-SIGNATURE', 'X-TOOLGATE-TIMESTAMP']) delete bare.headers[name];
  const report = await ask(bare);
  assert.deepEqual(parts(report), [false, false, false]);
  assert.deepEqual(report.missing_headers, ['X-Toolgate-Timestamp', 'X-Toolgate-Signature']);
  assert.match(report.advice, /X-Toolgate-Timestamp, X-Toolgate-Signature/);
});

test('a string that was not sent is never said to be right', async () => {
  const changed = posted(request, { body: 'x' });
  const without = await ask(changed);
  assert.doesNotMatch(without.advice, /string is correct/);
  assert.match(without.advice, /Send canonical_string/);
  const canonical_string = without.lines.map(({ ours }: any) => ours).join('\n');
  assert.match((await ask({ ...changed, canonical_string })).advice, /^Your string is correct/);
  const { headers: _, ...nothing } = changed;
  assert.doesNotMatch((await ask({ ...nothing, headers: {} })).advice, /string is correct/);
});

test('a signature is accepted with and without v1=, in any case, as a header or a field of its own', async () => {
  const told = posted(request);
  const { 'X-TOOLGATE-SIGNATURE': header = '', ...headers } = told.headers;
  const hex = header.slice('v1='.length);
  assert.match(header, /^v1=[0-9a-f]{64}$/);
  for (const signature of [header, hex, `v1=${hex.toUpperCase()}`, `v1=${'0'.repeat(64)}, ${header}`]) {
    assert.equal((await ask({ ...told, headers, signature })).is_valid, true, signature);
    const inHeader = { ...headers, 'x-toolgate-signature': signature };
    assert.equal((await ask({ ...told, headers: inHeader })).is_valid, true, signature);
  }
  assert.equal((await ask({ ...told, headers, signature: 'v1=' })).signature, 'missing');
});

/** A tool, a call of it signed with its first secret, and what saves the second. */
async function makeRotating() {
  const rotating = await makeTool(server, tenant.keys.write, customer, {
    auth_strategy: 'hmac_signature',
    encrypted_auth_secret: 'old',
  });
  const before = await received(server, customer, session_token, rotating);
  const body = { encrypted_auth_secret: 'new' };
  const save = async () =>
    expectResponse(await server.api('PATCH', `/custom-tools/${rotating.id}`, { key: tenant.keys.write, body }), 200);
  return { rotating, before, save };
}

test('while a secret is rotated the signature of the previous one is recognized', async () => {
  const { rotating, before, save } = await makeRotating();
  await save();
  const { path: _, ...withoutPath } = posted(before);
  assert.equal(
    (await ask(withoutPath, rotating.id)).signature,
    'previous',
    'the path of a tool without placeholders is known',
  );
});

test('the same secret saved again is no rotation: the previous one still signs', async () => {
  const { rotating, before, save } = await makeRotating();
  const first = await save();
  server.advance(60_000);
  const again = await save();
  server.advance(-60_000);
  assert.equal(again.previous_secret_ends_at, first.previous_secret_ends_at);
  assert.equal((await ask(posted(before), rotating.id)).signature, 'previous');
});

test('the result never contains a signature or the secret', async () => {
  const forged = posted(request, { body: '{"amount":1000000}' });
  const response = await server.api('POST', `/custom-tools/${tool.id}/verify-signature`, {
    key: tenant.keys.write,
    body: forged,
  });
  expectResponse(response, 200);
  const hex = response.text.match(/[0-9a-f]{64}/g) ?? [];
  assert.equal(hex.length, 1, 'only the digest of the body');
  assert.ok(!response.text.includes(secret));
});

test('a path with placeholders must be given, and a tool without signatures is refused', async () => {
  const { path: _, ...withoutPath } = posted(request);
  const verify = (id: string, body: object) =>
    server.api('POST', `/custom-tools/${id}/verify-signature`, { key: tenant.keys.write, body });
  assert.equal(expectResponse(await verify(tool.id, withoutPath), 422).error.details.field, 'path');
  const plain = await makeTool(server, tenant.keys.write, customer);
  assert.equal(expectResponse(await verify(plain.id, posted(request)), 422).error.details.field, 'auth_strategy');
});
