// Whatever is sent, the answer is a 4xx with the whole envelope: never a 5xx, never a hang, never a secret repeated.

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeToken } from '../../src/secrets/tokens.ts';
import { expectAnswer, makeKey, makeProject } from '../make.ts';
import { type Answer, type CallOptions, ROOT_KEY, startServer } from '../start-server.ts';

const server = await startServer();
const { api } = server;
const MIB = 1024 * 1024;

const post = (body: unknown, options: CallOptions = {}) =>
  api('POST', '/projects', { key: ROOT_KEY, body, ...options });

type Refusal = { code: string; message: string; details: { field?: string; value?: string }; request_id: string };

/** Refused with this status (any 4xx without one), in the whole envelope; answers the error. */
function expectRefusal(answer: Answer<{ error: Refusal }>, status?: number): Refusal {
  if (status === undefined) assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${answer.text}`);
  else assert.equal(answer.status, status, answer.text);
  const { error, ...more } = answer.body ?? {};
  assert.deepEqual(more, {});
  assert.deepEqual(Object.keys(error).sort(), ['code', 'details', 'message', 'request_id']);
  assert.match(error.code, /^[A-Z_]+$/);
  assert.equal(typeof error.message, 'string');
  assert.match(error.request_id, /^req_[0-9A-Za-z]{22}$/);
  assert.equal(error.request_id, answer.headers.get('x-request-id'));
  assert.ok(answer.text.isWellFormed() && answer.text.length < 4096, `${answer.text.length} characters`);
  return error;
}

/** What fetch would not send: bytes as they are, on a connection of their own. */
function sendBytes(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((done, fail) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (part) => (answer += part));
    socket.on('close', () => done(answer)).on('error', fail);
  });
}

// --- bodies

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
  'is 33 levels deep': `{"name":${'['.repeat(32)}${']'.repeat(32)},"permissions":["read"]}`,
  'is 50,000 levels deep': '['.repeat(50_000),
  'is not UTF-8': Buffer.from('{"name":"\xff\xfe","permissions":["read"]}', 'latin1'),
  'has an overlong NUL': Buffer.from('{"name":"\xc0\x80","permissions":["read"]}', 'latin1'),
})) {
  test(`a body that ${what} is 400 and makes nothing`, async () => {
    const { id } = await makeProject(server);
    expectRefusal(await api('POST', `/projects/${id}/api-keys`, { key: ROOT_KEY, body: text }), 400);
    assert.deepEqual(expectAnswer(await api('GET', `/projects/${id}/api-keys`, { key: ROOT_KEY }), 200).data, []);
  });
}

test('a body 32 levels deep is read, and judged by its fields', async () => {
  const error = expectRefusal(await post(`{"name":${'['.repeat(31)}${']'.repeat(31)}}`), 422);
  assert.equal(error.details.field, 'name');
});

for (const body of ['', 'null', '[]', '7', '"x"', 'true', '{}', '{"name":1e999}', '{"name":{"name":"x"}}']) {
  test(`the body ${body || '(none)'} is 422`, async () => void expectRefusal(await post(body), 422));
}

test('an unknown field is 422 and named, wherever it is', async () => {
  const { id } = await makeProject(server);
  const key = await makeKey(server, id);
  for (const [method, path, body, field] of [
    ['POST', '/projects', { name: 'x', colour: 'red' }, 'colour'],
    ['PATCH', `/projects/${id}`, { colour: 'red' }, 'colour'],
    ['PATCH', `/projects/${id}/settings`, { colour: 'red' }, 'colour'],
    ['POST', `/projects/${id}/api-keys`, { name: 'x', permissions: ['read'], permision: 1 }, 'permision'],
    ['PATCH', `/projects/${id}/api-keys/${key.id}`, { is_actve: false }, 'is_actve'],
    ['POST', `/projects/${id}/api-keys/${key.id}/rotate`, { overlap: 1 }, 'overlap'],
    ['GET', `/projects/${id}/api-keys?colour=red`, undefined, 'colour'],
  ] as const) {
    const error = expectRefusal(await api(method, path, { key: ROOT_KEY, body }), 422);
    assert.deepEqual([error.message, error.details.field], ['Validation error', field]);
  }
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
  for (const name of names) assert.equal(expectAnswer(await post({ name }), 201).name, name);
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
    for (const answer of [
      await post({ name: 'x', environment: secret }),
      await post({ name: 'x', environment: `prefix ${secret}` }),
      await post({ name: { deep: [secret] } }),
      await post({ name: 'x', [secret]: 1 }),
      await post(`{"name":"${secret}`),
      await api('POST', `/projects/${id}/api-keys`, { key: ROOT_KEY, body: { name: 'x', permissions: [secret] } }),
      await api('GET', `/projects?limit=${encodeURIComponent(secret)}`, { key: ROOT_KEY }),
      await api('GET', `/projects?cursor=${encodeURIComponent(secret)}`, { key: ROOT_KEY }),
      await api('GET', `/projects?${encodeURIComponent(secret)}=1`, { key: ROOT_KEY }),
      await api('GET', `/projects/${encodeURIComponent(secret)}`, { key: ROOT_KEY }),
    ]) {
      expectRefusal(answer);
      assert.ok(!answer.text.includes(secret.slice(12, 40)), answer.text);
    }
  });
}

test('the value of a field whose name promises a secret is never repeated', async () => {
  for (const field of ['client_secret', 'password', 'member_assertion', 'token', 'Authorization']) {
    assert.ok(!(await post({ name: 'x', [field]: 'hunter2-hunter2' })).text.includes('hunter2'));
  }
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
  await fc.assert(
    fc.asyncProperty(body, async (each) => {
      const answer = await api('POST', `/projects/${id}/api-keys`, { key: ROOT_KEY, body: each });
      if (answer.status !== 201) expectRefusal(answer, 422);
    }),
    { numRuns: 200 },
  );
});

// --- sizes and kinds

test('a body over 1 MiB is 413, one of exactly 1 MiB is read', async () => {
  const ofSize = (size: number) => JSON.stringify({ name: 'x'.repeat(size - '{"name":""}'.length) });
  expectRefusal(await post(ofSize(MIB)), 422);
  expectRefusal(await post(ofSize(MIB + 1)), 413);
});

test('a body over 1 MiB without Content-Length is 413', async () => {
  const status = await new Promise((done, fail) => {
    const call = httpRequest(`${server.url}/api/v1/projects`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ROOT_KEY}`,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      },
    });
    call.on('response', (response) => done(response.resume().statusCode)).on('error', fail);
    call.write(`{"name":"${'x'.repeat(MIB)}`);
    call.end('"}');
  });
  assert.equal(status, 413);
});

test('a body is read only from who may send it', async () => {
  expectRefusal(await api('POST', '/projects', { body: 'x'.repeat(2 * MIB) }), 401);
  expectRefusal(await api('POST', '/projects', { body: '{' }), 401);
});

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'application/xml',
  'nonsense',
  '',
]) {
  test(`a body of type ${type || '(none)'} is 415`, async () => {
    const error = expectRefusal(await post('{"name":"x"}', { headers: { 'content-type': type } }), 415);
    assert.equal(error.message, 'Content-Type must be application/json');
  });
}

for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
  test(`a body of type ${type} is read`, async () =>
    void expectAnswer(await post('{"name":"x"}', { headers: { 'content-type': type } }), 201));
}

// --- paths, methods, queries

for (const path of [
  '/nothing-here',
  '/projects/',
  '/api/v1',
  '/api/v2/projects',
  '/api/v1/projects/x/y/z',
  '/API/V1/PROJECTS',
]) {
  test(`${path} is 404`, async () => {
    const error = expectRefusal(await api('GET', path, { key: ROOT_KEY }), 404);
    assert.deepEqual([error.message, error.details], ['Not found', {}]);
  });
}

for (const [method, path, allow] of [
  ['PUT', '/projects', 'GET, HEAD, POST'],
  ['DELETE', '/projects', 'GET, HEAD, POST'],
  ['OPTIONS', '/projects', 'GET, HEAD, POST'],
  ['POST', '/projects/prj_x', 'DELETE, GET, HEAD, PATCH'],
  ['GET', '/projects/prj_x/api-keys/key_x/revoke', 'POST'],
  ['POST', '/healthz', 'GET, HEAD'],
] as const) {
  test(`${method} ${path} is 405 and says what is allowed`, async () => {
    const answer = await api(method, path, { key: ROOT_KEY });
    expectRefusal(answer, 405);
    assert.equal(answer.headers.get('allow'), allow);
  });
}

test('HEAD answers as GET does, without a body; where there is no GET it is 405', async () => {
  const { id } = await makeProject(server);
  const { key } = await makeKey(server, id, ['read']);
  const [head, get] = [await api('HEAD', '/projects', { key }), await api('GET', '/projects', { key })];
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
  assert.ok(head.headers.get('x-request-id') && head.headers.get('x-ratelimit-limit'));
  assert.equal((await api('HEAD', '/projects')).status, 401);
  assert.equal((await api('HEAD', `/projects/${id}/api-keys/key_x/revoke`, { key })).status, 405);
});

for (const query of [
  'limit=0',
  'limit=101',
  'limit=ten',
  'limit=-1',
  'limit=1.5',
  'limit=1e1',
  'limit=',
  'limit=1&limit=2',
  'cursor=nonsense',
  "cursor='",
  'cursor=',
]) {
  test(`a list with ?${query} is 422`, async () => {
    const { id } = await makeProject(server);
    for (const path of ['/projects', `/projects/${id}/api-keys`])
      expectRefusal(await api('GET', `${path}?${query}`, { key: ROOT_KEY }), 422);
  });
}

test('any id in a path is 404 for the root key, whatever its characters or length', async () => {
  const { id } = await makeProject(server);
  for (const wrong of [
    '%F0%9F%8E%89',
    "'--",
    '%2e%2e',
    '%2f',
    'x'.repeat(256),
    'x'.repeat(257),
    'x'.repeat(8000),
    '..%5c',
    '%20',
  ]) {
    expectRefusal(await api('GET', `/projects/${wrong}`, { key: ROOT_KEY }), 404);
    expectRefusal(await api('GET', `/projects/${id}/api-keys/${wrong}`, { key: ROOT_KEY }), 404);
    expectRefusal(await api('DELETE', `/projects/${id}/api-keys/${wrong}`, { key: ROOT_KEY }), 404);
  }
});

test('an X-Project-Id of any characters is a 4xx for the root key', async () => {
  for (const project of ['', ' ', 'prj_x', 'é', 'x'.repeat(4000)]) {
    const answer = await api('GET', '/projects', { key: ROOT_KEY, project });
    if (answer.status !== 200) expectRefusal(answer, 404);
  }
});

for (const path of [
  '/projects/%zz',
  '/projects/%',
  '/projects/%ff',
  '/%e0%a4%a',
  '/projects/a%00b',
  '/projects?cursor=%00',
]) {
  test(`${path} is 400: no name is written like that`, async () => {
    const { code } = expectRefusal(await api('GET', path, { key: ROOT_KEY }), 400);
    assert.equal(code, 'MALFORMED_REQUEST');
  });
}

for (const [what, bytes, status] of [
  ['that is no HTTP', 'hello\r\n\r\n', 400],
  ['with a length that is no number', 'POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n', 400],
  [
    'with a length and chunks',
    'POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['with NUL in a header', 'GET /api/v1/projects HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400],
  ['with 100 KB of headers', `GET /api/v1/projects HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
] as const) {
  test(`a request ${what} is ${status} in the same envelope`, async () => {
    const answer = await sendBytes(bytes);
    const [head = '', text = ''] = answer.split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    const { error } = JSON.parse(text);
    assert.deepEqual(Object.keys(error), ['code', 'message', 'details', 'request_id']);
    assert.match(head, new RegExp(`x-request-id: ${error.request_id}`, 'i'));
  });
}

// --- names of a request

test('every answer has a request id of its own; one sent along is not believed', async () => {
  const ids = new Set<string | null>();
  for (const [method, path, key] of [
    ['GET', '/projects', ROOT_KEY],
    ['GET', '/projects', undefined],
    ['GET', '/nothing-here', undefined],
    ['PUT', '/projects', undefined],
    ['GET', '/healthz', undefined],
    ['GET', '/projects/%zz', undefined],
  ] as const) {
    const { headers } = await api(method, path, { key, headers: { 'x-request-id': 'mine', 'request-id': 'mine' } });
    assert.match(headers.get('x-request-id') ?? '', /^req_[0-9A-Za-z]{22}$/, path);
    ids.add(headers.get('x-request-id'));
  }
  assert.equal(ids.size, 6);
});

test('a traceparent is accepted, and a broken one harms nothing', async () => {
  for (const traceparent of ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'nonsense', '00-0-0-0', '']) {
    expectAnswer(await api('GET', '/projects', { key: ROOT_KEY, headers: { traceparent, tracestate: 'a=b' } }), 200);
  }
});

test('answers are not kept by caches and not sniffed', async () => {
  for (const key of [ROOT_KEY, undefined]) {
    const { headers } = await api('GET', '/projects', { key });
    assert.deepEqual([headers.get('cache-control'), headers.get('x-content-type-options')], ['no-store', 'nosniff']);
  }
});
