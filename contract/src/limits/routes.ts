// /projects/{id}/limits: create, list, read, update, delete; and who has used how much.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { limitEvents } from './events.ts';
import { limitUsage, newToolLimit, toolLimit, toolLimitChange } from './limit.ts';

const tag = 'Limits';

export const limitRoutes = defineRoutes({
  createLimit: {
    method: 'POST',
    path: '/projects/:project_id/limits',
    access: 'write',
    tag,
    summary: 'Create a limit',
    description:
      'Limits how often tools are called: by the project, or by each key, integration, OAuth client or member. Limits are exact across all processes, and a call is counted by all of its limits or by none. A project can have at most 50 limits, and at most 10 can apply to one tool.',
    body: newToolLimit,
    response: toolLimit,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listLimits: {
    method: 'GET',
    path: '/projects/:project_id/limits',
    access: 'read',
    tag,
    summary: 'List limits, newest first',
    description: 'All limits of the project, with the tools they apply to and their overrides.',
    query: pageQuery,
    response: pageOf(toolLimit),
  },
  getLimit: {
    method: 'GET',
    path: '/projects/:project_id/limits/:limit_id',
    access: 'read',
    tag,
    summary: 'Get a limit',
    description: 'One limit with the tools it applies to and its overrides.',
    response: toolLimit,
  },
  updateLimit: {
    method: 'PATCH',
    path: '/projects/:project_id/limits/:limit_id',
    access: 'write',
    tag,
    summary: 'Update a limit',
    description:
      'Fields you leave out stay unchanged. Earlier calls still count. All processes apply the change within a second.',
    body: toolLimitChange,
    response: toolLimit,
    errors: ['limitReached'],
  },
  deleteLimit: {
    method: 'DELETE',
    path: '/projects/:project_id/limits/:limit_id',
    access: 'write',
    tag,
    summary: 'Delete a limit',
    description: 'The limit no longer applies to its tools.',
    response: null,
  },
  readLimitUsage: {
    method: 'GET',
    path: '/projects/:project_id/limits/:limit_id/usage',
    access: 'read',
    tag,
    summary: 'Get the usage of a limit',
    description: 'The subjects with calls in the current window, at most 100, the most used first.',
    response: pageOf(limitUsage),
  },
});

export const limits = defineResource({
  chapters: { Limits: 'How often a key, a member, an app or the whole project can call tools' },
  routes: limitRoutes,
  events: limitEvents,
});
