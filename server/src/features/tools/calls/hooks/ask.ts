// Asks one hook about one call: signs the request like that of a tool, sends it through the address guard, and reads the response.
// It never throws because of the hook: a hook that gives no usable response has failed.

import { type HookPoint, MAX_HOOK_RESPONSE_BYTES } from '@toolgate/contract/hooks/rules.ts';
import type { Project } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { version as server_version } from '../../../../installation.ts';
import { type Message, SendError } from '../../../../outbound/messages.ts';
import type { Requester } from '../../../../outbound/requester.ts';
import { continueTrace } from '../../../../tracing/traceparent.ts';
import type { RequestSpan, UpstreamSpan } from '../../../../tracing/tracing.ts';
import { type Hints, type PreparedHook, signingKeys } from '../../hooks/prepared-hooks.ts';
import { addContext, type Context } from '../https/request.ts';
import { canonicalString, encodeMemberId, signatureHeader } from '../https/signature.ts';
import { type HookDecision, type HookFailure, readResponse } from './response.ts';

/** What a hook is told about a call, beside its arguments or its result. */
export type HookSubject = {
  project: Pick<Project, 'id' | 'fairness_key'>;
  call_id: string;
  tool: { id: string; name: string; version: number; hints: Hints | null };
  member: { id: string; external_id: string; claims: Readonly<Record<string, unknown>> } | null;
  integration_id: string | null;
  /** The OAuth client, and what an MCP client calls itself. */
  client: { id: string | null; name: string | null } | null;
  is_test: boolean;
  traceparent: string | undefined;
  requester: Requester | undefined;
  /** For the request; only while spans are exported. */
  span?: RequestSpan | undefined;
};

/** `text`: the arguments or the result, as JSON. It is inserted as it is, so that long numbers stay exact. */
export type Asked = { point: HookPoint; text: string };

/** The body that is sent: all that a hook learns. Fixed arguments, headers and secrets of tools are not part of it. */
export function hookBody(
  { call_id, tool, member, integration_id, client }: HookSubject,
  { point, text }: Asked,
): string {
  const integration = integration_id === null ? null : { id: integration_id };
  const about = JSON.stringify({ call_id, point, tool, member, integration, client });
  return `${about.slice(0, -1)},"${point === 'before' ? 'arguments' : 'result'}":${text}}`;
}

/** Rejects only with a SendError of the kind `aborted`: the caller is gone, or the server is closing. */
export async function askHook(
  app: App,
  hook: PreparedHook,
  subject: HookSubject,
  asked: Asked,
  timeout_ms: number,
): Promise<HookDecision | HookFailure> {
  if (hook.keys === null) return failed("The hook's secret cannot be decrypted.");
  if (timeout_ms <= 0) return failed("The call's hooks took too long in total.");
  const span = spanOf(hook, subject, asked);
  try {
    const response = await app.send({
      isolation_key: subject.project.fairness_key,
      // Own slots, connections and circuit breaker: a hook that hangs delays neither tools nor other hooks.
      isolation_part: hook.id,
      origin: hook.origin,
      method: 'POST',
      build: () => buildMessage(app.now(), hook, subject, { ...asked, span }),
      timeout_ms,
      headers_timeout_ms: timeout_ms,
      max_response_bytes: MAX_HOOK_RESPONSE_BYTES,
      certificate: hook.certificate,
      requester: subject.requester,
    });
    span?.end({ status: response.status });
    return readResponse(response, { point: asked.point, may_change: hook.may_change });
  } catch (error) {
    span?.end({ error: error instanceof SendError ? error.kind : 'refused' });
    if (!(error instanceof SendError) || error.kind === 'aborted') throw error;
    const { id: project_id } = subject.project;
    app.log.warn({ project_id, hook_id: hook.id, kind: error.kind, reason: error.reason }, 'a hook was not reached');
    return failed(wordsFor(error));
  }
}

function spanOf({ id, origin }: PreparedHook, { tool, traceparent, span }: HookSubject, { point }: Asked) {
  const about = { method: 'POST', origin, tool_id: tool.id, tool_name: tool.name, hook: { id, point } };
  return span?.createUpstream(traceparent, about);
}

const failed = (reason: string): HookFailure => ({ decision: 'failed', reason });

/** A refused, an unreachable and a forbidden address are reported alike, so that nobody can scan a network. */
function wordsFor({ kind }: SendError): string {
  if (kind === 'timeout') return 'The hook did not respond in time.';
  return kind === 'overloaded' ? 'Too many calls are waiting for the hook.' : 'The hook could not be reached.';
}

function buildMessage(
  now: number,
  hook: PreparedHook,
  subject: HookSubject,
  asked: Asked & { span: UpstreamSpan | undefined },
): Message {
  const { call_id, project, member, integration_id } = subject;
  const body = hookBody(subject, asked);
  const timestamp = Math.floor(now / 1000);
  const { host, path, query, keys } = hook;
  const canonical = canonicalString({
    timestamp,
    request_id: call_id,
    method: 'POST',
    host,
    path,
    query,
    body,
    project_id: project.id,
    integration_id,
    member_id: member && encodeMemberId(member.external_id),
  });
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `toolgate-hooks/${server_version}`,
    'x-toolgate-request-id': call_id,
    'x-toolgate-timestamp': String(timestamp),
    'x-toolgate-signature': signatureHeader(keys ? signingKeys(keys, now) : [], canonical),
  };
  addContext(headers, contextOf(subject));
  if (subject.is_test) headers['x-toolgate-test'] = 'true';
  const continued = subject.traceparent === undefined ? null : continueTrace(subject.traceparent);
  const trace = asked.span?.start() ?? continued;
  if (trace !== null) headers.traceparent = trace;
  return { path: query === '' ? path : `${path}?${query}`, headers, body };
}

function contextOf({ project, integration_id, member }: HookSubject): Context {
  return {
    project_id: project.id,
    ...(integration_id !== null && { integration_id }),
    ...(member && { member_id: member.external_id }),
  };
}
