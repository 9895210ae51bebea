// The tasks extension (2026-07-28): tasks/get, tasks/update and tasks/cancel, and how a task is written. A call that failed at the API is
// `completed` with an error result there; `failed` is for errors of the protocol, which no task of this server ends with.

import { DEFAULT_INTERVAL_SECONDS, TASK_RETENTION_SECONDS } from '@toolgate/contract/tasks/rules.ts';
import type { TokenCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { ApiError } from '../errors/errors.ts';
import { FailedCall } from '../errors/failed-call.ts';
import { showFile } from '../features/files/files/file.ts';
import { cancelTask } from '../features/tools/calls/tasks/cancel.ts';
import { type FoundTask, findTask } from '../features/tools/calls/tasks/find.ts';
import { outcomeOfTask } from '../features/tools/calls/tasks/outcome.ts';
import type { ToolResult } from '../features/tools/calls/tool-call.ts';
import { isOpen, type TaskRow } from '../features/tools/tasks/task.ts';
import type { RequestMeta } from './call-result.ts';
import { callFailureText } from './error-response.ts';
import { fileResultText } from './file-result.ts';
import { isObject, type JsonText, type Params, RpcError, wholeText } from './json-rpc.ts';
import type { Method, MethodCall } from './method.ts';
import { metaKeys } from './protocol.ts';
import { requestMeta } from './request-meta.ts';
import { serverInfoOf } from './server-info.ts';
import { toolResultText } from './tool-result.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Whether the client says so in this request. */
export function declaresTasks({ _meta: meta }: Params): boolean {
  const capabilities = isObject(meta) ? meta[metaKeys.client_capabilities] : undefined;
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined;
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

export function requireTasks(params: Params): void {
  if (declaresTasks(params)) return;
  throw new RpcError('missing_client_capability', `This requires a client with ${TASKS_EXTENSION}`, {
    data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  });
}

export const tasksGet: Method = async (app, caller, call) => {
  const found = await find(app, caller, call);
  return `{"resultType":"complete",${await detailedTask(app, caller, found, requestMeta(app, caller.project, call))},"_meta":{${metaOf(caller)}}}`;
};

/** Nothing is asked while a task is working: what is needed of the user is asked before it begins. So there is nothing to respond to. */
export const tasksUpdate: Method = async (app, caller, call) => {
  await find(app, caller, call);
  if (!isObject(call.params.inputResponses)) throw invalid('params.inputResponses must be an object');
  return acknowledged(caller);
};

/** One that has ended stays as it is. */
export const tasksCancel: Method = async (app, caller, call) => {
  const { task } = await find(app, caller, call);
  if (isOpen(task)) await app.permits.run(caller.project, () => cancelQuietly(app, caller, task.id));
  return acknowledged(caller);
};

async function cancelQuietly(app: App, caller: TokenCaller, id: string): Promise<void> {
  try {
    await cancelTask(app, caller, id);
  } catch (error) {
    // It ended meanwhile.
    if (!(error instanceof ApiError && error.code === 'TASK_ENDED')) throw error;
  }
}

const metaOf = (caller: TokenCaller) => serverInfoOf(caller.project).meta_entry;
const acknowledged = (caller: TokenCaller) => `{"resultType":"complete","_meta":{${metaOf(caller)}}}`;
const invalid = (message: string) => new RpcError('invalid_params', message, { status: 200 });

async function find(app: App, caller: TokenCaller, { params }: MethodCall): Promise<FoundTask> {
  requireTasks(params);
  const { taskId } = params;
  if (typeof taskId !== 'string') throw invalid('params.taskId must be a string');
  const found = await findOrNull(app, caller, taskId);
  if (!found) throw invalid('Task not found');
  return found;
}

/** Null: it does not exist for the caller. */
export async function findOrNull(app: App, caller: TokenCaller, id: string): Promise<FoundTask | null> {
  try {
    return await app.permits.run(caller.project, () => findTask(app, caller, id));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The result of a call that goes on. */
export const createdTask = (task: TaskRow, caller: TokenCaller, call_id: string): string =>
  `{"resultType":"task",${fieldsOf(task)},"_meta":{"toolgate/call_id":${JSON.stringify(call_id)},${metaOf(caller)}}}`;

/** Its fields, as JSON text without braces; with the result when it has ended. */
export async function detailedTask(
  app: App,
  caller: TokenCaller,
  { task, tool }: FoundTask,
  request: RequestMeta,
): Promise<string> {
  if (isOpen(task) || task.status === 'cancelled') return fieldsOf(task);
  const outcome = await app.permits.run(caller.project, () => outcomeOfTask(app, caller, task, tool));
  if (outcome === null) return fieldsOf(task);
  return `${fieldsOf(task)},"result":${wholeText(await outcomeText(app, caller, outcome, request))}`;
}

/** What a model reads when the call has ended. */
export async function outcomeText(
  app: App,
  caller: TokenCaller,
  outcome: ToolResult | FailedCall,
  request: RequestMeta,
): Promise<JsonText> {
  if (outcome instanceof FailedCall) return callFailureText(outcome.refusal, outcome.call_id, request);
  if (outcome.file) return fileResultText(outcome, await showFile(app, outcome.file), request, true);
  return toolResultText({ app, fairness_key: caller.project.fairness_key }, outcome, request, () => {});
}

const STATUS = { starting: 'working', failed: 'completed' } as const;

function fieldsOf(task: TaskRow): string {
  const { id, status, message, created_at, updated_at, expires_at } = task;
  const kept_until = Date.parse(expires_at) + (isOpen(task) ? TASK_RETENTION_SECONDS * 1000 : 0);
  const fields = {
    taskId: id,
    status: status === 'starting' || status === 'failed' ? STATUS[status] : status,
    ...(message !== null && { statusMessage: message }),
    createdAt: created_at,
    lastUpdatedAt: updated_at,
    ttlMs: Math.max(1, Math.round(kept_until - Date.parse(created_at))),
    pollIntervalMs: DEFAULT_INTERVAL_SECONDS * 1000,
  };
  return JSON.stringify(fields).slice(1, -1);
}
