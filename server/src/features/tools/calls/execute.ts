// POST /custom-tools/{id or name}/execute: calls a tool over REST. A JSON response is passed on as the customer wrote it.

import type { ToolExecution } from '@toolgate/contract/custom-tools/tool-execution.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AccountCaller,
  hasPermission,
  memberOf,
  type TokenCaller,
  type ToolCaller,
} from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import { requesterOf } from '../../../api/client-disconnect.ts';
import { fingerprintOf } from '../../../api/create.ts';
import { runOnce } from '../../../api/run-once.ts';
import { sendJson } from '../../../api/send-json.ts';
import type { App } from '../../../app.ts';
import { appearance, isRetryable } from '../../../errors/call-failure.ts';
import { FailedCall } from '../../../errors/failed-call.ts';
import { showFile } from '../../files/files/file.ts';
import { findFile } from '../../files/files/find.ts';
import { measureArguments } from './arguments.ts';
import { currentTool, refuseUnlessAllowed } from './call-access.ts';
import { callTool } from './call-tool.ts';
import { idempotencyScope, upstreamIdempotencyKey } from './idempotency.ts';
import { shapedContent } from './mcp/mcp-result.ts';
import { modelText } from './results/model-text.ts';
import { renderValue } from './results/render-off-thread.ts';
import { withoutCharset } from './results/response-text.ts';
import { refuseTestMember, testCaller } from './test-caller.ts';
import type { ToolCall, ToolResult, Transport } from './tool-call.ts';

/** Longer than any call can take, with its hooks. */
const LEASE_MS = 80_000;
const REST: Transport = { name: 'rest', client_name: null, protocol_version: null };

type Input = {
  raw: FastifyRequest;
  params: { tool_id: string };
  query: { raw?: boolean | undefined };
  body: ToolExecution | undefined;
  reply: FastifyReply;
};

export async function executeTool(app: App, input: Input): Promise<FastifyReply> {
  const { raw, reply } = input;
  if (input.query.raw && !hasPermission(raw.caller, 'write'))
    throw lacksPermission(raw.caller, 'write', { field: 'raw', value: 'true' });
  const caller = await toolCallerOf(app, input);
  const call = readCall(input);
  const key = raw.headers['idempotency-key'];
  if (typeof key !== 'string') {
    call.requester = requesterOf(raw);
    const result = await callOverRest(app, caller, call);
    const file = result.file && JSON.stringify(await showFile(app, result.file));
    return sendJson(reply, await resultParts(app, caller, result, file));
  }

  // The call continues when its caller disconnects: a retry with the same key gets its result.
  const { text, replayed } = await runOnce(
    app,
    {
      project_id: caller.project.id,
      fairness_key: caller.project.fairness_key,
      scope: idempotencyScope(caller),
      member_id: memberOf(caller)?.member_id ?? null,
      key,
      fingerprint: fingerprintOf(raw),
      lease_ms: LEASE_MS,
    },
    async () => {
      call.idempotency_key = await upstreamIdempotencyKey(app, caller, key);
      const result = await callOverRest(app, caller, call);
      // Its link is no part of what is stored.
      const file = result.file && JSON.stringify(result.file.id);
      const parts = (await resultParts(app, caller, result, file)).map((part) => Buffer.from(part));
      return { text: Buffer.concat(parts).toString(), call_id: result.call_id };
    },
  );
  if (replayed) {
    // Who may no longer make the call does not get its result either.
    refuseUnlessAllowed(await currentTool(app, caller, call.name), caller);
    reply.header('idempotent-replayed', 'true');
  }
  return reply.type('application/json; charset=utf-8').send(await withLink(app, caller, text));
}

/** The beginning of a stored result that is a file. Nothing that an API returns can look like it: `null` is followed by our own field. */
const STORED_FILE =
  /^(\{"call_id":"\w+","status":\d+,"content_type":(?:null|"(?:[^"\\]|\\.)*"),"body":null,"file":)"(fil_\w+)"/;

/** Every response has a link of its own. */
async function withLink(app: App, caller: ToolCaller, text: string): Promise<string> {
  const [start = '', before = '', id] = STORED_FILE.exec(text) ?? [];
  if (id === undefined) return text;
  const file = await app.permits.run(caller.project, () => findFile(app, caller, id));
  return `${before}${file ? JSON.stringify(await showFile(app, file)) : 'null'}${text.slice(start.length)}`;
}

/** Who tries a tool is shown what a model would read if the same call failed over MCP. */
async function callOverRest(app: App, caller: ToolCaller, call: ToolCall): Promise<ToolResult> {
  const outcome = await callTool(app, caller, call);
  if (!(outcome instanceof FailedCall)) return outcome;
  const { refusal, call_id } = outcome;
  if (caller.kind === 'test' && appearance(refusal) !== 'status') {
    const text = modelText(refusal, call_id, call.request_id);
    refusal.details.for_model = { text, retryable: isRetryable(refusal) };
  }
  throw outcome;
}

/** For a person: the caller of a test. */
async function toolCallerOf(app: App, { raw, body }: Input): Promise<ToolCaller> {
  const { caller } = raw;
  if (caller.kind === 'account')
    return testCaller(app, raw as FastifyRequest & { caller: AccountCaller }, body?.member_external_id);
  refuseTestMember(body?.member_external_id);
  return caller as TokenCaller;
}

function readCall({ raw: { headers, id, span, caller }, params, query, body }: Input): ToolCall {
  const given = body?.arguments === undefined ? {} : body.arguments;
  const body_bytes = Number(headers['content-length']) || Number.POSITIVE_INFINITY;
  const call: ToolCall = {
    name: params.tool_id,
    arguments: given,
    argument_bytes: measureArguments(given, body_bytes),
    request_id: id,
    transport: REST,
  };
  // Who tries a tool sees both.
  if (query.raw) call.raw = 'instead';
  else if (caller.kind === 'account') call.raw = 'beside';
  const approval_id = headers['x-toolgate-approval'];
  if (typeof approval_id === 'string') call.approval_id = approval_id;
  const { traceparent } = headers;
  if (typeof traceparent === 'string') call.traceparent = traceparent;
  if (span) call.span = span;
  return call;
}

/** For a tool of an MCP server whose result is not structured: its content, as it was shaped. */
function contentOf({ mcp, shaped, body }: ToolResult): string | null {
  if (!mcp || mcp.structured !== null) return null;
  return `[${shaped ? shapedContent(mcp, body.toString()) : mcp.content}]`;
}

/** `file`: as JSON. The customer's JSON is inserted as text: parsing and serializing it would change long numbers and cost time. */
async function resultParts(
  app: App,
  { project }: ToolCaller,
  result: ToolResult,
  file: string | null,
): Promise<(string | Uint8Array)[]> {
  const { call_id, status, content_type, truncated, shaped, result_tokens, shaped_tokens, duration_ms } = result;
  const key = project.fairness_key;
  const body =
    (file && `null,"file":${file}`) ??
    contentOf(result) ??
    (shaped?.is_json
      ? result.body
      : await renderValue(app, key, shaped ? { ...result, content_type: withoutCharset(content_type) } : result));
  const whole =
    result.raw_body && (await renderValue(app, key, { ...result, body: result.raw_body, truncated: false }));
  const head = `{"call_id":"${call_id}","status":${status},"content_type":${JSON.stringify(content_type)},"body":`;
  const truncation = JSON.stringify(shaped?.truncation ?? null);
  const tokens = `"result_tokens":${result_tokens},"shaped_tokens":${shaped_tokens}`;
  const tail = `,"truncated":${truncated},"truncation":${truncation},${tokens},"duration_ms":${duration_ms}`;
  const raw = whole === null ? [] : [',"raw_body":', whole];
  return typeof body === 'string' && whole === null ? [`${head}${body}${tail}}`] : [head, body, tail, ...raw, '}'];
}
