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
    summary: 'Create a hook; its secret is shown only once',
    description:
      'From now on, toolgate asks this URL about every call to the matching tools, with a signed POST request: before the call is sent, when its result arrives, or both. The hook returns `{"decision": "allow" | "deny" | "confirm", "reason"?, "arguments"?, "result"?}`. A project can have at most 5 hooks, which are asked in the order they were created, until one does not allow the call. Returns the secret that signs the requests, which cannot be shown again. A credential with access to only some toolsets cannot create or change hooks: 403.',
    body: hookRequest,
    response: newHook,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listHooks: {
    method: 'GET',
    path: '/projects/:project_id/hooks',
    access: 'admin',
    tag,
    summary: 'List hooks, newest first',
    description: 'All hooks of the project, without their secrets. They are asked in the opposite order, oldest first.',
    query: pageQuery,
    response: pageOf(hook),
  },
  getHook: {
    method: 'GET',
    path: '/projects/:project_id/hooks/:hook_id',
    access: 'admin',
    tag,
    summary: 'Get a hook',
    description: 'One hook with the tools it applies to. Its secret is not shown.',
    response: hook,
  },
  updateHook: {
    method: 'PATCH',
    path: '/projects/:project_id/hooks/:hook_id',
    access: 'admin',
    tag,
    summary: 'Update, disable or enable a hook',
    description:
      "Fields you leave out stay unchanged, and so do the hook's position and secret. All processes apply the change within a second.",
    body: hookChange,
    response: hook,
  },
  deleteHook: {
    method: 'DELETE',
    path: '/projects/:project_id/hooks/:hook_id',
    access: 'admin',
    tag,
    summary: 'Delete a hook',
    description: 'The hook is no longer asked. Its decisions stay in the call log.',
    response: null,
  },
  rotateHookSecret: {
    method: 'POST',
    path: '/projects/:project_id/hooks/:hook_id/rotate-secret',
    access: 'admin',
    tag,
    summary: 'Create a new secret, shown only once; the old one also signs during the overlap',
    description:
      'Until the overlap ends, one day by default, every request is signed with both secrets, so that the receiver can switch at any time. If `overlap_seconds` is 0, only the new secret signs.',
    body: hookSecretRotation.optional(),
    response: newHook,
    status: 201,
    takes_idempotency_key: true,
  },
  testHook: {
    method: 'POST',
    path: '/projects/:project_id/hooks/:hook_id/test',
    access: 'admin',
    tag,
    summary: 'Test a hook with a logged call or a sample',
    description:
      'Sends the request that the hook would receive for this call, with the header `X-Toolgate-Test: true`, and returns its decision and how long it took. Nothing is sent to your API and nothing is recorded. Disabled hooks and tools that the hook does not match can be tested too. Recorded parts of a call are redacted. For a tool, or for a call without recorded arguments or result, send them in the body.',
    body: hookTestRequest,
    response: hookTest,
  },
});

export const hooks = defineResource({
  chapters: { Hooks: 'Your own policies that allow, deny or change tool calls' },
  routes: hookRoutes,
});
