// Calls a tool of an MCP server: `tools/call` there, in a session of the caller's own where the revision has sessions. Only the
// arguments, the progress token and the trace context go along.

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import type { InputRequired } from '../../../errors/input-required.ts';
import { callUpstreamTool, type Peer, type ToolRequest } from '../../../mcp-client/client.ts';
import { McpProblem, type RpcErrorObject, type RpcReply } from '../../../mcp-client/message.ts';
import { type OutboundResponse, SendError, type Stages } from '../../../outbound/messages.ts';
import { waitWithin } from '../../../outbound/wait-within.ts';
import { continueTrace } from '../../../tracing/traceparent.ts';
import type { RequestSpan } from '../../../tracing/tracing.ts';
import { type Authorization, type CheckedCall, hasWaited } from './authorization.ts';
import { authorize } from './authorize.ts';
import { recheck } from './call-access.ts';
import { idempotencyScope } from './idempotency.ts';
import { type McpAnswer, readAnswer, redactText, shortText } from './mcp-answer.ts';
import { problemToRefusal } from './mcp-problem.ts';
import type { McpTarget } from './mcp-target.ts';
import { BACKGROUND_MS, createTransport } from './mcp-transport.ts';
import { relayAddresses, relayedAnswers, relayedCapabilities, relayQuestion } from './relay-elicitation.ts';
import type { BuiltRequest } from './request.ts';
import { redactFailure } from './shape-result.ts';

type McpResponse = OutboundResponse & { mcp: McpAnswer };

/** Rejects with CallOutdated when the tool changed while the call waited. */
export function callMcp(app: App, checked: CheckedCall, target: McpTarget): Promise<McpResponse> {
  const { span } = checked.call;
  return span ? callInSpan(app, checked, target, span) : call(app, checked, target);
}

async function callInSpan(
  app: App,
  checked: CheckedCall,
  target: McpTarget,
  parent: RequestSpan,
): Promise<McpResponse> {
  const { call: given, tool } = checked;
  const { id: tool_id, name: tool_name, origin } = tool;
  const span = parent.createUpstream(given.traceparent, { method: 'POST', origin, tool_id, tool_name });
  try {
    const response = await call(app, { ...checked, span }, target);
    span.end({ status: response.status });
    return response;
  } catch (error) {
    span.end({ error: error instanceof SendError ? error.kind : 'refused' });
    throw error;
  }
}

async function call(app: App, checked: CheckedCall, target: McpTarget): Promise<McpResponse> {
  const began = performance.now();
  const remaining = () => Math.max(1, checked.timeout_ms - (performance.now() - began));
  const found = authorize(app, checked, remaining);
  const is_late = found instanceof Promise || hasWaited(checked);
  const authorization = found instanceof Promise ? await found : found;
  const sent: Sent = { last: null, authorization };
  try {
    const peer = peerOf(app, checked, target, { authorization, remaining, is_late, sent });
    const answers = checked.call.elicitation?.answer ? await relayedAnswers(app, checked, target) : {};
    const reply = await callUpstreamTool(peer, target.revision, requestOf(checked, target, answers, sent));
    const question = questionOf(app, checked, target, reply, sent.authorization);
    const asked = question && (await question);
    if (asked) throw asked;
    if ('error' in reply) throw await rpcRefusal(checked, reply.error, sent);
    return responseOf(checked, reply.result, sent, performance.now() - began);
  } catch (error) {
    throw error instanceof McpProblem ? problemToRefusal(error) : error;
  }
}

/** `authorization`: what the last request was sent with. A server may repeat it, and callers must not get it. */
type Sent = { last: OutboundResponse | null; authorization: Authorization };

type Way = { authorization: Authorization; remaining: () => number; is_late: boolean; sent: Sent };

function peerOf(app: App, checked: CheckedCall, target: McpTarget, way: Way): Peer {
  const { caller, tool, call: given } = checked;
  const { project } = caller;
  const { max_response_bytes } = project.settings;
  const shared = { project, max_response_bytes };
  const addCredential = (headers: Record<string, string>, authorization: Authorization) =>
    authorization.addHeaders({ headers } as BuiltRequest, { caller, tool });
  const withCredential = (authorization: Authorization) =>
    createTransport(app, target.server, {
      ...shared,
      remaining: way.remaining,
      requester: given.requester,
      addCredential(headers, has_waited) {
        if (!has_waited && !way.is_late) return addCredential(headers, authorization);
        const current = recheck(app, caller, tool, given.name);
        if (current instanceof Promise) return current.then(() => addCredential(headers, authorization));
        return addCredential(headers, authorization);
      },
    });
  const first = withCredential(way.authorization);
  return {
    async transport(request) {
      const response = await first(request);
      way.sent.last = response;
      if (response.status !== 401) return response;
      // The server has not acted on the request.
      const other = await way.authorization.refused();
      if (!other) return response;
      way.sent.authorization = other;
      way.sent.last = await withCredential(other)(request);
      return way.sent.last;
    },
    background: createTransport(app, target.server, {
      ...shared,
      remaining: () => BACKGROUND_MS,
      addCredential: (headers) => addCredential(headers, way.authorization),
    }),
    within: (work) => waitWithin(work, { timeout_ms: way.remaining(), requester: given.requester }),
    session_key: `${target.server.id} ${target.server_version} ${idempotencyScope(caller)}`,
  };
}

function requestOf(checked: CheckedCall, target: McpTarget, answers: ToolRequest['answers'], sent: Sent): ToolRequest {
  const { call: given, span, given: args } = checked;
  const traceparent = span ? span.start() : given.traceparent && continueTrace(given.traceparent);
  return {
    name: target.upstream_name,
    arguments: args,
    schema: target.schema,
    meta: { ...given.upstream?.meta, ...(traceparent ? { traceparent } : {}) },
    capabilities: relayedCapabilities(checked, target),
    answers,
    onProgress: given.upstream?.onProgress && passProgress(checked, given.upstream.onProgress, sent),
  };
}

/** Its words may have what a result must not have. If the tool redacts anything, only the numbers are passed on. */
function passProgress({ tool }: CheckedCall, pass: NonNullable<ToolRequest['onProgress']>, sent: Sent) {
  return ({ message, ...params }: Record<string, unknown>) => {
    const has_words = typeof message === 'string' && tool.failure_shaping === null;
    pass(has_words ? { ...params, message: redactText(message, sent.authorization.secretForms()) } : params);
  };
}

const URL_ELICITATION_REQUIRED = -32042;

/** What the server asks the user; null: nothing, or nothing that the caller's client could ask. */
function questionOf(
  app: App,
  checked: CheckedCall,
  target: McpTarget,
  reply: RpcReply,
  authorization: Authorization,
): Promise<InputRequired | null> | null {
  if ('error' in reply) {
    const { code, data } = reply.error;
    return code === URL_ELICITATION_REQUIRED
      ? relayAddresses(app, checked, target, data, authorization.secretForms())
      : null;
  }
  if (reply.result.resultType !== 'input_required') return null;
  return relayQuestion(app, checked, target, reply.result, authorization.secretForms());
}

function responseOf({ tool }: CheckedCall, result: Record<string, unknown>, sent: Sent, duration: number): McpResponse {
  const last = sent.last as OutboundResponse;
  if (result.resultType !== undefined && result.resultType !== 'complete')
    throw new McpProblem('protocol', 'The result is of a kind that this client does not know');
  const mcp = readAnswer(result, sent.authorization.secretForms());
  const text = bodyText(mcp, tool.shaping !== null || tool.failure_shaping !== null);
  return {
    status: 200,
    headers: { 'content-type': text.is_json ? 'application/json' : 'text/plain' },
    head: last.head,
    body: Buffer.from(text.text),
    truncated: false,
    duration_ms: Math.round(duration),
    stages: stagesOf(last, duration),
    mcp,
  };
}

/** What is shaped and recorded: the structured result, else the text, else the content as it is. */
function bodyText({ structured, text, content }: McpAnswer, is_shaped: boolean): { text: string; is_json: boolean } {
  if (structured !== null) return { text: structured, is_json: true };
  return is_shaped && text !== null ? { text, is_json: false } : { text: `[${content}]`, is_json: true };
}

/** A session may have been begun before. */
const stagesOf = ({ stages }: OutboundResponse, duration: number): Stages => ({
  ...stages,
  upstream_ms: Math.max(stages.upstream_ms, Math.round(duration) - stages.queue_ms - stages.connect_ms),
});

/** What the server says is shown without the credential, and without what the tool redacts. */
async function rpcRefusal({ caller, tool }: CheckedCall, { code, message }: RpcErrorObject, sent: Sent) {
  const text = redactText(message, sent.authorization.secretForms());
  const said = { headers: { 'content-type': 'text/plain' }, body: Buffer.from(text), truncated: false };
  const { body } = await redactFailure(caller, tool, { ...(sent.last as OutboundResponse), ...said });
  return refuse.upstreamError({ details: { upstream_code: code, body: shortText(body.toString()) } });
}
