// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  registerAssertionKey: {
    summary: 'Register the public key that member assertions are verified with',
    description:
      'From now on an assertion is accepted that names this `kid` and is signed with the private half. The private key stays with you: sending it here is refused. The key must fit the algorithm, and RSA keys need 2,048 bits. Two active keys of a project cannot have the same `kid`.',
  },
  listAssertionKeys: {
    summary: 'List the assertion keys, newest first',
    description: 'All public keys of the project, also those that are deactivated.',
  },
  debugAssertion: {
    summary: 'Explain an assertion: every rule with pass or fail, and how to fix it',
    description:
      'Verifies an assertion as the exchange for a session token would, and reports every rule instead of stopping at the first that fails. Issues no token, creates no member and uses up no `jti`.',
  },
  getAssertionKey: {
    summary: 'Read an assertion key',
    description: 'One public key with its `kid`, algorithm, fingerprint and status.',
  },
  deactivateAssertionKey: {
    summary: 'Deactivate an assertion key; its sessions end and its kid is free again',
    description:
      'Assertions signed with it are refused from now on. The member sessions created with it end on every replica. The key stays in the list, and its `kid` can be registered again. It cannot be undone; deactivating it again changes nothing.',
  },
  deleteAssertionKey: {
    summary: 'Delete an assertion key; its sessions end',
    description:
      'Removes the key from the list. Assertions signed with it are refused from now on, and the member sessions created with it end on every replica.',
  },
});
