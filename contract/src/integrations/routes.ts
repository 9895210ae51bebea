// /projects/{id}/integrations: create, list, read, update, delete, and the keys created from one.

import { apiKey, apiKeyRequest, newApiKey } from '../api-keys/api-key.ts';
import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { integrationEvents } from './events.ts';
import { integration, integrationChange, newIntegration } from './integration.ts';

const tag = 'Integrations';

export const integrationRoutes = defineRoutes({
  createIntegration: {
    method: 'POST',
    path: '/projects/:project_id/integrations',
    access: 'webhook',
    tag,
    summary: 'Create an integration',
    description:
      'An integration stands for a part of your product, such as a web shop. API keys created from it can exchange member assertions for session tokens, and tool calls carry its id.',
    body: newIntegration,
    answer: integration,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listIntegrations: {
    method: 'GET',
    path: '/projects/:project_id/integrations',
    access: 'read',
    tag,
    summary: 'List the integrations, newest first',
    description: 'All integrations of the project. Their API keys are listed separately.',
    query: pageQuery,
    answer: pageOf(integration),
  },
  getIntegration: {
    method: 'GET',
    path: '/projects/:project_id/integrations/:integration_id',
    access: 'read',
    tag,
    summary: 'Read an integration',
    description: 'One integration with its name and description.',
    answer: integration,
  },
  updateIntegration: {
    method: 'PATCH',
    path: '/projects/:project_id/integrations/:integration_id',
    access: 'webhook',
    tag,
    summary: 'Change an integration',
    description:
      'Changes the name or the description. Fields that are left out stay as they are. Keys and sessions are not affected.',
    body: integrationChange,
    answer: integration,
  },
  deleteIntegration: {
    method: 'DELETE',
    path: '/projects/:project_id/integrations/:integration_id',
    access: 'admin',
    tag,
    summary: 'Delete an integration; its keys and their sessions end with it',
    description:
      'Deletes the integration with all API keys created from it. They are refused with 401 from now on, and the member sessions they created end. It cannot be undone.',
    answer: null,
  },
  // Only creation and the list; every other operation on a key is under /projects/{id}/api-keys.
  createIntegrationApiKey: {
    method: 'POST',
    path: '/projects/:project_id/integrations/:integration_id/api-keys',
    access: 'manage_keys',
    tag,
    summary: 'Create a key from an integration, one that can create member sessions; its secret is shown this once',
    description:
      'Like any other key of the project, and in addition it can exchange member assertions for session tokens. Returns the secret, `key`, which cannot be shown again. An API key cannot give a permission that it lacks itself.',
    body: apiKeyRequest,
    answer: newApiKey,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listIntegrationApiKeys: {
    method: 'GET',
    path: '/projects/:project_id/integrations/:integration_id/api-keys',
    access: 'manage_keys',
    tag,
    summary: 'List the keys of an integration, newest first',
    description:
      'The keys that were created from this integration, also revoked and expired ones. They are read, changed and revoked at `/projects/{project_id}/api-keys`.',
    query: pageQuery,
    answer: pageOf(apiKey),
  },
});

export const integrations = defineResource({
  chapters: { Integrations: 'Sources of members; a key of an integration creates member sessions' },
  routes: integrationRoutes,
  events: integrationEvents,
});
