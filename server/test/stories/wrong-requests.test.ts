// Whatever is asked in whatever way, the answer is a 4xx with the whole envelope: never a 5xx, never a hang.

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import type { CallOptions } from '../support/requests/call-api.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;
const MIB = 1024 * 1024;

const post = (body: unknown, options: CallOptions = {}) =>
  api('POST', '/projects', { key: ROOT_KEY, body, ...options });

/** What fetch would not send: bytes as they are, on a connection of their own. */
function sendBytes(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((done, fail) => {
    let response = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (part) => (response += part));
    socket.on('close', () => done(response)).on('error', fail);
  });
}

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
    void expectResponse(await post('{"name":"x"}', { headers: { 'content-type': type } }), 201));
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
    assert.deepEqual([error.message, Object.keys(error.details)], ['Not found', ['reason', 'remedy']]);
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
    const response = await api(method, path, { key: ROOT_KEY });
    expectRefusal(response, 405);
    assert.equal(response.headers.get('allow'), allow);
  });
}

for (const [path, status] of [
  ['/nothing-here', 404],
  ['/healthz', 405],
  ['/projects/prj_x', 405],
] as const) {
  test(`a POST to ${path} is ${status} before its body is read, whatever that is`, async () => {
    for (const body of ['{"a":1,"a":2}', '{', `[${'['.repeat(40)}`, `"${'x'.repeat(2 * MIB)}"`]) {
      expectRefusal(await api('POST', path, { body }), status);
    }
    expectRefusal(await api('POST', path, { body: 'a', headers: { 'content-type': 'text/plain' } }), status);
    const head = `POST ${path.startsWith('/p') ? '/api/v1' : ''}${path} HTTP/1.1\r\nhost: x\r\n`;
    const unsent = 'connection: close\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n';
    assert.match(await sendBytes(`${head}${unsent}`), new RegExp(`^HTTP/1.1 ${status} `));
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
    const response = await api('GET', '/projects', { key: ROOT_KEY, project });
    if (response.status !== 200) expectRefusal(response, 404);
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
  ['without a host', 'GET /api/v1/projects HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['with two hosts', 'GET /api/v1/projects HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', 400],
  [
    'that expects what nobody knows',
    'GET /api/v1/projects HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
    401,
  ],
  ['with 100 KB of headers', `GET /api/v1/projects HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
] as const) {
  test(`a request ${what} is ${status} in the same envelope`, async () => {
    const response = await sendBytes(bytes);
    const [head = '', text = ''] = response.split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    const { error } = JSON.parse(text);
    const remedy = status === 401 ? ['remedy'] : [];
    assert.deepEqual(Object.keys(error), ['code', 'message', 'details', 'request_id', 'docs_url', ...remedy]);
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
    expectResponse(await api('GET', '/projects', { key: ROOT_KEY, headers: { traceparent, tracestate: 'a=b' } }), 200);
  }
});

test('answers are not kept by caches and not sniffed', async () => {
  for (const key of [ROOT_KEY, undefined]) {
    const { headers } = await api('GET', '/projects', { key });
    assert.deepEqual([headers.get('cache-control'), headers.get('x-content-type-options')], ['no-store', 'nosniff']);
  }
});
