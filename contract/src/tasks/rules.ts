// The choices and bounds of tasks: calls that take longer than one response. Without zod: the dashboard ships it to browsers.

export const taskStatuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

export type TaskStatus = (typeof taskStatuses)[number];

export const cancelMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const DEFAULT_INTERVAL_SECONDS = 5;
export const MAX_INTERVAL_SECONDS = 300;

export const DEFAULT_TIMEOUT_SECONDS = 3_600;
export const MIN_TIMEOUT_SECONDS = 60;
export const MAX_TIMEOUT_SECONDS = 86_400;

/** In `done` and in `failed`. */
export const MAX_STATUS_VALUES = 20;
export const MAX_STATUS_VALUE_LENGTH = 128;

/** How long a task that has ended is kept, with its result. */
export const TASK_RETENTION_SECONDS = 86_400;

/** A longer result is stored as a file. */
export const MAX_RESULT_BYTES = 2 ** 20;

export const MAX_WORKING = 1_000;
/** For one member, key, OAuth client or person. */
export const MAX_WORKING_OF_CALLER = 20;

/** For how long one request waits for a task at most. */
export const MAX_WAIT_SECONDS = 50;

/** The placeholder of the id that the API gave the job. */
export const JOB_ID = 'job_id';

/** Models whose client knows no tasks get a result by it. The name is reserved while a tool of the project has `polling`. */
export const TASK_RESULT_TOOL = 'get_task_result';
