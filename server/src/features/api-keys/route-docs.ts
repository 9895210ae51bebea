// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  createApiKey: {
    summary: 'Create a key; its secret is shown this once',
    description:
      'Creates a key of the project and answers with its secret, `key`. Only a hash of the secret is stored: it cannot be shown again. An API key cannot give a permission that it lacks itself. Such a key can create no member sessions; create one from an integration for that.',
  },
  listApiKeys: {
    summary: 'List the keys, newest first',
    description:
      'All keys of the project, also those that are revoked or expired, and those created from integrations. Secrets are not shown: `prefix` and `last4` identify a key.',
  },
  getApiKey: {
    summary: 'Read a key',
    description: 'One key with its status, its permissions and when it was last used. Its secret is not shown.',
  },
  updateApiKey: {
    summary: 'Rename a key, switch it off or on',
    description:
      'Fields that are left out stay as they are. A key that is switched off is refused with 401 at once on every replica, and the member sessions it created end for good; it can be switched on again. A revoked or expired key cannot be switched on: create a new one.',
  },
  rotateApiKey: {
    summary: 'Replace a key; both work during the overlap',
    description:
      'Creates a key with the same name, permissions, expiry and integration, and answers with its secret. The old key expires after `overlap_seconds`, at once by default, and never later than it would have. A key is rotated once: to replace a lost successor, rotate the successor. The caller must hold every permission of the key.',
  },
  revokeApiKey: {
    summary: 'End a key for good',
    description:
      'The key is refused with 401 from now on, on every replica, and the member sessions it created end. The key stays in the list. It cannot be undone; revoking it again changes nothing.',
  },
  deleteApiKey: {
    summary: 'Delete a key',
    description:
      'Removes the key from the list. It is refused with 401 from now on, on every replica, and the member sessions it created end. Events and audit entries about it stay. To keep a record of the key, revoke it instead.',
  },
});
