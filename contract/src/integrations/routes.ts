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
      'An integration represents a part of your product, such as a web shop. API keys created from it can exchange member assertions for session tokens, and tool calls include its id.',
    body: newIntegration,
    response: integration,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listIntegrations: {
    method: 'GET',
    path: '/projects/:project_id/integrations',
    access: 'read',
    tag,
    summary: 'List integrations, newest first',
    description: 'All integrations of the project. Their API keys are listed separately.',
    query: pageQuery,
    response: pageOf(integration),
  },
  getIntegration: {
    method: 'GET',
    path: '/projects/:project_id/integrations/:integration_id',
    access: 'read',
    tag,
    summary: 'Get an integration',
    description: 'One integration with its name and description.',
    response: integration,
  },
  updateIntegration: {
    method: 'PATCH',
    path: '/projects/:project_id/integrations/:integration_id',
    access: 'webhook',
    tag,
    summary: 'Update an integration',
    description:
      'Changes the name or the description. Fields you leave out stay unchanged. Keys and sessions are not affected.',
    body: integrationChange,
    response: integration,
  },
  deleteIntegration: {
    method: 'DELETE',
    path: '/projects/:project_id/integrations/:integration_id',
    access: 'admin',
    tag,
    summary: 'Delete an integration with its keys and their sessions',
    description:
      'Deletes the integration and all API keys created from it. The keys are refused with 401 immediately, and the member sessions they created are revoked. This cannot be undone.',
    response: null,
  },
  // Only creation and the list; every other operation on a key is under /projects/{id}/api-keys.
  createIntegrationApiKey: {
    method: 'POST',
    path: '/projects/:project_id/integrations/:integration_id/api-keys',
    access: 'manage_keys',
    tag,
    summary: 'Create an integration key, which can create member sessions; its secret is shown only once',
    description:
      'Like any other key of the project, but it can also exchange member assertions for session tokens. Returns the secret, `key`, which cannot be shown again. An API key cannot grant a permission that it lacks.',
    body: apiKeyRequest,
    response: newApiKey,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listIntegrationApiKeys: {
    method: 'GET',
    path: '/projects/:project_id/integrations/:integration_id/api-keys',
    access: 'manage_keys',
    tag,
    summary: "List an integration's keys, newest first",
    description:
      'The keys created from this integration, including revoked and expired ones. Get, update and revoke them at `/projects/{project_id}/api-keys`.',
    query: pageQuery,
    response: pageOf(apiKey),
  },
});

export const integrations = defineResource({
  chapters: {
    Integrations: "The parts of your product that members come from; an integration's keys create member sessions",
  },
  routes: integrationRoutes,
  events: integrationEvents,
});
