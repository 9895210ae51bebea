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
    summary: 'Create a key; its secret is shown this once',
    description:
      'Creates a key of the project and returns its secret, `key`. Only a hash of the secret is stored: it cannot be shown again. An API key cannot give a permission that it lacks itself. Such a key can create no member sessions; create one from an integration for that.',
    body: apiKeyRequest,
    answer: newApiKey,
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
      'All keys of the project, also those that are revoked or expired, and those created from integrations. Secrets are not shown: `prefix` and `last4` identify a key.',
    query: pageQuery,
    answer: pageOf(apiKey),
    errors: ['notFound'],
  },
  getApiKey: {
    method: 'GET',
    path: '/projects/:project_id/api-keys/:api_key_id',
    access: 'manage_keys',
    tag,
    summary: 'Read a key',
    description: 'One key with its status, its permissions and when it was last used. Its secret is not shown.',
    answer: apiKey,
    errors: ['notFound'],
  },
  updateApiKey: {
    method: 'PATCH',
    path: '/projects/:project_id/api-keys/:api_key_id',
    access: 'admin',
    tag,
    summary: 'Rename a key, switch it off or on',
    description:
      'Fields that are left out stay as they are. A key that is switched off is refused with 401 at once on every replica, and the member sessions it created end; it can be switched on again, and they stay ended. A revoked or expired key cannot be switched on: create a new one.',
    body: apiKeyChange,
    answer: apiKey,
    errors: ['notFound', 'keyNotActive'],
  },
  rotateApiKey: {
    method: 'POST',
    path: '/projects/:project_id/api-keys/:api_key_id/rotate',
    access: 'manage_keys',
    tag,
    summary: 'Replace a key; both work during the overlap',
    description:
      'Creates a key with the same name, permissions, expiry and integration, and returns its secret. The old key expires after `overlap_seconds`, at once by default, and never later than it would have. A key is rotated once: to replace a lost successor, rotate the successor. The caller must hold every permission of the key.',
    body: apiKeyRotation.optional(),
    answer: newApiKey,
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
      'The key is refused with 401 from now on, on every replica, and the member sessions it created end. The key stays in the list. It cannot be undone; revoking it again changes nothing.',
    answer: apiKey,
    errors: ['notFound'],
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/projects/:project_id/api-keys/:api_key_id',
    access: 'admin',
    tag,
    summary: 'Delete a key',
    description:
      'Removes the key from the list. It is refused with 401 from now on, on every replica, and the member sessions it created end. Events and audit entries about it stay. To keep a record of the key, revoke it instead.',
    answer: null,
    errors: ['notFound'],
  },
});

export const apiKeys = defineResource({
  chapters: { 'API keys': 'Credentials of a project' },
  routes: apiKeyRoutes,
  events: apiKeyEvents,
});
