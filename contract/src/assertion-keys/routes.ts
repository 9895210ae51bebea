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
    summary: 'Register the public key that member assertions are verified with',
    description:
      'From now on an assertion is accepted that names this `kid` and is signed with the private half. The private key stays with you: sending it here is refused. The key must fit the algorithm, and RSA keys need 2,048 bits. Two active keys of a project cannot have the same `kid`.',
    body: newAssertionKey,
    answer: assertionKey,
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
    description: 'All public keys of the project, also those that are deactivated.',
    query: pageQuery,
    answer: pageOf(assertionKey),
  },
  debugAssertion: {
    method: 'POST',
    path: '/assertion-keys/debug',
    access: 'write',
    tag,
    summary: 'Explain an assertion: every rule with pass or fail, and how to fix it',
    description:
      'Verifies an assertion as the exchange for a session token would, and reports every rule instead of stopping at the first that fails. Issues no token, creates no member and uses up no `jti`.',
    body: assertionToDebug.optional(),
    answer: assertionReport,
  },
  getAssertionKey: {
    method: 'GET',
    path: '/assertion-keys/:assertion_key_id',
    access: 'read',
    tag,
    summary: 'Read an assertion key',
    description: 'One public key with its `kid`, algorithm, fingerprint and status.',
    answer: assertionKey,
  },
  deactivateAssertionKey: {
    method: 'POST',
    path: '/assertion-keys/:assertion_key_id/deactivate',
    access: 'write',
    tag,
    summary: 'Deactivate an assertion key; its sessions end and its kid is free again',
    description:
      'Assertions signed with it are refused from now on. The member sessions created with it end on every replica. The key stays in the list, and its `kid` can be registered again. It cannot be undone; deactivating it again changes nothing.',
    answer: assertionKey,
  },
  deleteAssertionKey: {
    method: 'DELETE',
    path: '/assertion-keys/:assertion_key_id',
    access: 'admin',
    tag,
    summary: 'Delete an assertion key; its sessions end',
    description:
      'Removes the key from the list. Assertions signed with it are refused from now on, and the member sessions created with it end on every replica.',
    answer: null,
  },
});

export const assertionKeys = defineResource({
  chapters: { 'Assertion keys': 'Public keys that member assertions are verified with' },
  routes: assertionKeyRoutes,
  events: assertionKeyEvents,
});
