// /assertion-keys: register, list, read, deactivate, delete, and the report on an assertion.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { assertionKey, newAssertionKey } from './assertion-key.ts';
import { assertionReport, assertionToDebug } from './assertion-report.ts';
import { assertionKeyEvents } from './events.ts';

const tag = 'Assertion keys';

export const assertionKeyRoutes = defineRoutes({
  registerAssertionKey: {
    method: 'POST',
    path: '/assertion-keys',
    access: 'write',
    tag,
    summary: 'Register a public key that verifies member assertions',
    description:
      'Assertions that have this `kid` and are signed with the matching private key are accepted from now on. Keep the private key to yourself: sending it here is refused. The key must match the algorithm, and RSA keys need at least 2,048 bits. Two active keys of a project cannot have the same `kid`.',
    body: newAssertionKey,
    response: assertionKey,
    status: 201,
    errors: ['unsupportedAlgorithm', 'invalidPublicKey', 'kidTaken', 'limitReached'],
    takes_idempotency_key: true,
  },
  listAssertionKeys: {
    method: 'GET',
    path: '/assertion-keys',
    access: 'read',
    tag,
    summary: 'List the assertion keys, newest first',
    description: 'All public keys of the project, including deactivated ones.',
    query: pageQuery,
    response: pageOf(assertionKey),
  },
  debugAssertion: {
    method: 'POST',
    path: '/assertion-keys/debug',
    access: 'write',
    tag,
    summary: 'Explain an assertion: which rules pass or fail, and how to fix it',
    description:
      'Verifies an assertion the way the session-token exchange does, but reports every rule instead of stopping at the first failure. It issues no token, creates no member and does not use up the `jti`.',
    body: assertionToDebug.optional(),
    response: assertionReport,
  },
  getAssertionKey: {
    method: 'GET',
    path: '/assertion-keys/:assertion_key_id',
    access: 'read',
    tag,
    summary: 'Get an assertion key',
    description: 'One public key with its `kid`, algorithm, fingerprint and status.',
    response: assertionKey,
  },
  deactivateAssertionKey: {
    method: 'POST',
    path: '/assertion-keys/:assertion_key_id/deactivate',
    access: 'write',
    tag,
    summary: 'Deactivate an assertion key, revoke its sessions and free its kid',
    description:
      'Assertions signed with the key are refused from now on. Member sessions created with it are revoked on every replica. The key stays in the list, and its `kid` can be registered again. This cannot be undone; deactivating a key again changes nothing.',
    response: assertionKey,
  },
  deleteAssertionKey: {
    method: 'DELETE',
    path: '/assertion-keys/:assertion_key_id',
    access: 'admin',
    tag,
    summary: 'Delete an assertion key and revoke its sessions',
    description:
      'Removes the key from the list. Assertions signed with it are refused from now on, and member sessions created with it are revoked on every replica.',
    response: null,
  },
});

export const assertionKeys = defineResource({
  chapters: { 'Assertion keys': 'Public keys that verify member assertions' },
  routes: assertionKeyRoutes,
  events: assertionKeyEvents,
});
