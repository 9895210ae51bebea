// /projects/{id}/api-keys: create (secret shown once), list, read, update, rotate, revoke, delete.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { apiKey, apiKeyChange, apiKeyRequest, apiKeyRotation, newApiKey } from './api-key.ts';
import { apiKeyEvents } from './events.ts';

const tag = 'API keys';

export const apiKeyRoutes = defineRoutes({
  createApiKey: {
    method: 'POST',
    path: '/projects/:project_id/api-keys',
    access: 'manage_keys',
    tag,
    summary: 'Create a key; its secret is shown only once',
    description:
      'Creates a project key and returns its secret, `key`. Only a hash of the secret is stored, so it cannot be shown again. An API key cannot grant a permission that it lacks. The new key cannot create member sessions; for that, create a key from an integration.',
    body: apiKeyRequest,
    response: newApiKey,
    status: 201,
    errors: ['notFound', 'limitReached'],
    takes_idempotency_key: true,
  },
  listApiKeys: {
    method: 'GET',
    path: '/projects/:project_id/api-keys',
    access: 'manage_keys',
    tag,
    summary: 'List the keys, newest first',
    description:
      'All keys of the project, including revoked and expired keys and keys created from integrations. Secrets are not shown: use `prefix` and `last4` to identify a key.',
    query: pageQuery,
    response: pageOf(apiKey),
    errors: ['notFound'],
  },
  getApiKey: {
    method: 'GET',
    path: '/projects/:project_id/api-keys/:api_key_id',
    access: 'manage_keys',
    tag,
    summary: 'Get a key',
    description: 'One key with its status, permissions and time of last use. Its secret is not shown.',
    response: apiKey,
    errors: ['notFound'],
  },
  updateApiKey: {
    method: 'PATCH',
    path: '/projects/:project_id/api-keys/:api_key_id',
    access: 'admin',
    tag,
    summary: 'Rename, disable or enable a key',
    description:
      'Fields you leave out stay unchanged. A disabled key is refused with 401 immediately on every replica, and the member sessions it created are revoked; if you enable the key again, those sessions stay revoked. A revoked or expired key cannot be enabled: create a new one.',
    body: apiKeyChange,
    response: apiKey,
    errors: ['notFound', 'keyNotActive'],
  },
  rotateApiKey: {
    method: 'POST',
    path: '/projects/:project_id/api-keys/:api_key_id/rotate',
    access: 'manage_keys',
    tag,
    summary: 'Rotate a key; both keys work during the overlap',
    description:
      'Creates a key with the same name, permissions, expiry and integration, and returns its secret. The old key expires after `overlap_seconds` (0 by default), and never later than before. A key can be rotated once: to replace a lost successor, rotate the successor. The caller must have every permission of the key.',
    body: apiKeyRotation.optional(),
    response: newApiKey,
    status: 201,
    errors: ['notFound', 'keyNotActive', 'keyRotated', 'limitReached'],
    takes_idempotency_key: true,
  },
  revokeApiKey: {
    method: 'POST',
    path: '/projects/:project_id/api-keys/:api_key_id/revoke',
    access: 'manage_keys',
    tag,
    summary: 'Revoke a key',
    description:
      'The key is refused with 401 immediately on every replica, and the member sessions it created are revoked. The key stays in the list. This cannot be undone; revoking a key again changes nothing.',
    response: apiKey,
    errors: ['notFound'],
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/projects/:project_id/api-keys/:api_key_id',
    access: 'admin',
    tag,
    summary: 'Delete a key',
    description:
      'Removes the key from the list. It is refused with 401 immediately on every replica, and the member sessions it created are revoked. Events and audit entries about it stay. To keep a record of the key, revoke it instead.',
    response: null,
    errors: ['notFound'],
  },
});

export const apiKeys = defineResource({
  chapters: { 'API keys': 'Credentials of a project' },
  routes: apiKeyRoutes,
  events: apiKeyEvents,
});
