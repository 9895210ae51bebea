// Calls a tool of an MCP server: `tools/call` there, in a session of the caller's own where the revision has sessions. Only the
// arguments, the progress token and the trace context go along.

import type { App } from '../../../../app.ts';
import { refuse } from '../../../../errors/errors.ts';
import type { InputRequired } from '../../../../errors/input-required.ts';
import { callUpstreamTool, type Peer, type ToolRequest } from '../../../../mcp-client/client.ts';
import { McpProblem, type RpcErrorObject, type RpcResponse } from '../../../../mcp-client/message.ts';
import type { OutboundResponse, Stages } from '../../../../outbound/messages.ts';
import { waitWithin } from '../../../../outbound/wait-within.ts';
import { continueTrace } from '../../../../tracing/traceparent.ts';
import type { Authorization } from '../credentials/authorization.ts';
import type { BuiltRequest } from '../https/request.ts';
import { idempotencyScope } from '../idempotency.ts';
import { shapeFailure } from '../results/shape-result.ts';
import type { CallRun } from '../run.ts';
import { authorizationOf, buildCurrent, inSpan, sendAuthorized, timeLeft } from '../send-authorized.ts';
import { type McpResult, readResponse, redactText, shortText } from './mcp-result.ts';
import { problemToRefusal } from './problem-to-refusal.ts';
import { relayAddresses, relayedCapabilities, relayedResponses, relayQuestion } from './relay-elicitation.ts';
import type { McpTarget } from './target.ts';
import { BACKGROUND_MS, createTransport } from './transport.ts';

type McpResponse = OutboundResponse & { mcp: McpResult };

/** Rejects with CallOutdated when the tool changed while the call waited. */
export function callMcp(app: App, run: CallRun, target: McpTarget): Promise<McpResponse> {
  return inSpan(run, 'POST', () => exchange(app, run, target));
}

async function exchange(app: App, run: CallRun, target: McpTarget): Promise<McpResponse> {
  const began = performance.now();
  const sent: Sent = { last: null };
  try {
    const responses = run.call.elicitation?.response ? await relayedResponses(app, run) : {};
    const request = requestOf(run, target, responses);
    const { reply, revision } = await callUpstreamTool(peerOf(app, run, target, sent), target.revision, request);
    target.revision = revision;
    const asked = await questionOf(app, run, target, reply);
    if (asked) throw asked;
    if ('error' in reply) throw await rpcRefusal(app, run, reply.error, sent);
    return responseOf(run, reply.result, sent, performance.now() - began);
  } catch (error) {
    throw error instanceof McpProblem ? problemToRefusal(error) : error;
  }
}

/** The last response: a call may be several requests. */
type Sent = { last: OutboundResponse | null };

/** A server may repeat the credential that it got, and callers must not get it. */
const secretsOf = (run: CallRun) => authorizationOf(run).secretForms();

function peerOf(app: App, run: CallRun, target: McpTarget, sent: Sent): Peer {
  const { project } = run.caller;
  const { requester } = run.call;
  const shared = { project, max_response_bytes: project.settings.max_response_bytes };
  const remaining = () => timeLeft(run);
  const addHeaders = (
    headers: Record<string, string>,
    authorization: Authorization,
    { caller, tool }: Pick<CallRun, 'caller' | 'tool'>,
  ) => authorization.addTo({ headers } as BuiltRequest, { caller, tool });
  const transportWith = (authorization: Authorization, is_late: boolean) =>
    createTransport(app, target.server, {
      ...shared,
      remaining,
      requester,
      addCredential: (headers, has_waited) =>
        buildCurrent(app, run, has_waited || is_late, (current) => addHeaders(headers, authorization, current)),
    });
  return {
    async transport(request) {
      sent.last = await sendAuthorized(run, (authorization, is_late) => transportWith(authorization, is_late)(request));
      return sent.last;
    },
    background: createTransport(app, target.server, {
      ...shared,
      remaining: () => BACKGROUND_MS,
      addCredential: (headers) => addHeaders(headers, authorizationOf(run), run),
    }),
    within: (work) => waitWithin(work, { timeout_ms: remaining(), requester }),
    sessions: app.mcp_sessions,
    session_key: `${target.server.id} ${target.server_version} ${idempotencyScope(run.caller)}`,
  };
}

function requestOf(run: CallRun, target: McpTarget, responses: ToolRequest['responses']): ToolRequest {
  const { call, span, given } = run;
  const traceparent = span ? span.start() : call.traceparent && continueTrace(call.traceparent);
  return {
    name: target.upstream_name,
    arguments: given,
    schema: target.schema,
    meta: { ...call.upstream?.meta, ...(traceparent ? { traceparent } : {}) },
    capabilities: relayedCapabilities(run),
    responses,
    onProgress: call.upstream?.onProgress && passProgress(run, call.upstream.onProgress),
  };
}

/** Its words may have what a result must not have: of a tool that selects, drops or redacts anything, only the numbers are passed on. */
function passProgress(run: CallRun, pass: NonNullable<ToolRequest['onProgress']>) {
  const rule = run.tool.shaping?.compiled;
  const most = !rule ? Number.POSITIVE_INFINITY : rule.needs_json || rule.redact ? 0 : rule.max_bytes;
  return ({ message, ...params }: Record<string, unknown>) => {
    const has_words = typeof message === 'string' && Buffer.byteLength(message) <= most;
    pass(has_words ? { ...params, message: redactText(message, secretsOf(run)) } : params);
  };
}

const URL_ELICITATION_REQUIRED = -32042;

/** What the server asks the user; null: nothing, or nothing that the caller's client could ask. */
async function questionOf(
  app: App,
  run: CallRun,
  target: McpTarget,
  reply: RpcResponse,
): Promise<InputRequired | null> {
  if ('error' in reply) {
    const { code, data } = reply.error;
    return code === URL_ELICITATION_REQUIRED ? relayAddresses(app, run, target, data, secretsOf(run)) : null;
  }
  if (reply.result.resultType !== 'input_required') return null;
  return relayQuestion(app, run, target, reply.result, secretsOf(run));
}

function responseOf(run: CallRun, result: Record<string, unknown>, sent: Sent, duration: number): McpResponse {
  const last = sent.last as OutboundResponse;
  if (result.resultType !== undefined && result.resultType !== 'complete')
    throw new McpProblem('protocol', 'The result is of a kind that this client does not support');
  const { mcp, body, is_json } = readResponse(result, secretsOf(run), run.tool.shaping?.compiled ?? null);
  return {
    status: 200,
    headers: { 'content-type': is_json ? 'application/json' : 'text/plain' },
    head: last.head,
    body: Buffer.from(body),
    truncated: false,
    duration_ms: Math.round(duration),
    stages: stagesOf(last, duration),
    mcp,
  };
}

/** A session may have been begun before. */
const stagesOf = ({ stages }: OutboundResponse, duration: number): Stages => ({
  ...stages,
  upstream_ms: Math.max(stages.upstream_ms, Math.round(duration) - stages.queue_ms - stages.connect_ms),
});

/** What the server says is shown without the credential, and as the tool shapes it. */
async function rpcRefusal(app: App, run: CallRun, { code, message }: RpcErrorObject, sent: Sent) {
  const text = redactText(message, secretsOf(run));
  const said = { headers: { 'content-type': 'text/plain' }, body: Buffer.from(text), truncated: false };
  const { body } = await shapeFailure(app, run.caller, run.tool, { ...(sent.last as OutboundResponse), ...said });
  return refuse.upstreamError({ details: { upstream_code: code, body: shortText(body.toString()) } });
}
