// Serves /projects/{id}/tasks, and gives /metrics how many are working.

import { taskRoutes } from '@toolgate/contract/tasks/routes.ts';
import type { FastifyReply } from 'fastify';
import { type Caller, projectOf } from '../../../../access/caller.ts';
import { implement } from '../../../../api/implement.ts';
import type { Server } from '../../../../api/route.ts';
import { sendJson } from '../../../../api/send-json.ts';
import type { App } from '../../../../app.ts';
import { FailedCall } from '../../../../errors/failed-call.ts';
import { showFile } from '../../../files/files/file.ts';
import { countAllOpen } from '../../tasks/store.ts';
import { showTask } from '../../tasks/task.ts';
import { resultParts } from '../rest-result.ts';
import { cancelTask } from './cancel.ts';
import { findTask, listTasks } from './find.ts';
import { outcomeOfTask } from './outcome.ts';

export function serveTasks(server: Server, app: App): void {
  app.metrics.tasks.setOpenReader(() => countAllOpen(app.background.database));
  implement(server, app, taskRoutes, {
    listTasks: (app, { caller, query: { status, tool_id, ...page } }) =>
      listTasks(app, caller, { status, tool_id }, page),
    getTask: (app, { caller, params, reply }) => sendTask(app, caller, params.task_id, reply),
    cancelTask: async (app, { caller, params }) => showTask(await cancelTask(app, caller, params.task_id)),
  });
}

/** The result is inserted as it is: parsing and serializing it would change long numbers. */
async function sendTask(app: App, caller: Caller, id: string, reply: FastifyReply): Promise<FastifyReply> {
  const { task, tool } = await findTask(app, caller, id);
  const outcome = await outcomeOfTask(app, caller, task, tool);
  const shown = showTask(task);
  if (outcome === null || outcome instanceof FailedCall) return sendJson(reply, [JSON.stringify(shown)]);
  const file = outcome.file && JSON.stringify(await showFile(app, outcome.file));
  const { result: _, ...rest } = shown;
  const head = `${JSON.stringify(rest).slice(0, -1)},"result":`;
  return sendJson(reply, [head, ...(await resultParts(app, projectOf(caller), outcome, file)), '}']);
}
