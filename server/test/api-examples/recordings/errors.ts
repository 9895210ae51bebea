// Errors that every operation can answer with.

import { makeKey, makeProject } from '../../support/make/make.ts';
import type { Recorder } from '../recorder.ts';

export async function recordErrors({ server, recordError }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  const { key: read } = await makeKey(server, project_id, ['read']);
  const options = { key, params: { project_id } };
  const body = { name: 'Backend', permissions: ['read'] };
  await recordError('getProject', 'INVALID_API_KEY', { ...options, key: `svc_live_${'0'.repeat(36)}` });
  await recordError('createApiKey', 'INSUFFICIENT_PERMISSIONS', { ...options, key: read, body });
  await recordError('getApiKey', 'NOT_FOUND', { key, params: { project_id, api_key_id: 'key_absent' } });
  await recordError('createApiKey', 'VALIDATION_ERROR', { ...options, body: { ...body, permissions: ['owner'] } });
  await recordError('createApiKey', 'INVALID_JSON', { ...options, body: '{"name":' });
  await recordError('createApiKey', 'BODY_TOO_LARGE', { ...options, body: JSON.stringify('x'.repeat(1_100_000)) });
  await recordError('createApiKey', 'UNSUPPORTED_MEDIA_TYPE', { ...options, body: 'x', media_type: 'text/plain' });

  const headers = { 'idempotency-key': 'order-4711' };
  await server.api('POST', `/projects/${project_id}/api-keys`, { key, body, headers });
  const reused = { ...options, headers, body: { ...body, name: 'Other' } };
  await recordError('createApiKey', 'IDEMPOTENCY_KEY_REUSED', reused);

  const one = { key, params: { project_id, api_key_id: (await makeKey(server, project_id)).id } };
  await server.api('POST', `/projects/${project_id}/api-keys/${one.params.api_key_id}/rotate`, {
    key,
    body: { overlap_seconds: 3_600 },
  });
  await recordError('rotateApiKey', 'API_KEY_ALREADY_ROTATED', one);
  await server.api('POST', `/projects/${project_id}/api-keys/${one.params.api_key_id}/revoke`, { key });
  await recordError('rotateApiKey', 'API_KEY_NOT_ACTIVE', one);

  const limited = await makeProject(server, { plan: 'enterprise', requests_per_hour: 1 });
  const { key: limited_key } = await makeKey(server, limited.id, ['read']);
  await server.api('GET', '/projects', { key: limited_key });
  await recordError('listProjects', 'RATE_LIMIT_EXCEEDED', { key: limited_key });
}
