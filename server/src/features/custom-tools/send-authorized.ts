// Sends a call with its credential: a fixed header, a signature over exactly the bytes that are sent, or an access token. The
// request is built and signed when the call has its slot, so that a queued call holds no text.

import type { ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { ApiError } from '../../errors.ts';
import type { BuildMessage, Message, OutboundRequest, OutboundResponse } from '../../outbound/messages.ts';
import type { Arguments } from './arguments.ts';
import { CallOutdated, recheck } from './call-access.ts';
import { type AccessToken, accessToken, cachedToken, tokenForms, tokenRefused } from './client-credentials.ts';
import { activeKeys, type Credential } from './credential.ts';
import type { PreparedTool } from './prepared-tool.ts';
import { redactSecrets } from './redact-secrets.ts';
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
};

/** Rejects with CallOutdated when the tool changed while the call waited. */
export function sendAuthorized(app: App, checked: CheckedCall): Promise<OutboundResponse> {
  const { credential } = checked.tool;
  if (credential.kind === 'unreadable') throw credential.cause;
  if (credential.kind === 'token') return sendWithToken(app, checked, credential);
  const sent = app.send(
    toOutbound(checked, (has_waited) => (has_waited ? recheckAndBuild(app, checked) : build(app, checked))),
  );
  const { secret_forms } = credential;
  return secret_forms.length === 0 ? sent : sent.then((response) => redacted(response, secret_forms));
}

function redacted(response: OutboundResponse, secret_forms: readonly Buffer[]): OutboundResponse {
  redactSecrets(response.body, response.truncated, secret_forms);
  return response;
}

function toOutbound({ caller, tool, call, timeout_ms }: CheckedCall, build: BuildMessage): OutboundRequest {
  const outbound: OutboundRequest = {
    isolation_key: caller.project.quota_group_id,
    origin: tool.origin,
    method: tool.shape.method,
    build,
    timeout_ms,
    headers_timeout_ms: timeout_ms,
    max_response_bytes: caller.project.settings.max_response_bytes,
  };
  if (call.signal) outbound.signal = call.signal;
  return outbound;
}

async function recheckAndBuild(app: App, checked: CheckedCall, token?: AccessToken): Promise<Message> {
  const current = await recheck(app, checked.caller, checked.tool, checked.call.name);
  return build(app, { ...checked, ...current }, token);
}

function build(app: App, { caller, tool, given, call, call_id }: CheckedCall, token?: AccessToken): Message {
  const request = buildRequest(tool.shape, given, caller, call, call_id);
  const { path, query, headers, body } = request;
  if (tool.credential.kind === 'signature') addSignature(app.now(), caller, tool, request, tool.credential);
  if (token) headers.authorization = `Bearer ${token.text}`;
  const message: Message = {
    path: query === '' ? path : `${path}?${query}`,
    fixed_headers: tool.fixed_headers,
    headers,
  };
  if (body !== null) message.body = body;
  return message;
}

function addSignature(
  now: number,
  caller: ToolCaller,
  { host, shape }: PreparedTool,
  { call_id, path, query, headers, body }: BuiltRequest,
  credential: Credential & { kind: 'signature' },
): void {
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
    member_id: caller.kind === 'member' ? encodeMemberId(caller.external_id) : null,
  });
  if (shape.context_in !== 'headers') addContext(headers, contextOf(caller)); // otherwise buildRequest() has added it
  headers['x-toolgate-timestamp'] = String(timestamp);
  headers['x-toolgate-signature'] = signatureHeader(activeKeys(credential, now), canonical);
}

/** The token is fetched before the call is queued: a call that held a slot while it waited for another could deadlock. */
async function sendWithToken(
  app: App,
  checked: CheckedCall,
  { source, secret_forms }: Credential & { kind: 'token' },
): Promise<OutboundResponse> {
  const began = performance.now();
  const found = accessToken(app, source, {
    quota_group_id: checked.caller.project.quota_group_id,
    recheck: () => recheckForAll(app, checked),
  });
  const has_fetched = found instanceof Promise;
  let token = await found;
  const timeout_ms = Math.max(1, checked.timeout_ms - (performance.now() - began));
  const response = await app.send(
    toOutbound({ ...checked, timeout_ms }, (has_waited) => {
      // Another call may have fetched a newer token meanwhile.
      token = cachedToken(app, source) ?? token;
      return has_waited || has_fetched ? recheckAndBuild(app, checked, token) : build(app, checked, token);
    }),
  );
  if (response.status === 401) tokenRefused(app, source, token);
  return redacted(redacted(response, secret_forms), tokenForms(token));
}

/** Several calls may wait for one token: a refusal of the call that fetches it must not be thrown to the others. */
async function recheckForAll(app: App, { caller, tool, call }: CheckedCall): Promise<void> {
  try {
    await recheck(app, caller, tool, call.name);
  } catch (error) {
    throw error instanceof ApiError ? new CallOutdated() : error;
  }
}
