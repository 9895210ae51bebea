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
      'Limits how often tools are called: by the project, or by each key, integration, OAuth client or member. It is exact over all processes, and all limits of a call are counted together, or none. A project has at most 50, and at most 10 apply to one tool.',
    body: newToolLimit,
    answer: toolLimit,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listLimits: {
    method: 'GET',
    path: '/projects/:project_id/limits',
    access: 'read',
    tag,
    summary: 'List the limits, newest first',
    description: 'All limits of the project, with the tools that each matches and its overrides.',
    query: pageQuery,
    answer: pageOf(toolLimit),
  },
  getLimit: {
    method: 'GET',
    path: '/projects/:project_id/limits/:limit_id',
    access: 'read',
    tag,
    summary: 'Read a limit',
    description: 'One limit, with the tools that it matches and its overrides.',
    answer: toolLimit,
  },
  updateLimit: {
    method: 'PATCH',
    path: '/projects/:project_id/limits/:limit_id',
    access: 'write',
    tag,
    summary: 'Change a limit',
    description:
      'Fields that are left out stay as they are. What was counted before still counts. All processes follow within a second.',
    body: toolLimitChange,
    answer: toolLimit,
    errors: ['limitReached'],
  },
  deleteLimit: {
    method: 'DELETE',
    path: '/projects/:project_id/limits/:limit_id',
    access: 'write',
    tag,
    summary: 'Delete a limit',
    description: 'The tools that it applied to are no longer limited by it.',
    answer: null,
  },
  readLimitUsage: {
    method: 'GET',
    path: '/projects/:project_id/limits/:limit_id/usage',
    access: 'read',
    tag,
    summary: 'Read who has used how much of a limit',
    description: 'The subjects that count something in the current window, the most used first, at most 100.',
    answer: pageOf(limitUsage),
  },
});

export const limits = defineResource({
  chapters: { Limits: 'How often tools may be called by a key, a member, an app or the whole project' },
  routes: limitRoutes,
  events: limitEvents,
});
