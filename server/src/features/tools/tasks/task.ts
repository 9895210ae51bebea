// A task: its columns, how responses show it, and what is sealed of it.

import { errorRows, type RefusalName } from '@toolgate/contract/errors.ts';
import type { PolicyEntry } from '@toolgate/contract/hooks/rules.ts';
import { taskEvents } from '@toolgate/contract/tasks/events.ts';
import type { Task, TaskSummary } from '@toolgate/contract/tasks/task.ts';
import type { App } from '../../../app.ts';
import type { Row } from '../../../database/tables.ts';
import { ApiError, type Details } from '../../../errors/errors.ts';
import type { SealContext } from '../../../secrets/envelope.ts';
import { recorderOf } from '../../activity/events/record.ts';

/** Without the result. */
export const taskColumns = [
  'id',
  'project_id',
  'subject_id',
  'tool_id',
  'tool_name',
  'tool_version',
  'origin',
  'api_key_id',
  'session_id',
  'member_id',
  'integration_id',
  'oauth_client_id',
  'account_id',
  'call_id',
  'request_id',
  'transport',
  'client_name',
  'protocol_version',
  'via',
  'argument_bytes',
  'traceparent',
  'status',
  'job',
  'start_ms',
  'progress',
  'message',
  'poll_count',
  'file_id',
  'error',
  'created_at',
  'updated_at',
  'expires_at',
] as const;

export type TaskRow = Pick<Row<'tasks'>, (typeof taskColumns)[number]>;

/** While the first request is under way, nobody can do anything else with it than while it is working. */
const shownStatus = ({ status }: TaskRow) => (status === 'starting' ? 'working' : status);

export const isOpen = ({ status }: Pick<TaskRow, 'status'>) =>
  status === 'starting' || status === 'working' || status === 'input_required';

function showFields(row: TaskRow) {
  const { id, project_id, tool_id, tool_name, call_id, progress, message, poll_count } = row;
  const { created_at, updated_at, expires_at } = row;
  return {
    ...{ id, object: 'task' as const, project_id, tool_id, tool_name, call_id, status: shownStatus(row) },
    ...{ progress, message, poll_count, created_at, updated_at, expires_at },
  };
}

/** Without the result. */
export function showTask(row: TaskRow): Task {
  const refusal = refusalOfTask(row);
  const error = refusal && { code: refusal.code, message: refusal.message, details: refusal.details };
  return { ...showFields(row), result: null, error };
}

export const summarizeTask = (row: TaskRow): TaskSummary => ({
  ...showFields(row),
  member_id: row.member_id,
  error_code: refusalOfTask(row)?.code ?? null,
});

/** A refusal as it is stored: by its name in the contract. */
export type StoredError = { name: RefusalName; details: Details };

export function storeError({ code, details }: ApiError): StoredError {
  const name = nameOf.get(code);
  if (name === undefined) throw new Error(`no error has the code ${code}`);
  return { name, details };
}

/** Null unless the task has failed. */
export const refusalOfTask = ({ error }: Pick<TaskRow, 'error'>): ApiError | null =>
  error && new ApiError(error.name, { details: error.details });

const nameOf: ReadonlyMap<string, RefusalName> = new Map(
  Object.entries(errorRows).map(([name, { code }]) => [code, name as RefusalName]),
);

/** What polls, and the row in the call log, need of the call. */
export type Job = {
  job_id: string | null;
  /** Path and query at the origin of the tool. */
  location: string | null;
  /** The arguments that paths and headers of polls have. */
  given: Record<string, unknown>;
  /** As the call log is told of them; undefined unless the project records payloads. */
  told: unknown;
  /** The whole response is wanted. */
  is_raw: boolean;
  /** What hooks have decided about the arguments. */
  policy: PolicyEntry[] | null;
  /** How long the person took who approved it. */
  waiting_ms: number | null;
};

const contextOf = (id: string, column: 'job' | 'result'): SealContext => ({ table: 'tasks', column, row_id: id });

export const sealJob = (app: App, { id, project_id }: Pick<TaskRow, 'id' | 'project_id'>, job: Job) =>
  app.secrets.seal(app.database, project_id, contextOf(id, 'job'), JSON.stringify(job));

export async function openJob(app: App, { id, project_id, job }: Pick<TaskRow, 'id' | 'project_id' | 'job'>) {
  if (job === null) throw new Error('the job of a task is known when it is polled');
  return JSON.parse((await app.secrets.open(app.database, project_id, contextOf(id, 'job'), job)).toString()) as Job;
}

type Sealed = Pick<TaskRow, 'id' | 'project_id'>;

export const sealResult = (app: App, { id, project_id }: Sealed, result: Buffer) =>
  app.secrets.sealBytes(app.database, project_id, contextOf(id, 'result'), result);

export const openResult = (app: App, { id, project_id }: Sealed, sealed: Buffer) =>
  app.secrets.openBytes(app.database, project_id, contextOf(id, 'result'), sealed);

/** Records the events of tasks. Only cancelling one is a change that somebody made, which has an audit entry. */
export const { newEvent, recordChange } = recorderOf(taskEvents);
