// POST /custom-tools/{id or name}/execute: calls a tool over REST. A JSON response is passed on as the customer wrote it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountCaller, TokenCaller, ToolCaller } from '../../access/caller.ts';
import { disconnectSignal } from '../../api/client-disconnect.ts';
import { fingerprintOf } from '../../api/create.ts';
import { runOnce } from '../../api/run-once.ts';
import { sendJson } from '../../api/send-json.ts';
import type { App } from '../../app.ts';
import type { Reason } from '../../remedies.ts';
import { measureArguments } from './arguments.ts';
import { callTool } from './call.ts';
import { idempotencyScope, upstreamIdempotencyKey } from './idempotency.ts';
import { isJson, isJsonResponse, responseText } from './response-text.ts';
import { refuseTestMember, testCaller, testMember } from './test-caller.ts';
import type { Door, ToolCall, ToolResult } from './tool-call.ts';

/** Longer than any call can take. */
const LEASE_MS = 65_000;
const REST: Door = { name: 'rest', client_name: null, protocol_version: null };

const NOT_WRAPPED: Reason = 'arguments_not_wrapped';

export const execution = z
  .strictObject(
    {
      arguments: z
        .unknown()
        .optional()
        .meta({
          override: {
            type: 'object',
            additionalProperties: true,
            description: 'The arguments, as the `input_schema` of the tool defines them',
          },
        }),
      member_external_id: testMember,
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? NOT_WRAPPED : undefined) },
  )
  .meta({ id: 'ToolExecution' });

export const executionResult = z
  .strictObject({
    call_id: z.string().meta({ description: 'Id of this call; also sent to the customer, as X-Toolgate-Request-Id' }),
    status: z.int().meta({ description: "The customer's status: 200 to 299" }),
    content_type: z
      .string()
      .nullable()
      .meta({ description: "The Content-Type of the customer's response; null if it had none" }),
    body: z.unknown().meta({
      description: 'What the customer responded: a JSON value if the response is JSON of at most 100 levels, else text',
    }),
    truncated: z
      .boolean()
      .meta({ description: 'The response was longer than `max_response_bytes`; `body` is text then' }),
    duration_ms: z.int().meta({ description: 'How long the call took, in milliseconds' }),
  })
  .meta({ id: 'ToolExecutionResult' });

type Request = Pick<FastifyRequest, 'headers' | 'method' | 'url' | 'caller' | 'id' | 'span' | 'reauthorize'> & {
  params: { tool_id: string };
  body: z.infer<typeof execution> | undefined;
};

export async function executeTool(app: App, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const caller = await toolCallerOf(app, request);
  const call = readCall(request);
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') {
    call.signal = disconnectSignal(reply);
    return sendJson(reply, resultText(await callTool(app, caller, call)));
  }

  // The call continues when its caller disconnects: a retry with the same key gets its result.
  const { text, replayed } = await runOnce(
    app,
    {
      project_id: caller.project.id,
      quota_group_id: caller.project.quota_group_id,
      scope: idempotencyScope(caller),
      key,
      fingerprint: fingerprintOf(request as FastifyRequest),
      lease_ms: LEASE_MS,
    },
    async () => {
      call.idempotency_key = await upstreamIdempotencyKey(app, caller, key);
      const result = await callTool(app, caller, call);
      return { text: resultText(result), call_id: result.call_id };
    },
  );
  if (replayed) reply.header('idempotent-replayed', 'true');
  return reply.type('application/json; charset=utf-8').send(text);
}

/** Of a person: the caller of a test. */
async function toolCallerOf(app: App, request: Request): Promise<ToolCaller> {
  const { caller, body } = request;
  if (caller.kind === 'account')
    return testCaller(app, request as Request & { caller: AccountCaller }, body?.member_external_id);
  refuseTestMember(body?.member_external_id);
  return caller as TokenCaller;
}

function readCall({ params, body, headers, id, span }: Request): ToolCall {
  const given = body?.arguments === undefined ? {} : body.arguments;
  const body_bytes = Number(headers['content-length']) || Number.POSITIVE_INFINITY;
  const call: ToolCall = {
    name: params.tool_id,
    arguments: given,
    argument_bytes: measureArguments(given, body_bytes),
    request_id: id,
    door: REST,
  };
  const { traceparent } = headers;
  if (typeof traceparent === 'string') call.traceparent = traceparent;
  if (span) call.span = span;
  return call;
}

/** The customer's JSON is inserted as text: parsing and serializing it would change long numbers and cost time. */
function resultText({ call_id, status, content_type, body, truncated, duration_ms }: ToolResult): string {
  const head = `{"call_id":"${call_id}","status":${status},"content_type":${JSON.stringify(content_type)},"body":`;
  return `${head}${bodyText(content_type, body, truncated)},"truncated":${truncated},"duration_ms":${duration_ms}}`;
}

function bodyText(content_type: string | null, body: Buffer, truncated: boolean): string {
  const text = responseText(content_type, body, truncated);
  // Neither JSON nor text: a REST result has no other field for it.
  if (text === null) return JSON.stringify(body.toString('utf8'));
  // The body may not be JSON although its type says so, or be nested too deep.
  const isPassedOnAsJson = !truncated && isJson(content_type ?? '') && isJsonResponse(text);
  return isPassedOnAsJson ? text : JSON.stringify(text);
}
