// The errors of calls that go on as tasks.

import { type ErrorRow, type ReasonRow, remedyForModel } from '../error-row.ts';

export const tasksErrors = {
  tooManyTasks: {
    status: 429,
    code: 'TOO_MANY_TASKS',
    message: 'Too many tasks are working',
    cause:
      'A project can have at most 1,000 tasks that are working, and each member or key at most 20. Nothing was sent.',
    remedy: 'Wait until some of the tasks have ended, or cancel them.',
    step: 'limit',
    over_mcp: 'result',
    retryable: true,
  },
  taskStartUnknown: {
    status: 502,
    code: 'TASK_START_UNKNOWN',
    message: 'The job may have started, but its id is not known',
    cause:
      'This server stopped after the request was sent and before the id of the job was stored, or the response had no id. The request is not sent again.',
    remedy: 'Find out at the API whether the job has started before you repeat the call.',
    step: 'upstream',
    advice: () => 'The job may have started. Do not repeat the call before the user has checked that it did not.',
  },
  taskTimedOut: {
    status: 502,
    code: 'TASK_TIMED_OUT',
    message: 'The task took too long',
    cause: "The job was not done within the tool's polling.timeout_seconds. It may still go on at the API.",
    remedy: 'Find out at the API what became of the job, or raise polling.timeout_seconds.',
    step: 'upstream',
    advice: () => 'The job may still go on. Do not repeat the call before the user has checked it.',
  },
  taskFailed: {
    status: 502,
    code: 'TASK_FAILED',
    message: 'The job failed at the API',
    cause: 'The API says that the job has failed. What it says about it is in details.upstream_error.',
    remedy: 'See details.upstream_error, and correct the arguments or the API.',
    step: 'upstream',
  },
  taskResponseInvalid: {
    status: 502,
    code: 'TASK_RESPONSE_INVALID',
    message: 'The response about the job cannot be used',
    cause: "A response of the API does not fit the tool's polling.",
    remedy: "Compare the API's responses with the tool's polling.",
    step: 'upstream',
  },
  taskCancelled: {
    status: 409,
    code: 'TASK_CANCELLED',
    message: 'The task was cancelled',
    cause: 'Someone cancelled the task, or its tool was disabled, changed or deleted, or its credential has ended.',
    remedy: 'Call the tool again if the job is still wanted.',
    step: 'answer',
    advice: () => 'Do not repeat the call unless the user asks for it.',
  },
  taskEnded: {
    status: 409,
    code: 'TASK_ENDED',
    message: 'The task has already ended',
    cause: 'The task is completed or has failed, so that it cannot be cancelled any more. See details.status.',
    remedy: 'Read the task: its status is final.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const tasksReasons = {
  location_not_usable: {
    cause: "The response has no Location header, or one that is not at the tool's own origin.",
    remedy: "Have the API respond with a Location at the tool's origin, or set polling.job_id and polling.status_path.",
    step: 'upstream',
  },
  result_not_found: {
    cause: 'The response of the finished job is not JSON, or has nothing at the path polling.result.',
    remedy: 'Correct polling.result.',
    step: 'upstream',
  },
  job_id_not_found: {
    cause: 'The first response has no text or number at the path polling.job_id.',
    remedy: 'Find out at the API whether the job has started, and correct polling.job_id.',
    step: 'upstream',
    advice: remedyForModel,
  },
  name_reserved_for_tasks: {
    cause: 'One of the tools has `polling`, and models get the results of its tasks by the tool `get_task_result`.',
    remedy: 'Choose another name.',
  },
  tool_has_task_name: {
    cause: 'Models get the results of tasks by the tool `get_task_result`, and the project has a tool with this name.',
    remedy: 'Rename the tool `get_task_result`, then set polling.',
  },
} as const satisfies Record<string, ReasonRow>;
