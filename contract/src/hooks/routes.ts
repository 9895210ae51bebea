// /projects/{id}/hooks: create, list, read, update, delete, rotate the secret, try one.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { hook, hookChange, hookRequest, hookSecretRotation, hookTest, hookTestRequest, newHook } from './hook.ts';

const tag = 'Hooks';

export const hookRoutes = defineRoutes({
  createHook: {
    method: 'POST',
    path: '/projects/:project_id/hooks',
    access: 'admin',
    tag,
    summary: 'Create a hook; its secret is shown this once',
    description:
      'From now on the URL is asked about every call of the tools that it matches, with a signed POST request: before the call is sent, when its result is there, or both. It returns `{"decision": "allow" | "deny" | "confirm", "reason"?, "arguments"?, "result"?}`. A project has at most 5 hooks, which are asked in the order in which they were created; the first that does not allow a call ends it. Returns the secret that signs the requests, which cannot be shown again. A credential that sees only some toolsets creates and changes none: 403.',
    body: hookRequest,
    answer: newHook,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listHooks: {
    method: 'GET',
    path: '/projects/:project_id/hooks',
    access: 'admin',
    tag,
    summary: 'List the hooks, newest first',
    description: 'All hooks of the project, without their secrets. They are asked in the opposite order, oldest first.',
    query: pageQuery,
    answer: pageOf(hook),
  },
  getHook: {
    method: 'GET',
    path: '/projects/:project_id/hooks/:hook_id',
    access: 'admin',
    tag,
    summary: 'Read a hook',
    description: 'One hook, with the tools that it matches. Its secret is not shown.',
    answer: hook,
  },
  updateHook: {
    method: 'PATCH',
    path: '/projects/:project_id/hooks/:hook_id',
    access: 'admin',
    tag,
    summary: 'Change a hook, switch it off or on',
    description:
      'Fields that are left out stay as they are. Its place in the order and its secret stay too. All processes follow within a second.',
    body: hookChange,
    answer: hook,
  },
  deleteHook: {
    method: 'DELETE',
    path: '/projects/:project_id/hooks/:hook_id',
    access: 'admin',
    tag,
    summary: 'Delete a hook',
    description: 'It is not asked any more. Its decisions stay in the call log.',
    answer: null,
  },
  rotateHookSecret: {
    method: 'POST',
    path: '/projects/:project_id/hooks/:hook_id/rotate-secret',
    access: 'admin',
    tag,
    summary: 'Make a new secret, shown this once; the old one signs too during the overlap',
    description:
      'Every request has a signature of both secrets until the overlap ends, one day by default, so that the receiver can change over at any moment in between. With `overlap_seconds` 0 only the new secret signs.',
    body: hookSecretRotation.optional(),
    answer: newHook,
    status: 201,
    takes_idempotency_key: true,
  },
  testHook: {
    method: 'POST',
    path: '/projects/:project_id/hooks/:hook_id/test',
    access: 'admin',
    tag,
    summary: 'Ask a hook about a call of the log, or about a sample',
    description:
      'Sends what the hook would get for this call, with the header `X-Toolgate-Test: true`, and returns its decision and the time that it took. Nothing is sent to your API and nothing is recorded. It works for a hook that is not enabled, and for tools that it does not match. What was recorded of a call is redacted. For a call without recorded arguments or result, or for a tool, give them in the body.',
    body: hookTestRequest,
    answer: hookTest,
  },
});

export const hooks = defineResource({
  chapters: { Hooks: 'Policies of your own that allow, deny or change calls of tools' },
  routes: hookRoutes,
});
