// Sends a call. The message is built and signed when the call has its slot, so that a queued call holds no text.

import type { App } from '../../../app.ts';
import { type Message, type OutboundResponse, SendError } from '../../../outbound/messages.ts';
import { redactResponse } from '../../../outbound/redact-secrets.ts';
import type { RequestSpan } from '../../../tracing/tracing.ts';
import { type Authorization, type CheckedCall, hasWaited } from './authorization.ts';
import { authorize } from './authorize.ts';
import { recheck } from './call-access.ts';
import { buildRequest } from './request.ts';

/** Rejects with CallOutdated when the tool changed while the call waited. */
export function sendAuthorized(app: App, checked: CheckedCall): Promise<OutboundResponse> {
  const { span } = checked.call;
  return span ? sendInSpan(app, checked, span) : sendWithCredential(app, checked);
}

async function sendInSpan(app: App, checked: CheckedCall, parent: RequestSpan): Promise<OutboundResponse> {
  const { call, tool } = checked;
  const { id: tool_id, name: tool_name, origin, shape } = tool;
  const span = parent.createUpstream(call.traceparent, { method: shape.method, origin, tool_id, tool_name });
  try {
    const response = await sendWithCredential(app, { ...checked, span });
    span.end({ status: response.status });
    return response;
  } catch (error) {
    span.end({ error: error instanceof SendError ? error.kind : 'refused' });
    throw error;
  }
}

async function sendWithCredential(app: App, checked: CheckedCall): Promise<OutboundResponse> {
  const began = performance.now();
  const remaining = () => Math.max(1, checked.timeout_ms - (performance.now() - began));
  const found = authorize(app, checked, remaining);
  const has_waited = found instanceof Promise || hasWaited(checked);
  const authorization = found instanceof Promise ? await found : found;
  const response = await sendOnce(app, checked, remaining(), authorization, has_waited);
  redactResponse(response, authorization.secretForms());
  if (response.status !== 401) return response;
  const other = await authorization.refused();
  if (!other) return response;
  return redactResponse(await sendOnce(app, checked, remaining(), other, true), other.secretForms());
}

/** `is_late`: time has passed since access was checked. */
function sendOnce(
  app: App,
  checked: CheckedCall,
  timeout_ms: number,
  authorization: Authorization,
  is_late: boolean,
): Promise<OutboundResponse> {
  const { caller, tool, call } = checked;
  return app.send({
    isolation_key: caller.project.fairness_key,
    origin: tool.origin,
    method: tool.shape.method,
    build: (has_waited) =>
      has_waited || is_late ? recheckAndBuild(app, checked, authorization) : build(checked, checked, authorization),
    timeout_ms,
    headers_timeout_ms: timeout_ms,
    max_response_bytes: caller.project.settings.max_response_bytes,
    may_use_built_in: caller.project.environment === 'development',
    requester: call.requester,
  });
}

function recheckAndBuild(app: App, checked: CheckedCall, authorization: Authorization): Message | Promise<Message> {
  const current = recheck(app, checked.caller, checked.tool, checked.call.name);
  return current instanceof Promise
    ? current.then((loaded) => build(checked, loaded, authorization))
    : build(checked, current, authorization);
}

/** `caller` and `tool` are the current ones. */
function build(
  { given, call, call_id, span }: CheckedCall,
  { caller, tool }: Pick<CheckedCall, 'caller' | 'tool'>,
  authorization: Authorization,
): Message {
  const request = buildRequest(tool.shape, given, caller, call, call_id);
  const { path, query, headers, body } = request;
  if (span) headers.traceparent = span.start();
  authorization.addHeaders(request, { caller, tool });
  const message: Message = {
    path: query === '' ? path : `${path}?${query}`,
    fixed_headers: tool.fixed_headers,
    headers,
  };
  if (body !== null) message.body = body;
  return message;
}
