// A request about a job: signed, authorized and guarded like the call that started it, for the same member. The message is built when
// the request has its slot.

import { namesIn } from '@toolgate/contract/custom-tools/header-template.ts';
import { JOB_ID } from '@toolgate/contract/tasks/rules.ts';
import type { App } from '../../../../app.ts';
import type { Message, OutboundResponse } from '../../../../outbound/messages.ts';
import { redactResponse } from '../../../../outbound/redact-secrets.ts';
import type { Job } from '../../tasks/task.ts';
import type { Authorization } from '../credentials/authorization.ts';
import { overflowIntoFile } from '../files/file-of-response.ts';
import { addContext, type BuiltRequest, buildRequest, contextOf } from '../https/request.ts';
import type { PreparedRequest } from '../prepared-tool.ts';
import type { CallRun } from '../run.ts';
import { authorizationOf, buildCurrent, inSpan, sendAuthorized, timeLeft } from '../send-authorized.ts';

/** `location`: path and query, instead of those of the template. */
export type JobRequest = PreparedRequest & { location?: string };

type Target = Pick<CallRun, 'caller' | 'tool'>;

/** `is_final`: tool and credential may have ended. Otherwise it rejects with CallOutdated if one of them has changed. */
export function sendJobRequest(
  app: App,
  run: CallRun,
  job: Job,
  request: JobRequest,
  { is_final = false }: { is_final?: boolean } = {},
): Promise<OutboundResponse> {
  const { method } = request.shape;
  return inSpan(run, method, async () => {
    const send = (authorization: Authorization, is_late: boolean) => {
      const timeout_ms = timeLeft(run);
      return app.send({
        isolation_key: run.caller.project.fairness_key,
        // Of their own: jobs that are asked about slowly do not hold up calls.
        isolation_part: run.tool.id,
        origin: run.tool.origin,
        method,
        build: (has_waited) =>
          is_final
            ? build(run, run, job, request, authorization)
            : buildCurrent(app, run, has_waited || is_late, (current) =>
                build(run, current, job, request, authorization),
              ),
        timeout_ms,
        headers_timeout_ms: timeout_ms,
        max_response_bytes: run.caller.project.settings.max_response_bytes,
        certificate: run.tool.certificate,
        may_use_built_in: run.caller.project.environment === 'development',
        overflow: method === 'GET' ? overflowIntoFile(app, run, () => authorization.secretForms()) : undefined,
      });
    };
    return redactResponse(await sendAuthorized(run, send), authorizationOf(run).secretForms());
  });
}

/** Path of the request, to which a Location is relative. */
export const pathOfRequest = ({ call_id, caller, call }: CallRun, job: Job, request: JobRequest): string =>
  request.location ?? buildJob(request, { caller, call, call_id }, job).path;

type Asking = Pick<CallRun, 'caller' | 'call' | 'call_id'>;

function buildJob({ shape, location }: JobRequest, { caller, call, call_id }: Asking, job: Job): BuiltRequest {
  const names = new Set([...shape.template.names, ...shape.header_templates.flatMap(namesIn)]);
  const values = job.job_id === null ? job.given : { ...job.given, [JOB_ID]: job.job_id };
  const given = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  // A Location is requested as it came: what identifies the caller is in the headers, as it is for every request about a job.
  const at = location === undefined ? shape : ({ ...shape, context_in: 'headers' } as const);
  const { idempotency_key: _, ...rest } = call;
  const request = buildRequest(at, given, caller, rest, call_id);
  addContext(request.headers, contextOf(caller));
  if (location !== undefined) [request.path = '', request.query = ''] = location.split(/\?(.*)/s);
  return request;
}

function build(
  { call, call_id, span }: CallRun,
  { caller, tool }: Target,
  job: Job,
  { fixed_headers, ...target }: JobRequest,
  authorization: Authorization,
): Message {
  const request = buildJob({ ...target, fixed_headers }, { caller, call, call_id }, job);
  if (span) request.headers.traceparent = span.start();
  authorization.addTo(request, { caller, tool: { ...tool, shape: target.shape } });
  const { path, query, headers, body } = request;
  const message: Message = { path: query === '' ? path : `${path}?${query}`, fixed_headers, headers };
  if (typeof body === 'string') message.body = body;
  return message;
}
