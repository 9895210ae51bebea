import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import type { App } from '../app.ts';
import { appearance } from '../errors/call-failure.ts';
import { refusals, refuse } from '../errors/errors.ts';
import { callFailureText, errorResponse } from './error-response.ts';
import { RpcError } from './json-rpc.ts';

const public_url = 'https://tools.example.com';
const logged: unknown[] = [];
const app = {
  config: { public_url },
  log: { error: (entry: unknown) => logged.push(entry) },
} as unknown as App;

const reply = (error: unknown, id: string | number | null = 7) => errorResponse(app, error, id, 'req_1');

test('an invalid credential is 401 with the id, the message of the spec and the error object', () => {
  const { status, body } = reply(refuse.invalidApiKey());
  assert.equal(status, 401);
  assert.deepEqual(JSON.parse(body), {
    jsonrpc: '2.0',
    id: 7,
    error: {
      code: -32000,
      message: 'Invalid or inactive API key',
      data: {
        code: 'INVALID_API_KEY',
        message: 'Invalid or inactive API key',
        details: {},
        request_id: 'req_1',
        docs_url: `${public_url}/docs/errors#invalid_api_key`,
        remedy: reasonRows.invalid_api_key.remedy,
      },
    },
  });
});

test('a refusal keeps its status and headers', () => {
  const limited = reply(refuse.rateLimitExceeded({ headers: { 'retry-after': '9' } }));
  assert.deepEqual([limited.status, limited.headers], [429, { 'retry-after': '9' }]);
  assert.equal(reply(refuse.toolNotEnabled()).status, 403);
  assert.equal(reply(refuse.memberContextRequired()).status, 403);
  assert.equal(reply({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' }).status, 413);
  assert.equal(reply({ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }).status, 415);
  assert.equal(reply(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })).status, 503);
});

test('a bug is 500 without its text, and is logged', () => {
  logged.length = 0;
  const { status, body } = reply(new Error('secret at line 7'));
  assert.equal(status, 500);
  assert.equal(JSON.parse(body).error.code, -32603);
  assert.doesNotMatch(body, /secret/);
  assert.equal(logged.length, 1);
});

test('a protocol violation keeps its own code and status', () => {
  const { status, body } = reply(new RpcError('method_not_found', 'Method not found: x', { status: 404 }), null);
  assert.equal(status, 404);
  const data = {
    reason: 'method_not_found',
    remedy: reasonRows.method_not_found.remedy,
    docs_url: `${public_url}/docs/errors#method_not_found`,
  };
  assert.deepEqual(JSON.parse(body), {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32601, message: 'Method not found: x', data },
  });
});

test('a failed call is a result; missing permission and rate limits are not', () => {
  const http = refusals.filter(({ name }) => appearance(refuse[name]()) === 'status').map(({ status }) => status);
  assert.deepEqual([...new Set(http)].sort(), [401, 403, 429, 503]);
  for (const name of ['reservedVariable', 'validation', 'toolTimedOut', 'upstreamStatus', 'callDenied'] as const)
    assert.equal(appearance(refuse[name]()), 'result');
  assert.equal(appearance(refuse.notFound()), 'error');
  assert.equal(appearance({ status: 502, code: 'A_CODE_OF_AN_OLDER_VERSION' }), 'result');
});

test('a failed call explains the failure to the model and whether to retry', () => {
  const render = (error: ReturnType<typeof refuse.internal>) =>
    JSON.parse(callFailureText(error, null, { request_id: 'req_1', public_url, server_info: null, usage: null }));
  const notFound = render(refuse.upstreamStatus({ details: { upstream_status: 404, upstream_body: 'no such order' } }));
  assert.equal(notFound.isError, true);
  assert.match(notFound.content[0].text, /^Upstream tool call failed - non-2xx response\n.*404.*no such order/);
  assert.deepEqual(notFound._meta['toolgate/error'], {
    status: 502,
    code: 'UPSTREAM_STATUS',
    message: 'Upstream tool call failed - non-2xx response',
    retryable: false,
    docs_url: `${public_url}/docs/errors#upstream_status`,
  });
  assert.equal(
    render(refuse.upstreamStatus({ details: { upstream_status: 503 } }))._meta['toolgate/error'].retryable,
    true,
  );
  assert.equal(render(refuse.upstreamConnection())._meta['toolgate/error'].retryable, true);
  assert.equal(render(refuse.toolTimedOut())._meta['toolgate/error'].retryable, true);
  assert.equal(render(refuse.authSecretUnreadable())._meta['toolgate/error'].retryable, false);
  const wrong = render(refuse.validation({ details: { field: 'city', value: '7', reason: 'invalid_arguments' } }));
  assert.match(wrong.content[0].text, /^Validation error\n.*"city".*\nCorrect the arguments.*\nRequest id: req_1$/);
});
