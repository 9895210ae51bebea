// Tells the API to cancel the job of a cancelled task, if the tool says how: a few times, while the API does not respond. The tool may be
// disabled or deleted by then: its last definition counts.

import type { Project } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { ApiError } from '../../../../errors/errors.ts';
import { SendError } from '../../../../outbound/messages.ts';
import { type JobDefinition, loadRows } from '../../../../queue/job-definition.ts';
import { findProject } from '../../../projects/projects/find.ts';
import type { ToolToCall } from '../../catalogue/store.ts';
import { calledOf } from '../../tasks/end.ts';
import { mayPass } from '../../tasks/job-response.ts';
import { type CancelledTask, selectCancelled } from '../../tasks/open-store.ts';
import { CANCEL } from '../../tasks/schedule.ts';
import { openJob } from '../../tasks/task.ts';
import { taskCaller } from '../../tasks/task-caller.ts';
import { CallOutdated } from '../call-access.ts';
import { authorize } from '../credentials/authorize.ts';
import { type PreparedTool, prepareTool } from '../prepared-tool.ts';
import { startRun } from '../run.ts';
import { loadTool } from '../tool-cache.ts';
import { sendJobRequest } from './job-request.ts';

const RETRY_MS = 30_000;
/** After the task was cancelled. */
const RETRIED_FOR_MS = 10 * 60_000;

export const cancelJob: JobDefinition<App, CancelledTask, object> = {
  kind: CANCEL,
  max_concurrent: 50,
  max_per_fairness_key: 10,
  max_per_concurrency_key: 5,
  load: loadRows(selectCancelled),
  async run(app, task) {
    const is_over = app.now() > Date.parse(task.updated_at) + RETRIED_FOR_MS;
    const project = is_over ? null : await findProject(app, task.project_id);
    const is_done = project === null || (await cancelAtApi(app, project, task));
    return { next_run_at: is_done ? null : app.now() + RETRY_MS };
  },
  saveResults: async () => {},
};

/** False: it may succeed later. */
async function cancelAtApi(app: App, project: Project, task: CancelledTask): Promise<boolean> {
  const tool = await findToolOf(app, project, task);
  const request = tool?.polling?.cancel;
  if (!tool || !request || tool.origin !== task.origin) return true;
  try {
    const job = await openJob(app, task);
    // The tool is not looked up again: whatever became of it, its jobs are cancelled.
    const caller = taskCaller(project, task, async () => {});
    const call = { name: task.tool_id, ...calledOf(task, job) };
    const run = { ...startRun(caller, tool, call), call_id: task.call_id, given: job.given };
    run.authorization = await authorize(app, run);
    const { status } = await sendJobRequest(app, run, job, request, { is_final: true });
    return !mayPass(status) || status === NOT_FOUND;
  } catch (error) {
    if (error instanceof SendError || error instanceof CallOutdated) return false;
    if (error instanceof ApiError) return error.status < 500;
    throw error;
  }
}

const NOT_FOUND = 404;

/** Null: it is gone, and so is the project, or it was deleted before it could be kept. */
async function findToolOf(app: App, project: Project, { tool, tool_id }: CancelledTask): Promise<PreparedTool | null> {
  if (tool !== null) return prepareTool(app, tool as ToolToCall, project.fairness_key);
  try {
    return await loadTool(app, project, tool_id);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}
