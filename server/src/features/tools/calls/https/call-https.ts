// Calls the customer's API. The message is built and signed when the call has its slot, so that a queued call holds no text.

import type { App } from '../../../../app.ts';
import type { Message, OutboundResponse } from '../../../../outbound/messages.ts';
import { redactResponse } from '../../../../outbound/redact-secrets.ts';
import type { Ready } from '../../../../when-ready.ts';
import type { Authorization } from '../credentials/authorization.ts';
import { overflowIntoFile } from '../files/file-of-response.ts';
import type { CallRun } from '../run.ts';
import { authorizationOf, buildCurrent, inSpan, sendAuthorized, timeLeft } from '../send-authorized.ts';
import { sha256Of, streamOf, withBase64 } from './body-with-files.ts';
import { type BuiltRequest, buildRequest } from './request.ts';

/** Rejects with CallOutdated when the tool changed while the call waited. */
export function callHttps(app: App, run: CallRun): Promise<OutboundResponse> {
  return inSpan(run, run.tool.shape.method, async () => {
    const response = await sendAuthorized(run, (authorization, is_late) => sendOnce(app, run, authorization, is_late));
    return redactResponse(response, authorizationOf(run).secretForms());
  });
}

function sendOnce(app: App, run: CallRun, authorization: Authorization, is_late: boolean): Promise<OutboundResponse> {
  const { caller, tool, call } = run;
  const timeout_ms = timeLeft(run);
  return app.send({
    isolation_key: caller.project.fairness_key,
    origin: tool.origin,
    method: tool.shape.method,
    build: (has_waited) =>
      buildCurrent(app, run, has_waited || is_late, (current) => build(run, current, authorization)),
    timeout_ms,
    headers_timeout_ms: timeout_ms,
    max_response_bytes: caller.project.settings.max_response_bytes,
    may_use_built_in: caller.project.environment === 'development',
    overflow: overflowIntoFile(app, run, () => authorization.secretForms()),
    // Work that a client no longer waits for goes on as a task.
    requester: tool.polling ? undefined : call.requester,
    certificate: tool.certificate,
  });
}

/** `caller` and `tool` are the current ones. A promise only with files. */
function build(run: CallRun, current: Pick<CallRun, 'caller' | 'tool'>, authorization: Authorization): Ready<Message> {
  const { given, call, call_id, files } = run;
  if (files.size > 0) return buildWithFiles(run, current, authorization);
  const request = buildRequest(current.tool.shape, given, current.caller, call, call_id);
  return finish(request, run, current, authorization);
}

async function buildWithFiles(
  run: CallRun,
  current: Pick<CallRun, 'caller' | 'tool'>,
  authorization: Authorization,
): Promise<Message> {
  const { call, call_id, files } = run;
  const { shape, credential } = current.tool;
  const given = shape.sends_files ? run.given : await withBase64(run.given, files);
  const sent = shape.sends_files ? files : undefined;
  const request = buildRequest(shape, given, current.caller, call, call_id, sent);
  if (typeof request.body === 'object' && request.body !== null && credential.kind === 'signature')
    request.body_sha256 = await sha256Of(request.body, files);
  return finish(request, run, current, authorization);
}

function finish(
  request: BuiltRequest,
  { span }: CallRun,
  { caller, tool }: Pick<CallRun, 'caller' | 'tool'>,
  authorization: Authorization,
): Message {
  if (span) request.headers.traceparent = span.start();
  authorization.addTo(request, { caller, tool });
  const { path, query, headers, body } = request;
  const message: Message = {
    path: query === '' ? path : `${path}?${query}`,
    fixed_headers: tool.fixed_headers,
    headers,
  };
  if (body !== null) message.body = typeof body === 'string' ? body : streamOf(body);
  return message;
}
