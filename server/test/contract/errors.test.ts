// Spec 7: every row of its tables is in the one table of refusals, and the general ones are met over HTTP.
// The rows that a later part answers are met in that part's own contract test.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RefusalName, reasonRows } from '@toolgate/contract/errors.ts';
import { refusals, refuse } from '../../src/errors/errors.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;

type Row = [status: number, detail: string, ...names: RefusalName[]];

// Where the spec has a short and a long form of one error the long one is sent, which begins with the short one (contract 2).
const tables: Record<string, Row[]> = {
  'model connection and tool execution': [
    [401, 'Invalid or inactive API key', 'invalidApiKey'],
    [401, 'Invalid member assertion', 'assertionInvalidSignature', 'assertionExpired'],
    [401, 'Member JWT has expired', 'memberSessionExpired'],
    [403, 'Tool not enabled for this project', 'toolNotEnabled'],
    [403, 'member_external_id mode disabled in production', 'externalIdDisabled'],
    [403, 'Member context required', 'memberContextRequired'],
    [500, 'Tool execution failed', 'toolExecutionFailed'],
    [502, 'Upstream tool call failed', 'upstreamStatus', 'upstreamConnection'],
  ],
  'POST /mcp/session-token': [
    [400, 'Provide member_assertion or member_external_id', 'assertionOrExternalIdRequired'],
    [400, 'Could not resolve member_external_id', 'memberUnresolved'],
    [400, 'API key missing project or integration', 'keyWithoutIntegration'],
    [401, 'Invalid or inactive API key', 'invalidApiKey'],
    [401, 'Invalid member assertion: MISSING_KID', 'assertionMissingKid'],
    [401, 'Invalid member assertion: KEY_NOT_FOUND', 'assertionKeyNotFound'],
    [401, 'Invalid member assertion: AUD_MISMATCH', 'assertionAudMismatch'],
    [401, 'Invalid member assertion: EXPIRED', 'assertionExpired'],
    [401, 'Invalid member assertion: INVALID_SIGNATURE', 'assertionInvalidSignature'],
  ],
  'tool execution details': [
    [400, 'Reserved variable cannot be provided as user input', 'reservedVariable'],
    [400, 'base_url must use HTTPS', 'baseUrlNotHttps'],
    [400, 'endpoint_path must start with /', 'endpointPathNotAbsolute'],
    [403, 'Member context required for this tool', 'memberContextRequired'],
    [500, 'Failed to decrypt auth secret', 'authSecretUnreadable'],
    [500, 'Tool execution timed out', 'toolTimedOut'],
    [502, 'Upstream tool call failed - non-2xx response', 'upstreamStatus'],
    [502, 'Upstream tool call failed - connection error', 'upstreamConnection'],
  ],
  'POST /custom-tools': [
    [400, 'base_url must be origin-only (no paths)', 'baseUrlNotOrigin'],
    [400, "encrypted_auth_secret is required when auth_strategy is 'hmac_signature'", 'authSecretRequired'],
    [400, 'endpoint_path uses {{member_id}} but require_member=False', 'memberIdWithoutMember'],
    [422, 'Validation error', 'validation'],
  ],
  'POST /assertion-keys': [
    [400, 'Invalid public key format', 'invalidPublicKey'],
    [400, 'Unsupported algorithm', 'unsupportedAlgorithm'],
    [409, 'kid already exists for this project', 'kidTaken'],
  ],
  'ours beyond the spec (contract 2)': [
    [401, 'Invalid member assertion: MALFORMED', 'assertionMalformed'],
    [401, 'Invalid member assertion: TTL_TOO_LONG', 'assertionTtlTooLong'],
    [401, 'Invalid member assertion: REPLAYED', 'assertionReplayed'],
    [404, 'Not found', 'notFound'],
    [409, 'Idempotency key in use', 'idempotencyKeyInUse'],
    [503, 'Service unavailable', 'serviceUnavailable'],
  ],
};
const shortForms = ['Invalid member assertion', 'Member context required', 'Upstream tool call failed'];

for (const [table, rows] of Object.entries(tables)) {
  for (const [status, detail, ...names] of rows) {
    test(`${table}: ${status} ${detail}`, () => {
      for (const name of names) {
        const refusal = refuse[name]();
        assert.equal(refusal.status, status);
        if (shortForms.includes(detail)) assert.ok(refusal.message.startsWith(detail), refusal.message);
        else assert.equal(refusal.message, detail);
      }
    });
  }
}

test('every refusal has a code and a message of its own', () => {
  for (const { code } of refusals) assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
  assert.equal(new Set(refusals.map(({ code }) => code)).size, refusals.length);
  assert.equal(new Set(refusals.map(({ message }) => message)).size, refusals.length);
});

test('the code the spec names is INVALID_API_KEY', () => assert.equal(refuse.invalidApiKey().code, 'INVALID_API_KEY'));

function expectEnvelope(response: ApiResponse, status: number, code: string): void {
  assert.equal(response.status, status, response.text);
  assert.deepEqual(Object.keys(response.body), ['error']);
  const remedy = ['INVALID_API_KEY', 'INTERNAL_ERROR'].includes(code) ? ['remedy'] : [];
  assert.deepEqual(Object.keys(response.body.error), [
    ...['code', 'message', 'details', 'request_id', 'docs_url'],
    ...remedy,
  ]);
  assert.equal(response.body.error.code, code);
  assert.equal(response.body.error.request_id, response.headers.get('x-request-id'));
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
}

test('401: a missing and an invalid key, with no field to blame', async () => {
  for (const key of [undefined, 'nonsense']) {
    const response = await api('GET', '/projects', { key });
    expectEnvelope(response, 401, 'INVALID_API_KEY');
    assert.equal(response.body.error.message, 'Invalid or inactive API key');
    assert.deepEqual(response.body.error.details, {});
    assert.equal(response.headers.get('www-authenticate'), 'Bearer');
  }
});

test('401: the remedy is the same whatever is wrong with the credential', async () => {
  const { id, keys } = await makeTenant(server);
  const other = await makeTenant(server);
  const bodies = ['revoke', 'delete'].map(async (how) => {
    const { id: key_id, key } = await makeKey(server, id);
    const path = `/projects/${id}/api-keys/${key_id}`;
    if (how === 'revoke') expectResponse(await api('POST', `${path}/revoke`, { key: keys.admin }), 200);
    else expectResponse(await api('DELETE', path, { key: keys.admin }), 204);
    return api('GET', `/projects/${id}`, { key });
  });
  const responses = [
    ...(await Promise.all(bodies)),
    await api('GET', `/projects/${id}`, {}),
    await api('GET', `/projects/${id}`, { key: 'nonsense' }),
    await api('GET', `/projects/${id}`, { key: other.keys.read }),
  ];
  for (const response of responses) {
    expectEnvelope(response, 401, 'INVALID_API_KEY');
    assert.equal(response.body.error.remedy, reasonRows.invalid_api_key.remedy);
  }
});

test('403: a key without the permission', async () => {
  const tenant = await makeTenant(server);
  const response = await api('DELETE', `/projects/${tenant.id}`, { key: tenant.keys.write });
  expectEnvelope(response, 403, 'INSUFFICIENT_PERMISSIONS');
  assert.deepEqual(response.body.error.details, {
    required: 'admin',
    granted: ['write'],
    reason: 'insufficient_permissions',
    remedy: 'Use an API key with the permission admin.',
  });
});

test('404: a path whose project is no id, for a valid key; the id of another project is 401', async () => {
  const { id, keys } = await makeTenant(server, { plan: 'pro' });
  const other = await makeTenant(server);
  const cut = id.slice(0, -1);
  for (const project of ['', 'null', 'undefined', ':project_id', '%7Bid%7D', cut, `${id}0`, id.toUpperCase()]) {
    for (const path of [`/projects/${project}`, `/projects/${project}/api-keys`, `/projects/${project}/settings`]) {
      expectEnvelope(await api('GET', path, { key: keys.admin }), 404, 'NOT_FOUND');
      expectEnvelope(await api('GET', path, { key: 'nonsense' }), 401, 'INVALID_API_KEY');
    }
  }
  for (const project of [other.id, 'prj_0000000000000000000000']) {
    expectEnvelope(await api('GET', `/projects/${project}`, { key: keys.admin }), 401, 'INVALID_API_KEY');
  }
});

test('413: the limit and the size of the body', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
  const response = await api('POST', '/projects', { key: ROOT_KEY, body });
  expectEnvelope(response, 413, 'BODY_TOO_LARGE');
  const { limit_bytes, size_bytes } = response.body.error.details;
  assert.deepEqual([limit_bytes, size_bytes], [1024 * 1024, body.length]);
  const { keys } = await makeTenant(server);
  const mcp = await api('POST', '/mcp', { key: keys.read, body });
  assert.equal(mcp.status, 413, mcp.text);
  assert.partialDeepStrictEqual(mcp.body.error.data.details, { limit_bytes: 1024 * 1024, size_bytes: body.length });
});

test('429: a project over its limit', async () => {
  const tenant = await makeTenant(server, { requests_per_hour: 1 });
  expectResponse(await api('GET', '/projects', { key: tenant.keys.read }), 200);
  const response = await api('GET', '/projects', { key: tenant.keys.read });
  expectEnvelope(response, 429, 'RATE_LIMIT_EXCEEDED');
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
  const { limit, retry_after_seconds, resets_at, remedy } = response.body.error.details;
  assert.equal(limit, 1);
  assert.equal(String(retry_after_seconds), response.headers.get('retry-after'));
  assert.equal(Date.parse(resets_at) / 1000, Number(response.headers.get('x-ratelimit-reset')));
  assert.match(remedy, /owner of the operator's organization.*Settings → Plan/);
});

test('500: what nobody foresaw says nothing of its cause', async () => {
  await server.app.pool.query('alter table projects rename to mislaid');
  const response = await api('GET', '/projects', { key: ROOT_KEY });
  await server.app.pool.query('alter table mislaid rename to projects');
  expectEnvelope(response, 500, 'INTERNAL_ERROR');
  assert.equal(response.body.error.message, 'Internal server error');
  assert.deepEqual(response.body.error.details, {});
  assert.doesNotMatch(response.text, /relation|projects/);
});

for (const [status, code, method, path, body] of [
  [400, 'INVALID_JSON', 'POST', '/projects', '{"name":'],
  [404, 'NOT_FOUND', 'GET', '/projects/prj_0000000000000000000000', undefined],
  [404, 'NOT_FOUND', 'GET', '/nothing-here', undefined],
  [405, 'METHOD_NOT_ALLOWED', 'PUT', '/projects', {}],
  [413, 'BODY_TOO_LARGE', 'POST', '/projects', { name: 'x'.repeat(1024 * 1024) }],
  [422, 'VALIDATION_ERROR', 'POST', '/projects', { name: '' }],
] as const) {
  test(`${status}: ${method} ${path.slice(0, 14)} is ${code}`, async () =>
    expectEnvelope(await api(method, path, { key: ROOT_KEY, body }), status, code));
}

test('415: a content type that is not JSON', async () => {
  const headers = { 'content-type': 'text/plain' };
  expectEnvelope(await api('POST', '/projects', { key: ROOT_KEY, body: 'x', headers }), 415, 'UNSUPPORTED_MEDIA_TYPE');
});
