// Tasks: a call that goes on, and what becomes of it.

import { makeKey, makeProject } from '../../support/make/make.ts';
import { makeTool } from '../../support/make/make-tools.ts';
import type { Recorder } from '../recorder.ts';

export async function recordTasks({ server, customer, record, recordError }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  customer.respond('/v1/exports', { status: 202, body: { id: 'exp_7', state: 'queued' } });
  customer.respond('/v1/exports/exp_7', { body: { state: 'done', percent: 100, output: { rows: 1204 } } });
  const polling = {
    job_id: 'id',
    status_path: '/v1/exports/{{job_id}}',
    status: 'state',
    done: ['done'],
    failed: ['error'],
    progress: 'percent',
    result: 'output',
    error: 'reason',
  };
  const { id: tool_id } = await makeTool(server, key, customer, {
    name: 'export_orders',
    endpoint_path: '/v1/exports',
    polling,
  });
  const call = { key, params: { tool_id }, body: { arguments: { order_id: 'A-1001' } } };
  const { task } = await record('executeCustomTool', call);
  const one = { key, params: { project_id, task_id: task.id } };
  server.advance(6_000);
  await server.runJobs();
  await record('getTask', one);
  await record('listTasks', { key, params: { project_id } });
  await recordError('cancelTask', 'TASK_ENDED', one);
  const other = await server.api('POST', `/custom-tools/${tool_id}/execute`, { key, body: { arguments: { n: 1 } } });
  await record('cancelTask', { key, params: { project_id, task_id: other.body.task.id } });

  customer.respond('/v1/exports', { body: { state: 'error', reason: 'There are no orders in this month' } });
  await recordError('executeCustomTool', 'TASK_FAILED', call);
  customer.respond('/v1/exports', { status: 202 });
  await recordError('executeCustomTool', 'TASK_START_UNKNOWN', call);
  customer.respond('/v1/exports', { status: 202, body: { id: 'exp_7', state: 'queued' } });
  for (let n = 0; n < 20; n++)
    await server.api('POST', `/custom-tools/${tool_id}/execute`, { key, body: { arguments: { n } } });
  await recordError('executeCustomTool', 'TOO_MANY_TASKS', call);
}
