// The outbound request of a call. The message is built and signed when the call has its slot, so that a queued call holds no text.

import { memberOf, type ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { BuildMessage, Message, OutboundRequest } from '../../outbound/messages.ts';
import type { UpstreamSpan } from '../../tracing/tracing.ts';
import type { Arguments } from './arguments.ts';
import { recheck } from './call-access.ts';
import { activeKeys, type Credential } from './credential.ts';
import type { PreparedTool } from './prepared-tool.ts';
import { addContext, type BuiltRequest, buildRequest, contextOf } from './request.ts';
import { canonicalString, encodeMemberId, signatureHeader } from './signature.ts';
import type { ToolCall } from './tool-call.ts';

/** One call, with access checked and arguments validated. */
export type CheckedCall = {
  caller: ToolCaller;
  tool: PreparedTool;
  given: Arguments;
  call: ToolCall;
  call_id: string;
  /** The remaining time of the tool's timeout. */
  timeout_ms: number;
  /** Only while spans are exported. */
  span?: UpstreamSpan;
};

/** Sent as a bearer token. */
type Token = { text: string };

export function toOutbound({ caller, tool, call, timeout_ms }: CheckedCall, build: BuildMessage): OutboundRequest {
  const outbound: OutboundRequest = {
    isolation_key: caller.project.quota_group_id,
    origin: tool.origin,
    method: tool.shape.method,
    build,
    timeout_ms,
    headers_timeout_ms: timeout_ms,
    max_response_bytes: caller.project.settings.max_response_bytes,
    may_use_built_in: caller.project.environment === 'development',
  };
  if (call.signal) outbound.signal = call.signal;
  return outbound;
}

export async function recheckAndBuild(app: App, checked: CheckedCall, token?: Token): Promise<Message> {
  const current = await recheck(app, checked.caller, checked.tool, checked.call.name);
  return build(app, { ...checked, ...current }, token);
}

export function build(app: App, { caller, tool, given, call, call_id, span }: CheckedCall, token?: Token): Message {
  const request = buildRequest(tool.shape, given, caller, call, call_id);
  const { path, query, headers, body } = request;
  if (tool.credential.kind === 'signature') addSignature(app.now(), caller, tool, request, tool.credential);
  if (span) headers.traceparent = span.start();
  if (token) headers.authorization = `Bearer ${token.text}`;
  const message: Message = {
    path: query === '' ? path : `${path}?${query}`,
    fixed_headers: tool.fixed_headers,
    headers,
  };
  if (body !== null) message.body = body;
  return message;
}

/** Adds the headers of the signature. Returns what is signed. */
export function addSignature(
  now: number,
  caller: ToolCaller,
  { host, shape }: PreparedTool,
  { call_id, path, query, headers, body }: BuiltRequest,
  credential: Credential & { kind: 'signature' },
): string {
  const member = memberOf(caller);
  const timestamp = Math.floor(now / 1000);
  const canonical = canonicalString({
    timestamp,
    request_id: call_id,
    method: shape.method,
    host,
    path,
    query,
    body: body ?? '',
    project_id: caller.project.id,
    integration_id: caller.integration_id,
    member_id: member && encodeMemberId(member.external_id),
  });
  if (shape.context_in !== 'headers') addContext(headers, contextOf(caller)); // otherwise buildRequest() has added it
  headers['x-toolgate-timestamp'] = String(timestamp);
  headers['x-toolgate-signature'] = signatureHeader(activeKeys(credential, now), canonical);
  return canonical;
}
