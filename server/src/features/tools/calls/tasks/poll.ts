// Asks the API about the job of a task, once, and what follows from its response.

import type { Project } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { ApiError, refuse } from '../../../../errors/errors.ts';
import { type OutboundResponse, SendError } from '../../../../outbound/messages.ts';
import { calledOf } from '../../tasks/end.ts';
import {
  delayOf,
  type JobResponse,
  mayPass,
  progressAt,
  readPoll,
  statusAt,
  valueAt,
} from '../../tasks/job-response.ts';
import { messageOf } from '../../tasks/job-text.ts';
import { type DueTask, isLiveTask } from '../../tasks/open-store.ts';
import { type Job, openJob } from '../../tasks/task.ts';
import { taskCaller } from '../../tasks/task-caller.ts';
import { CallOutdated, currentTool, refuseUnlessAllowed } from '../call-access.ts';
import { sendErrorToRefusal } from '../call-refusals.ts';
import { stepsOfResult } from '../call-tool.ts';
import { authorize } from '../credentials/authorize.ts';
import { discardFile } from '../files/file-of-response.ts';
import type { PreparedPolling } from '../prepared-tool.ts';
import { parseResponse } from '../results/response-text.ts';
import { type CallRun, startRun } from '../run.ts';
import type { ToolCall } from '../tool-call.ts';
import { readResponse, taskFailed } from './begin.ts';
import { type JobRequest, pathOfRequest, sendJobRequest } from './job-request.ts';
import { packResult } from './result.ts';

/** `outdated`: nothing was sent, because tool or credential changed at that moment. */
export type PollResult =
  | { kind: 'outdated' }
  | ({ kind: 'working'; delay_ms: number } & Seen)
  | { kind: 'completed'; result: Buffer; run: CallRun; seen: Seen }
  | { kind: 'failed'; refusal: ApiError; run: CallRun | undefined; seen: Seen };

/** What the API says about a job. */
type Seen = { progress: number | null; message: string | null };

type Asked = {
  run: CallRun;
  job: Job;
  polling: PreparedPolling;
  response: OutboundResponse;
  path: string;
  /** As it was, until the API says something. */
  seen: Seen;
};

export async function pollTask(app: App, project: Project, task: DueTask): Promise<PollResult> {
  let run: CallRun | undefined;
  const seen = { progress: task.progress, message: task.message };
  try {
    const job = await openJob(app, task);
    run = await pollRun(app, project, task, job);
    const polling = run.tool.polling as PreparedPolling;
    const request = statusRequest(polling, job);
    const asked = { run, job, polling, path: pathOfRequest(run, job, request), seen };
    const response = await sendJobRequest(app, run, job, request);
    app.metrics.tasks.countPoll(mayPass(response.status) ? 'failed' : 'responded');
    return await follow(app, { ...asked, response });
  } catch (error) {
    if (run?.file) await discardFile(app, run);
    return failureOf(app, seen, error, run);
  } finally {
    if (run) endSpan(task, run);
  }
}

/** A poll is a span in the trace of the call that started the task. */
function endSpan({ request_id, project_id }: DueTask, { call, received }: CallRun): void {
  call.span?.end({ method: 'GET', route: 'task', status: received?.status ?? 0, code: null, request_id, project_id });
}

/** The run of the call, as far as its result goes. */
async function pollRun(app: App, project: Project, task: DueTask, job: Job): Promise<CallRun> {
  const { id, tool_id } = task;
  const caller = taskCaller(project, task, async () => {
    if (!(await isLiveTask(app.database, project.id, id, app.now()))) throw new CallOutdated();
  });
  const tool = await currentTool(app, caller, tool_id);
  refuseUnlessAllowed(tool, caller);
  if (tool.polling === null || tool.origin !== task.origin) throw new CallOutdated();
  const { traceparent } = task;
  const call: ToolCall = { name: tool_id, ...calledOf(task, job) };
  if (traceparent !== null) call.traceparent = traceparent;
  if (job.is_raw) call.raw = 'instead';
  const span = app.tracing?.startRequest(traceparent ?? undefined);
  if (span) call.span = span;
  const run: CallRun = { ...startRun(caller, tool, call), call_id: task.call_id, given: job.given, policy: job.policy };
  run.authorization = await authorize(app, run);
  return run;
}

function statusRequest({ status, location }: PreparedPolling, job: Job): JobRequest {
  if (status !== null) return status;
  if (job.location === null) throw refuse.taskResponseInvalid({ details: { reason: 'location_not_usable' } });
  return { ...location, location: job.location };
}

async function follow(app: App, asked: Asked): Promise<PollResult> {
  const { run, polling, response, path, seen } = asked;
  run.stages = response.stages;
  run.received = { status: response.status, bytes: run.file?.size ?? response.body.length };
  const { rule } = polling;
  const read = readResponse(response);
  const found = readPoll(rule, { origin: run.tool.origin, path }, read);
  if (found.kind === 'working' || found.kind === 'done' || found.kind === 'failed') look(run, rule, read, seen);
  switch (found.kind) {
    case 'working':
      return goOn(app, rule, read, seen);
    case 'retry':
      return goOn(app, rule, read, seen);
    case 'refused':
      return finish(app, asked, response);
    case 'elsewhere':
      throw refuse.taskResponseInvalid({
        details: { reason: 'location_not_usable', upstream_status: response.status },
      });
    case 'failed':
      throw taskFailed(run.tool, polling, read);
    case 'redirect':
      return readElsewhere(app, asked, { ...polling.location, location: found.location });
    case 'done':
      return polling.result === null ? finish(app, asked, response) : readElsewhere(app, asked, polling.result);
  }
}

function look(run: CallRun, rule: PreparedPolling['rule'], read: JobResponse, seen: Seen): void {
  seen.progress = progressAt(rule, read);
  seen.message = messageOf(statusAt(rule, read), run.tool.shaping?.compiled.redact ?? null);
}

/** Without a usable response too: it may be there the next time. */
const goOn = (app: App, rule: PreparedPolling['rule'], read: Pick<JobResponse, 'headers'>, seen: Seen): PollResult => ({
  kind: 'working',
  delay_ms: delayOf(rule, read.headers['retry-after'], app.now()),
  ...seen,
});

/** The result has a URL of its own: it is read once it is there. */
async function readElsewhere(app: App, asked: Asked, request: JobRequest): Promise<PollResult> {
  const { run, job, polling, seen } = asked;
  if (run.file) await discardFile(app, run);
  const response = await sendJobRequest(app, run, job, request);
  run.stages = response.stages;
  run.received = { status: response.status, bytes: run.file?.size ?? response.body.length };
  if (mayPass(response.status)) return goOn(app, polling.rule, response, seen);
  return finish(app, asked, response);
}

/** The last steps of the call. */
async function finish(app: App, { run, polling, seen }: Asked, response: OutboundResponse): Promise<PollResult> {
  run.response = run.file ? response : partOf(polling.rule.result, response);
  for (const step of stepsOfResult) await step(app, run);
  return { kind: 'completed', result: await packResult(app, run), run, seen };
}

/** The part of a response that is the result. Numbers stay as the API wrote them. */
function partOf(path: string | null, response: OutboundResponse): OutboundResponse {
  if (path === null || response.status < 200 || response.status > 299) return response;
  const { value } = readResponse(response, keepNumbers);
  const part = value === undefined ? undefined : valueAt(value, path);
  if (part === undefined) throw refuse.taskResponseInvalid({ details: { reason: 'result_not_found' } });
  const is_text = typeof part === 'string';
  const type = is_text ? 'text/plain; charset=utf-8' : 'application/json';
  const body = Buffer.from(is_text ? part : JSON.stringify(part));
  return { ...response, headers: { ...response.headers, 'content-type': type }, body };
}

const keepNumbers = (text: string): unknown =>
  parseResponse(text) === undefined
    ? undefined
    : JSON.parse(text, ((_key: string, value: unknown, { source }: { source?: string } = {}) =>
        typeof value === 'number' && source !== undefined ? rawJson(source) : value) as never);

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** Network errors and errors of the API's server are retried until the task times out. */
function failureOf(app: App, seen: Seen, error: unknown, run: CallRun | undefined): PollResult {
  if (error instanceof CallOutdated) return { kind: 'outdated' };
  const sent = error instanceof SendError;
  if (!sent && !(error instanceof ApiError)) throw error;
  if (run?.tool.polling && (sent ? error.kind !== 'invalid' : isTemporary(error))) {
    app.metrics.tasks.countPoll('failed');
    return goOn(app, run.tool.polling.rule, { headers: {} }, seen);
  }
  if (error instanceof ApiError) return { kind: 'failed', refusal: error, run, seen };
  const refusal = sendErrorToRefusal(error, (run as CallRun).caller, undefined);
  return { kind: 'failed', refusal: refusal instanceof ApiError ? refusal : refuse.toolExecutionFailed(), run, seen };
}

/** Of this server, or of the one that issues tokens. */
const isTemporary = ({ code }: ApiError) => code === 'SERVICE_UNAVAILABLE' || code === 'UPSTREAM_CONNECTION';
