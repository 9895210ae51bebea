// tools/call: calls one custom tool, or one of the two tools of a caller that searches. features/tools/calls does the call; this file
// reads the MCP parameters and renders the result.

import { TASK_RESULT_TOOL } from '@toolgate/contract/tasks/rules.ts';
import type { TokenCaller } from '../access/caller.ts';
import { requesterOf } from '../api/client-disconnect.ts';
import { errorToRefusal, failedCallOf, logRefusal, sentRefusal } from '../api/error-to-refusal.ts';
import type { App } from '../app.ts';
import { appearance } from '../errors/call-failure.ts';
import { type ApiError, refuse } from '../errors/errors.ts';
import { FailedCall } from '../errors/failed-call.ts';
import { InputRequired, TamperedState } from '../errors/input-required.ts';
import { showFile } from '../features/files/files/file.ts';
import { measureArguments } from '../features/tools/calls/arguments.ts';
import { failureContent } from '../features/tools/calls/mcp/mcp-result.ts';
import { awaitTask } from '../features/tools/calls/tasks/await-task.ts';
import type { ToolCall } from '../features/tools/calls/tool-call.ts';
import { outputMismatches } from '../features/tools/directory/output-mismatches.ts';
import { searchTools } from '../features/tools/search/search.ts';
import { seesPolling } from '../features/tools/tasks/sees-polling.ts';
import { StartedTask } from '../features/tools/tasks/started-task.ts';
import { checkClientCapabilities } from './client-capabilities.ts';
import { clientOf } from './client-info.ts';
import { inputRequiredText, readElicitation, tamperedState } from './elicitation.ts';
import { callFailureText, toolFailureText } from './error-response.ts';
import { fileResultText } from './file-result.ts';
import { callAndWait, stillWorking } from './held-call.ts';
import { isObject, type JsonText, RpcError } from './json-rpc.ts';
import type { Method, MethodCall } from './method.ts';
import type { Notifier } from './notifier.ts';
import { checkParameterHeaders } from './parameter-headers.ts';
import { requestMeta } from './request-meta.ts';
import { searches } from './search-exposure.ts';
import { foundText, isSearchTool, readSearch, readSearchedCall, SEARCH_TOOLS } from './search-tools.ts';
import { serverInfoOf } from './server-info.ts';
import { readTaskRequest } from './task-result-tool.ts';
import { createdTask, declaresTasks, findOrNull, outcomeText } from './tasks.ts';
import { toolResultText } from './tool-result.ts';

export const toolsCall: Method = (app, caller, call) => {
  const named = readParams(call);
  if (isSearchTool(named.name)) return callSearchTool(app, caller, call, named);
  if (named.name === TASK_RESULT_TOOL) return callTaskResultTool(app, caller, call, named);
  return runCall(app, caller, call, readCall(call, named));
};

const startedText = (app: App, caller: TokenCaller, call: MethodCall, started: StartedTask): string =>
  call.protocol === 'modern' && declaresTasks(call.params)
    ? createdTask(started.task, caller, started.call_id)
    : stillWorking(started, requestMeta(app, caller.project, call));

/** For a caller that sees no tool with `polling` this is a name like others. */
async function callTaskResultTool(
  app: App,
  caller: TokenCaller,
  call: MethodCall,
  named: NamedCall,
): Promise<JsonText> {
  if (!(await seesPolling(app, caller))) return runCall(app, caller, call, readCall(call, named));
  try {
    const { task_id, wait_ms } = readTaskRequest(named.arguments);
    const found = await findOrNull(app, caller, task_id);
    if (!found) throw refuse.notFound({ details: { field: 'task_id' } });
    const { task } = found;
    const isGone = () => requesterOf(call.http_request).is_gone;
    const outcome = await awaitTask(app, caller, new StartedTask(task.call_id, task), { wait_ms, isGone });
    const meta = requestMeta(app, caller.project, call);
    if (outcome instanceof StartedTask) return stillWorking(outcome, meta);
    if (outcome instanceof FailedCall) throw outcome;
    return await outcomeText(app, caller, outcome, meta);
  } catch (error) {
    return failureText(app, caller, call, error);
  }
}

/** For a caller that does not search these are names like others. */
async function callSearchTool(app: App, caller: TokenCaller, call: MethodCall, named: NamedCall): Promise<JsonText> {
  if (!(await searches(app, caller))) return runCall(app, caller, call, readCall(call, named));
  let inner: NamedCall;
  try {
    if (named.name === SEARCH_TOOLS) {
      const tools = await searchTools(app, caller, readSearch(named.arguments));
      return foundText(tools, requestMeta(app, caller.project, call));
    }
    inner = readSearchedCall(named.arguments);
  } catch (error) {
    return failureText(app, caller, call, error);
  }
  return runCall(app, caller, call, { ...readCall(call, inner, { is_listed: false }), via: 'search' });
}

async function runCall(app: App, caller: TokenCaller, call: MethodCall, given: ToolCall): Promise<JsonText> {
  try {
    const outcome = await callAndWait(app, caller, call, given);
    if (outcome instanceof FailedCall) throw outcome;
    if (outcome instanceof StartedTask) return startedText(app, caller, call, outcome);
    const meta = requestMeta(app, caller.project, call, outcome.nearest_limit);
    if (outcome.file) {
      const shown = await showFile(app, outcome.file);
      return fileResultText(outcome, shown, meta, readsLinks(call));
    }
    const text = toolResultText({ app, fairness_key: caller.project.fairness_key }, outcome, meta, (refusal) => {
      call.http_request.refusal = refusal;
      app.interval_counts.add(outputMismatches, { project_id: caller.project.id, tool_id: outcome.tool.id }, app.now());
    });
    return text instanceof Promise ? await text : text;
  } catch (error) {
    return failureText(app, caller, call, error, given);
  }
}

/** Clients of older revisions name theirs, if they name one. */
function readsLinks({ headers }: MethodCall): boolean {
  const version = headers['mcp-protocol-version'];
  return typeof version !== 'string' || version >= FIRST_WITH_LINKS;
}

const FIRST_WITH_LINKS = '2025-06-18';

/** The result for a model that explains what went wrong. Throws what is no result. */
function failureText(app: App, caller: TokenCaller, call: MethodCall, error: unknown, given?: ToolCall): string {
  if (error instanceof RpcError) throw error;
  if (error instanceof TamperedState) throw tamperedState();
  if (error instanceof InputRequired) {
    call.http_request.refusal = sentRefusal(error.refusal, null);
    return inputRequiredText(error, call.protocol === 'modern', serverInfoOf(caller.project).meta_entry);
  }
  const refusal = errorToRefusal(error);
  const appears_as = appearance(refusal);
  if (given && appears_as === 'error') throw unknownTool(given.name, refusal);
  const failed_call = failedCallOf(error);
  if (appears_as === 'status') throw failed_call ?? refusal;
  // A client that disconnected is not a bug.
  if (!given?.requester?.is_gone) logRefusal(app.log, call.request_id, refusal, failed_call);
  call.http_request.refusal = sentRefusal(refusal, failed_call);
  const content = failureContent(refusal);
  if (content !== undefined) return toolFailureText(content, refusal, requestMeta(app, caller.project, call));
  return callFailureText(refusal, failed_call?.call_id ?? null, requestMeta(app, caller.project, call));
}

/** The same for a tool that does not exist and for one that the caller does not see. Only the trace tells them apart. */
function unknownTool(name: string, { reason }: ApiError): RpcError {
  const hidden_reason = reason === 'tool_not_in_toolset' ? reason : undefined;
  return new RpcError('invalid_params', `Unknown tool: ${name}`, {
    status: 200,
    reason: 'unknown_tool',
    hidden_reason,
  });
}

type NamedCall = { name: string; arguments: Record<string, unknown> };

function readParams({ params }: MethodCall): NamedCall {
  const { name, arguments: given = {} } = params;
  if (typeof name !== 'string') throw new RpcError('invalid_params', 'params.name must be a string', { status: 200 });
  if (!isObject(given)) throw new RpcError('invalid_params', 'params.arguments must be an object', { status: 200 });
  return { name, arguments: given };
}

const TRACE_CONTEXT = ['tracestate', 'baggage'];

/** What goes along to an MCP server: the progress token and the trace context. `traceparent` names the call itself. */
function upstreamOf(meta: unknown, notifier: Notifier | null): NonNullable<ToolCall['upstream']> {
  if (!isObject(meta)) return { meta: {} };
  const { progressToken } = meta;
  const along: Record<string, unknown> = {};
  for (const name of TRACE_CONTEXT) if (typeof meta[name] === 'string') along[name] = meta[name];
  if (!notifier || !(typeof progressToken === 'string' || Number.isSafeInteger(progressToken))) return { meta: along };
  return {
    meta: { ...along, progressToken },
    onProgress({ progress, total, message }) {
      if (typeof progress !== 'number') return;
      notifier.notify('notifications/progress', {
        progressToken,
        progress,
        ...(typeof total === 'number' ? { total } : {}),
        ...(typeof message === 'string' ? { message } : {}),
      });
    },
  };
}

/** `is_listed`: the client knows the schema of the tool, so that it repeats arguments in headers. */
function readCall(
  { protocol, params, headers, body_bytes, request_id, http_request, capabilities, notifier }: MethodCall,
  { name, arguments: given }: NamedCall,
  { is_listed = true } = {},
): ToolCall {
  const { _meta: meta } = params;
  const traceparent = isObject(meta) && typeof meta.traceparent === 'string' ? meta.traceparent : headers.traceparent;
  const call: ToolCall = {
    name,
    arguments: given,
    argument_bytes: measureArguments(given, body_bytes),
    request_id,
    transport: { name: 'mcp', ...clientOf(meta, headers) },
    requester: requesterOf(http_request),
    elicitation:
      protocol === 'modern'
        ? readElicitation(params)
        : { is_modern: false, ...capabilities, connect: null, upload: null, response: null, responses: {} },
    upstream: upstreamOf(meta, notifier),
  };
  if (typeof traceparent === 'string') call.traceparent = traceparent;
  if (http_request.span) call.span = http_request.span;
  if (protocol === 'modern')
    call.inspect = ({ input_schema }) => {
      if (!input_schema) return;
      if (is_listed) checkParameterHeaders(input_schema, given, headers);
      checkClientCapabilities(input_schema, meta);
    };
  return call;
}
