// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  createIntegration: {
    summary: 'Create an integration',
    description:
      'An integration stands for a part of your product, such as a web shop. API keys created from it can exchange member assertions for session tokens, and tool calls carry its id.',
  },
  listIntegrations: {
    summary: 'List the integrations, newest first',
    description: 'All integrations of the project. Their API keys are listed separately.',
  },
  getIntegration: {
    summary: 'Read an integration',
    description: 'One integration with its name and description.',
  },
  updateIntegration: {
    summary: 'Change an integration',
    description:
      'Changes the name or the description. Fields that are left out stay as they are. Keys and sessions are not affected.',
  },
  deleteIntegration: {
    summary: 'Delete an integration; its keys and their sessions end with it',
    description:
      'Deletes the integration with all API keys created from it. They are refused with 401 from now on, and the member sessions they created end. It cannot be undone.',
  },
  createIntegrationApiKey: {
    summary: 'Create a key from an integration, one that can create member sessions; its secret is shown this once',
    description:
      'Like any other key of the project, and in addition it can exchange member assertions for session tokens. Answers with the secret, `key`, which cannot be shown again. An API key cannot give a permission that it lacks itself.',
  },
  listIntegrationApiKeys: {
    summary: 'List the keys of an integration, newest first',
    description:
      'The keys that were created from this integration, also revoked and expired ones. They are read, changed and revoked at `/projects/{project_id}/api-keys`.',
  },
});
