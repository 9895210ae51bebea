// POST /custom-tools/{id or name}/execute: calls a tool over REST. A JSON response is passed on as the customer wrote it.

import type { ToolExecution } from '@toolgate/contract/custom-tools/tool-execution.ts';
import { MAX_WAIT_SECONDS } from '@toolgate/contract/tasks/rules.ts';
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
import { refuse } from '../../../errors/errors.ts';
import { FailedCall } from '../../../errors/failed-call.ts';
import { showFile } from '../../files/files/file.ts';
import { findFile } from '../../files/files/find.ts';
import { StartedTask } from '../tasks/started-task.ts';
import { selectTask } from '../tasks/store.ts';
import { showTask } from '../tasks/task.ts';
import { measureArguments } from './arguments.ts';
import { currentTool, refuseUnlessAllowed } from './call-access.ts';
import { callTool } from './call-tool.ts';
import { idempotencyScope, upstreamIdempotencyKey } from './idempotency.ts';
import { resultParts } from './rest-result.ts';
import { modelText } from './results/model-text.ts';
import { awaitTask } from './tasks/await-task.ts';
import { refuseTestMember, testCaller } from './test-caller.ts';
import type { ToolCall, ToolResult, Transport } from './tool-call.ts';

/** Longer than any call can take, with its hooks. */
const LEASE_MS = 80_000 + MAX_WAIT_SECONDS * 1000;
const REST: Transport = { name: 'rest', client_name: null, protocol_version: null };

type Input = {
  raw: FastifyRequest;
  params: { tool_id: string };
  query: { raw?: boolean | undefined; wait_seconds: number };
  body: ToolExecution | undefined;
  reply: FastifyReply;
};

export async function executeTool(app: App, input: Input): Promise<FastifyReply> {
  const { raw, reply } = input;
  if (input.query.raw && !hasPermission(raw.caller, 'write'))
    throw lacksPermission(raw.caller, 'write', { field: 'raw', value: 'true' });
  const caller = await toolCallerOf(app, input);
  const call = readCall(input);
  const wait_ms = input.query.wait_seconds * 1000;
  const key = raw.headers['idempotency-key'];
  if (typeof key !== 'string') {
    call.requester = requesterOf(raw);
    const result = await callOverRest(app, caller, call, wait_ms);
    if (result instanceof StartedTask) return sendStarted(reply, result);
    const file = result.file && JSON.stringify(await showFile(app, result.file));
    return sendJson(reply, await resultParts(app, caller.project, result, file));
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
      const result = await callOverRest(app, caller, call, wait_ms);
      if (result instanceof StartedTask) return { text: storedTask(result), call_id: result.call_id };
      // Its link is no part of what is stored.
      const file = result.file && JSON.stringify(result.file.id);
      const parts = (await resultParts(app, caller.project, result, file)).map((part) => Buffer.from(part));
      return { text: Buffer.concat(parts).toString(), call_id: result.call_id };
    },
  );
  if (replayed) {
    // Who may no longer make the call does not get its result either.
    refuseUnlessAllowed(await currentTool(app, caller, call.name), caller);
    reply.header('idempotent-replayed', 'true');
  }
  const started = readStoredTask(text);
  if (started !== null) return sendStoredTask(app, caller, reply, started);
  return reply.type('application/json; charset=utf-8').send(await withLink(app, caller, text));
}

/** The task goes on; or it has ended since, which its own route tells. */
function sendStarted(reply: FastifyReply, { call_id, task }: StartedTask): FastifyReply {
  reply.header('location', `/api/v1/projects/${task.project_id}/tasks/${task.id}`);
  return reply.code(202).send({ call_id, task: showTask(task) });
}

const STORED_TASK = /^\{"started_task":"(tsk_\w+)","call_id":"(\w+)"\}$/;

/** What is stored of a 202: nothing that an API returns can be that, as a result begins with its own fields. */
const storedTask = ({ call_id, task: { id } }: StartedTask) => JSON.stringify({ started_task: id, call_id });

function readStoredTask(text: string): { task_id: string; call_id: string } | null {
  const [, task_id, call_id] = STORED_TASK.exec(text) ?? [];
  return task_id === undefined || call_id === undefined ? null : { task_id, call_id };
}

/** Of a retry, the task as it is now. */
async function sendStoredTask(
  app: App,
  { project }: ToolCaller,
  reply: FastifyReply,
  { task_id, call_id }: { task_id: string; call_id: string },
): Promise<FastifyReply> {
  const task = await app.permits.run(project, () => selectTask(app.database, project.id, task_id, app.now()));
  if (!task) throw refuse.notFound();
  return sendStarted(reply, new StartedTask(call_id, task));
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
async function callOverRest(
  app: App,
  caller: ToolCaller,
  call: ToolCall,
  wait_ms: number,
): Promise<ToolResult | StartedTask> {
  const called = await callTool(app, caller, call);
  const outcome = called instanceof StartedTask ? await awaitTask(app, caller, called, { wait_ms }) : called;
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
