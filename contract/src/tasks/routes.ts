// /projects/{id}/tasks: list, read and cancel tasks.

import { pageOf } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { taskEvents } from './events.ts';
import { task, taskQuery } from './task.ts';

const tag = 'Tasks';

const WHOSE =
  'A task belongs to the member who made the call, otherwise to the API key, otherwise to the OAuth client or the person who tried the tool. Others, except keys and people with `admin`, do not see it; nor does a credential that does not see its tool.';

export const taskRoutes = defineRoutes({
  listTasks: {
    method: 'GET',
    path: '/projects/:project_id/tasks',
    access: 'tool',
    tag,
    summary: 'List tasks, newest first',
    description: `Calls that go on after their first response, and those that ended in the last 24 hours. Without their results. ${WHOSE}`,
    query: taskQuery,
    response: pageOf(task),
  },
  getTask: {
    method: 'GET',
    path: '/projects/:project_id/tasks/:task_id',
    access: 'tool',
    tag,
    summary: 'Get a task',
    description: `One task, with its result if it is completed. The result is kept for 24 hours. ${WHOSE}`,
    response: task,
  },
  cancelTask: {
    method: 'POST',
    path: '/projects/:project_id/tasks/:task_id/cancel',
    access: 'tool',
    tag,
    summary: 'Cancel a task',
    description: `The task is no longer followed. If the tool has \`polling.cancel\`, the API is told to cancel the job. Cancelling it again changes nothing; a task that is completed or has failed is refused with 409. ${WHOSE}`,
    response: task,
    errors: ['taskEnded'],
  },
});

export const tasks = defineResource({
  chapters: { Tasks: 'Calls that take longer than a minute: their progress, and their results' },
  routes: taskRoutes,
  events: taskEvents,
});
