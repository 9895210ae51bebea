// Whatever is sent as a body, the answer is a 4xx with the whole envelope: never a 5xx, and never a secret repeated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeToken } from '../../src/secrets/tokens.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;

const post = (body: unknown) => api('POST', '/projects', { key: ROOT_KEY, body });

for (const [what, text] of Object.entries({
  'that ends too early': '{"name":',
  'with a bare name': '{name:1}',
  'with something behind': '{"name":"x"}}',
  'of one quote': '"',
  'with a comma too many': '{"name":"x",}',
  'with single quotes': "{'name':'x'}",
  'with a comment': '{"name":"x"/**/}',
  'with NaN': '{"name":NaN}',
  'with a byte order mark': '\ufeff{"name":"x"}',
  'of one NUL': '\0',
  'with a control character in a string': '{"name":"a\nb"}',
})) {
  test(`a body ${what} is 400`, async () => {
    const error = expectRefusal(await post(text), 400);
    assert.deepEqual([error.code, error.message], ['INVALID_JSON', 'Body is not valid JSON']);
  });
}

for (const [what, text] of Object.entries({
  'names a member twice': '{"name":"x","permissions":["read"],"permissions":["admin"]}',
  'names a member twice, once escaped': '{"name":"x","permissions":["read"],"permission\\u0073":["admin"]}',
  'has __proto__': '{"name":"x","permissions":["read"],"__proto__":{"permissions":["admin"]}}',
  'reaches constructor.prototype': '{"name":"x","permissions":["read"],"constructor":{"prototype":{"x":1}}}',
  'is not UTF-8': Buffer.from('{"name":"\xff\xfe","permissions":["read"]}', 'latin1'),
  'has an overlong NUL': Buffer.from('{"name":"\xc0\x80","permissions":["read"]}', 'latin1'),
})) {
  test(`a body that ${what} is 400 and makes nothing`, async () => {
    const { id } = await makeProject(server);
    expectRefusal(await api('POST', `/projects/${id}/api-keys`, { key: ROOT_KEY, body: text }), 400);
    assert.deepEqual(expectResponse(await api('GET', `/projects/${id}/api-keys`, { key: ROOT_KEY }), 200).data, []);
  });
}

test('a body 33 levels deep is 422, also one of 50,000; one of 32 is parsed and its fields are validated', async () => {
  const nested = (depth: number) => `{"name":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  for (const body of [nested(33), '['.repeat(50_000)]) {
    assert.equal(expectRefusal(await post(body), 422).details.reason, 'json_depth');
  }
  assert.equal(expectRefusal(await post(nested(32)), 422).details.field, 'name');
});

// An import takes larger documents: it parses them in a worker thread, with limits of its own (tools-import-large.test.ts).
test('a body with 100,000 members is 422 and names the field, for every kind of request but an import', async () => {
  const many = `{${Array.from({ length: 100_000 }, (_, i) => `"${i.toString(36)}":1`).join()}}`;
  const { id } = await makeProject(server);
  const { key } = await makeKey(server, id, ['admin']);
  for (const [path, field] of [
    ['/projects', 'name'],
    ['/custom-tools', 'input_schema'],
    ['/custom-tools/some_tool/execute', 'arguments'],
  ] as const) {
    const { details } = expectRefusal(await api('POST', path, { key, body: `{"${field}":${many}}` }), 422);
    const message = 'has too many fields or elements';
    assert.partialDeepStrictEqual(details, { field, reason: 'json_size', problems: [{ field, message }] });
  }
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${many}}}`;
  const { status, body: told } = await api('POST', '/mcp', { key, body });
  assert.deepEqual([status, told.error.code], [400, -32700]);
  assert.match(told.error.message, /too many fields or elements/);
});

for (const body of ['', 'null', '[]', '7', '"x"', 'true', '{}', '{"name":1e999}', '{"name":{"name":"x"}}']) {
  test(`the body ${body || '(none)'} is 422`, async () => void expectRefusal(await post(body), 422));
}

test('an unknown field is 422 and named, wherever it is', async () => {
  const { id } = await makeProject(server);
  const key = await makeKey(server, id);
  for (const [method, path, body, field] of [
    ['POST', '/projects', { name: 'x', color: 'red' }, 'color'],
    ['PATCH', `/projects/${id}`, { color: 'red' }, 'color'],
    ['PATCH', `/projects/${id}/settings`, { color: 'red' }, 'color'],
    ['POST', `/projects/${id}/api-keys`, { name: 'x', permissions: ['read'], permision: 1 }, 'permision'],
    ['PATCH', `/projects/${id}/api-keys/${key.id}`, { is_actve: false }, 'is_actve'],
    ['POST', `/projects/${id}/api-keys/${key.id}/rotate`, { overlap: 1 }, 'overlap'],
    ['GET', `/projects/${id}/api-keys?color=red`, undefined, 'color'],
  ] as const) {
    const error = expectRefusal(await api(method, path, { key: ROOT_KEY, body }), 422);
    assert.deepEqual([error.message, error.details.field], ['Validation error', field]);
  }
});

test('all wrong, missing and unknown fields of a body are reported at once, the first as details.field', async () => {
  const { id } = await makeProject(server);
  const body = { permissions: ['fly'], color: 'red', size: 1 };
  const { details } = expectRefusal(await api('POST', `/projects/${id}/api-keys`, { key: ROOT_KEY, body }), 422);
  assert.deepEqual([details.field, details.reason], ['name', 'missing_field']);
  const problems = details.problems ?? [];
  assert.deepEqual(
    problems.map(({ field }) => field),
    ['name', 'permissions.0', 'color', 'size'],
  );
  assert.deepEqual(problems[0], { field: 'name', message: 'is required' });
  assert.deepEqual(problems[3], { field: 'size', message: 'is not a known field' });
});

test('arguments of a call outside of `arguments` are 422, and the remedy shows where they belong', async () => {
  const { id } = await makeProject(server);
  const { key } = await makeKey(server, id, ['admin']);
  const response = await api('POST', '/custom-tools/some_tool/execute', { key, body: { order_id: 'A-1001' } });
  const { details } = expectRefusal(response, 422);
  assert.equal(details.field, 'order_id');
  assert.match(details.remedy ?? '', /\{"arguments": \{…\}\}/);
});

test('a bad cursor is 422, and the remedy says where a cursor comes from', async () => {
  const { details } = expectRefusal(await api('GET', '/projects?cursor=2', { key: ROOT_KEY }), 422);
  assert.deepEqual([details.field, details.reason], ['cursor', 'invalid_cursor']);
  assert.match(details.remedy ?? '', /next_cursor/);
});

test('a thousand wrong fields make a short answer', async () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${'\u0001'.repeat(100)}${i}`, 1]));
  const { details } = expectRefusal(await post({ name: 'x', ...many }), 422);
  assert.ok((details.problems ?? []).length > 0);
});

for (const [what, name] of Object.entries({
  'with NUL': '"a\\u0000b"',
  'with a lone surrogate': '"a\\ud800b"',
  'that is blank': '"  \\t\\u00a0"',
  'that is empty': '""',
  'of 129 characters': JSON.stringify('x'.repeat(129)),
  'that is a number': '7',
  'that is null': 'null',
})) {
  test(`a name ${what} is 422`, async () => {
    const error = expectRefusal(await post(`{"name":${name}}`), 422);
    assert.equal(error.details.field, 'name');
    if (typeof error.details.value === 'string') assert.ok(error.details.value.isWellFormed());
  });
}

test('any other text is a name, and comes back as it was', async () => {
  const names = [
    'x'.repeat(128),
    '日本語 🎉',
    '<script>alert(1)</script>',
    "'; drop table projects; --",
    '\u202eabc',
    ' padded ',
  ];
  for (const name of names) assert.equal(expectResponse(await post({ name }), 201).name, name);
});

test('a field of any length, and a value of any length, make a short answer', async () => {
  expectRefusal(await post({ name: 'x', ['x'.repeat(100_000)]: 1 }), 422);
  expectRefusal(await post({ name: 'x'.repeat(100_000) }), 422);
  expectRefusal(await post({ name: 'x', environment: '🎉'.repeat(1000) }), 422);
  expectRefusal(await api('GET', `/projects?cursor=${'x'.repeat(5000)}`, { key: ROOT_KEY }), 422);
});

const secrets = {
  'an API key': makeToken('svc_live_'),
  'a session token': makeToken('svc_mst_'),
  'a webhook secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'a JWT': 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl',
  'a private key': '-----BEGIN PRIVATE KEY-----MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF',
};
for (const [what, secret] of Object.entries(secrets)) {
  test(`${what} in the wrong place is not repeated`, async () => {
    const { id } = await makeProject(server);
    for (const response of [
      await post({ name: 'x', environment: secret }),
      await post({ name: 'x', environment: `prefix ${secret}` }),
      await post({ name: { deep: [secret] } }),
      await post({ name: 'x', [secret]: 1 }),
      await post(`{"name":"x","${secret}":1,"${secret}":2}`),
      await post(`{"name":"${secret}`),
      await api('POST', `/projects/${id}/api-keys`, { key: ROOT_KEY, body: { name: 'x', permissions: [secret] } }),
      await api('GET', `/projects?limit=${encodeURIComponent(secret)}`, { key: ROOT_KEY }),
      await api('GET', `/projects?cursor=${encodeURIComponent(secret)}`, { key: ROOT_KEY }),
      await api('GET', `/projects?${encodeURIComponent(secret)}=1`, { key: ROOT_KEY }),
      await api('GET', `/projects/${encodeURIComponent(secret)}`, { key: ROOT_KEY }),
    ]) {
      expectRefusal(response);
      assert.ok(!response.text.includes(secret.slice(12, 40)), response.text);
    }
  });
}

test('the value of a field whose name promises a secret is never repeated', async () => {
  for (const field of ['client_secret', 'password', 'member_assertion', 'token', 'Authorization']) {
    assert.ok(!(await post({ name: 'x', [field]: 'hunter2-hunter2' })).text.includes('hunter2'));
  }
});

test('a field in the body of a request that takes none is refused and named, and nothing happens', async () => {
  const { id } = await makeProject(server);
  const made = await makeKey(server, id);
  const key = `/projects/${id}/api-keys/${made.id}`;
  for (const [method, path] of [
    ['POST', `${key}/revoke`],
    ['DELETE', key],
  ] as const) {
    const { details } = expectRefusal(await api(method, path, { key: ROOT_KEY, body: { is_active: true } }), 422);
    assert.deepEqual([details.field, details.reason], ['is_active', 'unknown_field']);
    assert.equal((await api('GET', key, { key: ROOT_KEY })).body.status, 'active');
  }
  assert.equal((await api('POST', `${key}/revoke`, { key: ROOT_KEY, body: {} })).status, 200);
});

test('any bytes as a body are a 4xx, for every way to write', async () => {
  const { id } = await makeProject(server);
  const key = await makeKey(server, id);
  const targets = [
    ['POST', '/projects'],
    ['PATCH', `/projects/${id}/settings`],
    ['POST', `/projects/${id}/api-keys`],
  ] as const;
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)),
    fc.json().map((each) => Buffer.from(each)),
    fc.string({ unit: 'binary' }).map((each) => Buffer.from(JSON.stringify({ name: 7, [each]: each }))),
  );
  const isPassable = (text: string) => ['', '{}'].includes(text.replace(/\s/g, ''));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...targets), bytes, async ([method, path], body) => {
      if (isPassable(body.toString())) return;
      expectRefusal(await api(method, path, { key: key.key, body }));
    }),
    { numRuns: 300 },
  );
});

test('fields of any JSON value are a success or a 4xx', async () => {
  const { id } = await makeProject(server);
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 150 }),
    fc.double(),
    fc.integer(),
  );
  const body = fc.record({ name: value, permissions: value, expires_at: value }, { requiredKeys: [] });
  // A name that reaches a prototype is refused before any field is looked at: a 400 then.
  const mayReachPrototype = (each: unknown) => /"(__proto__|prototype)":/.test(JSON.stringify(each));
  await fc.assert(
    fc.asyncProperty(body, async (each) => {
      const response = await api('POST', `/projects/${id}/api-keys`, { key: ROOT_KEY, body: each });
      if (response.status !== 201) expectRefusal(response, mayReachPrototype(each) ? undefined : 422);
    }),
    { numRuns: 200 },
  );
});
