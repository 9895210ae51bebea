// Sends a built request with what proves that it comes from us: a fixed header (in the request already), a signature
// over exactly these bytes, or an access token.

import type { ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { OutboundAnswer, OutboundRequest, Signal } from '../../outbound/messages.ts';
import { accessToken, type TokenSource, tokenRefused } from './client-credentials.ts';
import type { Credential } from './credential.ts';
import type { PreparedTool } from './prepared-tool.ts';
import { addContext, type BuiltRequest, contextOf } from './request.ts';
import { canonicalString, encodeMemberId, signatureHeader } from './signature.ts';

export function sendAuthorized(
  app: App,
  caller: ToolCaller,
  tool: PreparedTool,
  request: BuiltRequest,
  signal: Signal | undefined,
): Promise<OutboundAnswer> {
  const { credential } = tool;
  const outbound = toOutbound(caller, tool, request, signal);
  switch (credential.kind) {
    case 'header':
      return app.send(outbound);
    case 'signature':
      sign(app.now(), caller, tool, request, credential);
      return app.send(outbound);
    case 'token':
      return sendWithToken(app, outbound, request, credential.source);
    case 'unreadable':
      throw credential.cause;
  }
}

function toOutbound(
  caller: ToolCaller,
  { origin, shape, fixed_headers, timeout_ms }: PreparedTool,
  { path, query, headers, body }: BuiltRequest,
  signal: Signal | undefined,
): OutboundRequest {
  const outbound: OutboundRequest = {
    project_id: caller.project.id,
    origin,
    path: query === '' ? path : `${path}?${query}`,
    method: shape.method,
    fixed_headers,
    headers,
    timeout_ms,
    headers_timeout_ms: timeout_ms,
    max_response_bytes: caller.project.settings.max_response_bytes,
  };
  if (body !== null) outbound.body = body;
  if (signal) outbound.signal = signal;
  return outbound;
}

function sign(
  now: number,
  caller: ToolCaller,
  { host, shape }: PreparedTool,
  { call_id, path, query, headers, body }: BuiltRequest,
  { key, previous, previous_until }: Credential & { kind: 'signature' },
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
  if (shape.context_in !== 'headers') addContext(headers, contextOf(caller)); // else they are there already
  headers['x-toolgate-timestamp'] = String(timestamp);
  headers['x-toolgate-signature'] = signatureHeader(key, now < previous_until ? previous : null, canonical);
}

async function sendWithToken(
  app: App,
  outbound: OutboundRequest,
  { headers }: BuiltRequest,
  source: TokenSource,
): Promise<OutboundAnswer> {
  const began = performance.now();
  const token = await accessToken(app, source);
  headers.authorization = `Bearer ${token.text}`;
  const timeout_ms = Math.max(1, outbound.timeout_ms - (performance.now() - began));
  const answer = await app.send({ ...outbound, timeout_ms });
  if (answer.status === 401) tokenRefused(app, source, token);
  return answer;
}
