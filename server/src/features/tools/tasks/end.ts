// Ends a task: once, whoever else ends it at the same moment. Its event is recorded with it, and its call is then in the call log.

import type { PolicyEntry } from '@toolgate/contract/hooks/rules.ts';
import { TASK_RETENTION_SECONDS } from '@toolgate/contract/tasks/rules.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import type { Stages } from '../../../outbound/messages.ts';
import { enqueue } from '../../../queue/enqueue.ts';
import { recordCall } from '../../activity/analytics/record-call.ts';
import type { Actor } from '../../activity/audit/append.ts';
import { recordEvent } from '../../activity/events/record.ts';
import type { StoredFile } from '../../files/files/file.ts';
import { keepFilesUntil } from '../../files/files/keep.ts';
import { CANCEL, taskJob } from './schedule.ts';
import { updateTask } from './store.ts';
import {
  type Job,
  newEvent,
  openJob,
  recordChange,
  sealResult,
  showTask,
  storeError,
  summarizeTask,
  type TaskRow,
} from './task.ts';
import { taskCaller } from './task-caller.ts';

/** What is known of the call in the end: of its last response, its result, and what hooks decided. */
type EndedCall = {
  file: Pick<StoredFile, 'id'> | null;
  received: { status: number; bytes: number } | null;
  stages: Stages | null;
  policy: PolicyEntry[] | null;
  result: { result_tokens: number; shaped_tokens: number; recorded: Buffer | undefined } | null;
  failure_body: Buffer | undefined;
};

/** What the API has said about the job in the end. */
export type PolledJob = Pick<TaskRow, 'progress' | 'message'>;

export type Ending =
  | { status: 'completed'; result: Buffer; run: EndedCall }
  | { status: 'failed'; refusal: ApiError; run?: EndedCall }
  | { status: 'cancelled'; by: Actor; reason?: string };

type Ended = TaskRow & { external_id?: string | null };

/** Null: it had ended already. `polled`: a poll has found it out, which counts. `is_recorded`: the call log has the call. */
export async function endTask(
  app: App,
  project: Project,
  task: Ended,
  ending: Ending,
  { polled, is_recorded = false }: { polled?: PolledJob; is_recorded?: boolean } = {},
): Promise<TaskRow | null> {
  const now = app.now();
  const expires_at = now + TASK_RETENTION_SECONDS * 1000;
  const ended = await transact(app, async (app) => {
    const file = 'run' in ending ? (ending.run?.file ?? null) : null;
    if (file) await keepFilesUntil(app, project.id, [file.id], expires_at);
    const row = await updateTask(app.database, task, {
      ...(await changeOf(app, task, ending)),
      poll_count: task.poll_count + (polled ? 1 : 0),
      ...polled,
      file_id: file?.id ?? null,
      updated_at: new Date(now).toISOString(),
      expires_at: new Date(expires_at).toISOString(),
    });
    if (row) await record(app, project, task, row, ending);
    return row;
  });
  if (ended) app.metrics.tasks.countEnded(outcomeOf(ending));
  if (ended && !is_recorded) await recordEnd(app, project, { ...ended, external_id: task.external_id ?? null }, ending);
  return ended;
}

async function changeOf(app: App, task: TaskRow, ending: Ending) {
  switch (ending.status) {
    case 'completed':
      return { status: 'completed' as const, result: await sealResult(app, task, ending.result) };
    case 'failed':
      return { status: 'failed' as const, error: JSON.stringify(storeError(ending.refusal)) };
    case 'cancelled':
      return { status: 'cancelled' as const, ...(ending.reason !== undefined && { message: ending.reason }) };
  }
}

async function record(app: App, project: Project, before: TaskRow, row: TaskRow, ending: Ending): Promise<void> {
  const data = summarizeTask(row);
  if (ending.status !== 'cancelled') {
    const type = ending.status === 'completed' ? 'task.completed' : 'task.failed';
    await recordEvent(app, newEvent(app, project.id, type, data));
    return;
  }
  const change = { type: 'task.cancelled' as const, target_id: row.id, data };
  await recordChange(app, ending.by, { ...change, before: showTask(before), after: showTask(row) }, project);
  // Whether the tool says how is asked then.
  if (row.job !== null) await enqueue(app, [taskJob(CANCEL, row, project.fairness_key, app.now())]);
}

const outcomeOf = (ending: Ending) =>
  ending.status === 'failed' && ending.refusal.code === 'TASK_TIMED_OUT' ? 'timed_out' : ending.status;

/** One row for the call, when it is over. */
async function recordEnd(app: App, project: Project, task: Ended, ending: Ending): Promise<void> {
  const { status } = ending;
  const refusal =
    ending.status === 'failed' ? ending.refusal : status === 'cancelled' ? refuse.taskCancelled() : undefined;
  const job = task.job === null ? null : await openJob(app, task);
  const run = 'run' in ending ? ending.run : undefined;
  const task_ms = Math.max(0, Math.round(app.now() - Date.parse(task.created_at)));
  const caller = taskCaller(project, { ...task, external_id: task.external_id ?? null }, async () => {});
  const result = refusal ? undefined : (run?.result ?? undefined);
  const body = refusal ? run?.failure_body : run?.result?.recorded;
  recordCall(app, caller, calledOf(task, job), {
    call_id: task.call_id,
    tool: { id: task.tool_id, name: task.tool_name, version: task.tool_version },
    response: run?.received ? { ...run.received, body } : undefined,
    result,
    stages: run?.stages ?? null,
    policy: run?.policy ?? job?.policy ?? null,
    refusal,
    duration_ms: task.start_ms ?? task_ms,
    waiting_ms: job?.waiting_ms ?? null,
    task: { poll_count: task.poll_count, task_ms },
  });
}

/** The call that started it, as the log is told of it. */
export const calledOf = (
  { request_id, argument_bytes, transport, client_name, protocol_version, via }: TaskRow,
  job: Job | null,
) => ({
  request_id,
  arguments: job?.told,
  argument_bytes,
  transport: { name: transport, client_name, protocol_version },
  ...(via === null ? {} : { via }),
});
