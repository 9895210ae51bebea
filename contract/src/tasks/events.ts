// The events of tasks. Without results and errors of the API: who reads events need not be allowed to see them.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { taskSummary } from './task.ts';

const example = {
  id: exampleIds.task_id,
  object: 'task',
  project_id: exampleIds.project_id,
  tool_id: exampleIds.tool_id,
  tool_name: 'export_orders',
  call_id: 'call_4fTq0cDkXv8mWn2ZbR6yLs',
  status: 'completed',
  progress: 100,
  message: 'done',
  poll_count: 12,
  created_at: exampleTime,
  updated_at: '2026-11-15T12:01:04.000000Z',
  expires_at: '2026-11-16T12:01:04.000000Z',
  member_id: exampleIds.member_id,
  error_code: null,
};

const kind = (description: string, changed: object = {}) =>
  ({ description, data: taskSummary, example: { ...example, ...changed }, readable_with: 'read' }) satisfies EventKind;

export const taskEvents = {
  'task.completed': kind('A task is completed: its result can be read'),
  'task.failed': kind('A task failed', {
    status: 'failed',
    progress: 40,
    message: 'error',
    error_code: 'TASK_FAILED',
  }),
  'task.cancelled': kind('A task was cancelled', { status: 'cancelled', progress: 40, message: 'running' }),
};
