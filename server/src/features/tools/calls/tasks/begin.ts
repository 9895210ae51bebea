// Reads the first response of a call, and begins its task if work goes on at the API. From then on the job is asked about, by any process.

import { namesIn } from '@toolgate/contract/custom-tools/header-template.ts';
import { compileTemplate } from '@toolgate/contract/custom-tools/path-template.ts';
import type { App } from '../../../../app.ts';
import { transact } from '../../../../database/transact.ts';
import { type ApiError, refuse } from '../../../../errors/errors.ts';
import { enqueue } from '../../../../queue/enqueue.ts';
import { keepFilesUntil } from '../../../files/files/keep.ts';
import { delayOf, type JobResponse, progressAt, readStart, statusAt, valueAt } from '../../tasks/job-response.ts';
import { errorTextOf, messageOf } from '../../tasks/job-text.ts';
import { CANCEL, POLL, taskJob } from '../../tasks/schedule.ts';
import { selectTask, updateTask } from '../../tasks/store.ts';
import { type Job, sealJob, type TaskRow } from '../../tasks/task.ts';
import type { Arguments } from '../arguments.ts';
import { buildRequest } from '../https/request.ts';
import type { PreparedPolling, PreparedTool } from '../prepared-tool.ts';
import { parseResponse, responseText } from '../results/response-text.ts';
import type { CallResponse, CallRun } from '../run.ts';

/** Null: the first response is the result. Throws if the job has failed already, or nobody can say where it is. */
export async function beginTask(app: App, run: CallRun, id: string, polling: PreparedPolling): Promise<TaskRow | null> {
  const { rule } = polling;
  const response = readResponse(run.response as CallResponse);
  const start = readStart(rule, { origin: run.tool.origin, path: pathOfCall(run) }, response);
  switch (start.kind) {
    case 'response':
      return null;
    case 'failed':
      throw taskFailed(run.tool, polling, response);
    case 'unknown':
      throw refuse.taskStartUnknown({ details: { reason: start.reason, upstream_status: response.status } });
    case 'job': {
      const { job_id, location } = start;
      return save(app, run, id, polling, response, {
        job_id,
        location,
        given: givenOf(run.tool, rule, run.given),
        told: run.caller.project.settings.record_payloads ? run.told.arguments : undefined,
        is_raw: run.call.raw === 'instead',
        policy: run.policy,
        waiting_ms: run.approval?.used_after_ms ?? null,
      });
    }
  }
}

async function save(
  app: App,
  run: CallRun,
  id: string,
  { rule }: PreparedPolling,
  response: JobResponse,
  job: Job,
): Promise<TaskRow> {
  const { project } = run.caller;
  const now = app.now();
  const ends_at = now + rule.timeout_seconds * 1000;
  const next = Math.min(ends_at, now + delayOf(rule, response.headers['retry-after'], now));
  const traceparent = run.span?.start() ?? run.call.traceparent ?? null;
  const begin = () =>
    transact(app, async (app) => {
      await enqueue(app, [taskJob(POLL, { id, tool_id: run.tool.id }, project.fairness_key, next)]);
      const files = [...run.files.values()].flatMap(({ stored }) => (stored ? [stored.id] : []));
      await keepFilesUntil(app, project.id, files, ends_at);
      const sealed = await sealJob(app, { id, project_id: project.id }, job);
      const row = await updateTask(
        app.database,
        { project_id: project.id, id },
        {
          status: 'working',
          tool_version: run.tool.version,
          origin: run.tool.origin,
          job: sealed,
          start_ms: Math.round(performance.now() - run.began - run.held_ms),
          progress: progressAt(rule, response),
          message: messageOf(statusAt(rule, response), run.tool.shaping?.compiled.redact ?? null),
          traceparent,
          updated_at: new Date(now).toISOString(),
          expires_at: new Date(ends_at).toISOString(),
        },
        ['starting'],
      );
      return row ?? endedMeanwhile(app, run, id, sealed);
    });
  const row = await app.permits.run(project, begin, { must_run: true });
  if (!row) throw refuse.invalidApiKey();
  return row;
}

/** It was cancelled, and only now it is known which job that is; or it took longer than a start may take. */
async function endedMeanwhile(app: App, { caller: { project }, tool }: CallRun, id: string, job: string) {
  const cancelled = await updateTask(app.database, { project_id: project.id, id }, { job }, ['cancelled']);
  if (!cancelled) return selectTask(app.database, project.id, id, app.now());
  await enqueue(app, [taskJob(CANCEL, { id, tool_id: tool.id }, project.fairness_key, app.now())]);
  return cancelled;
}

/** Of the arguments, what requests about the job have. */
function givenOf(
  { shape }: PreparedTool,
  { status_path, result_path, cancel }: PreparedPolling['rule'],
  given: Arguments,
) {
  const paths = [status_path, result_path, cancel?.path].filter((path) => typeof path === 'string');
  const names = new Set([
    ...paths.flatMap((path) => compileTemplate(path).names),
    ...shape.header_templates.flatMap(namesIn),
  ]);
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
}

/** A Location may be relative to it. Files do not matter to a path. */
const pathOfCall = ({ tool, given, caller, call, call_id }: CallRun): string =>
  buildRequest({ ...tool.shape, encodeBody: noBody }, given, caller, call, call_id).path;

const noBody = () => ({ in_query: null, body: null, content_type: null });

export function readResponse(
  { status, headers, body, truncated }: CallResponse,
  parse: (text: string) => unknown = parseResponse,
): JobResponse {
  const text = truncated ? null : responseText(headers['content-type'] ?? null, body, false);
  return { status, headers, value: text === null || text === '' ? undefined : parse(text) };
}

/** With what the API says about the failure. */
export function taskFailed({ shaping }: PreparedTool, { rule }: PreparedPolling, response: JobResponse): ApiError {
  const redact = shaping?.compiled.redact ?? null;
  const said = rule.error === null ? undefined : valueAt(response.value, rule.error);
  const upstream_error = errorTextOf(said ?? statusAt(rule, response), redact);
  return refuse.taskFailed({ details: upstream_error === null ? {} : { upstream_error } });
}
