// Calls one custom tool on behalf of a caller: find it, check access, validate the arguments, wait for a slot, build, sign and
// send the request, record the call. Spec 4.6, 4.7 and 7 (tool execution). REST and MCP both call tools through this function.

import type { ToolConfirm } from '@toolgate/contract/approvals/confirm.ts';
import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { ApiError } from '../../../errors/errors.ts';
import { FailedCall } from '../../../errors/failed-call.ts';
import { InputRequired } from '../../../errors/input-required.ts';
import { SendError, type Stages } from '../../../outbound/messages.ts';
import { type RecordedAnswer, recordCall } from '../../activity/analytics/record-call.ts';
import { type NearestLimit, takeToolLimits } from '../limits/take.ts';
import { checkArguments } from './arguments.ts';
import type { CheckedCall } from './authorization.ts';
import { CallOutdated, currentTool, refuseUnlessAllowed } from './call-access.ts';
import { callMcp } from './call-mcp.ts';
import { sendErrorToRefusal, upstreamRefusal } from './call-refusals.ts';
import { confirmCall, confirmOf } from './confirm-call.ts';
import { type Confirmed, countsFor } from './confirmed.ts';
import { requireConnection, sendWhenConnected } from './elicit-connection.ts';
import { type Answered, askAfter, askBefore, type HookedCall, type HookRun, newHookRun } from './hooks/run.ts';
import { toolFailure } from './mcp-answer.ts';
import { refuseChanged } from './mcp-target.ts';
import type { PreparedTool } from './prepared-tool.ts';
import { sendAuthorized } from './send-authorized.ts';
import { type CallerResult, redactFailure, shapeResult } from './shape-result.ts';
import type { ToolCall, ToolResult } from './tool-call.ts';

/** Throws what was refused before there was a call. */
export async function callTool(app: App, first_caller: ToolCaller, call: ToolCall): Promise<ToolResult | FailedCall> {
  let caller = first_caller;
  const found = currentTool(app, caller, call.name);
  let tool = found instanceof Promise ? await found : found;
  const call_id = newId('call');
  const began = performance.now();
  let response: Answered['response'] | undefined;
  let confirmed: Confirmed | undefined;
  let nearest_limit: NearestLimit | null | undefined;
  let result: CallerResult | undefined;
  let answer: RecordedAnswer | undefined;
  let stages: Stages | null = null;
  const hook_run = newHookRun();
  const record = (refusal?: ApiError) => {
    const { policy, held_ms } = hook_run;
    const duration_ms = Math.round(performance.now() - began - held_ms);
    const waiting_ms = confirmed?.used_after_ms ?? null;
    const outcome = { call_id, tool, answer, result, stages, policy, refusal, duration_ms, waiting_ms };
    return recordCall(app, caller, call, outcome);
  };
  try {
    while (response === undefined) {
      refuseUnlessAllowed(tool, caller);
      call.inspect?.(tool);
      const checked = checkArguments(call.arguments, call.argument_bytes, tool);
      let given = checked instanceof Promise ? await checked : checked;
      const hooked = { caller, tool, call, call_id };
      if (tool.hooks.before.length > 0) given = await askBefore(app, hook_run, hooked, given);
      if (tool.mcp) refuseChanged(tool.mcp, given);
      const confirm = confirmOf(caller, tool, hook_run.must_confirm);
      // An approval counts for one tool and for what is sent: after a change of either the call asks again.
      if (confirm !== null && (!confirmed || !countsFor(confirmed, tool) || hook_run.has_changed_again))
        confirmed = await confirmHooked(app, hook_run, hooked, confirm);
      // Once, also if the tool changes while the call waits for its slot.
      if (nearest_limit === undefined && tool.limits.length > 0)
        nearest_limit = await takeToolLimits(app, caller, tool);
      if (confirmed) await confirmed.use();
      const timeout_ms = tool.timeout_ms - (performance.now() - began - hook_run.waited_ms);
      try {
        if (timeout_ms <= 0) throw new SendError('timeout', 'queued repeatedly, because the tool changed each time');
        const ready = { caller, tool, given, call, call_id, timeout_ms, was_confirmed: confirmed !== undefined };
        response = await (confirmed ? sendConfirmed(app, ready, confirmed) : send(app, ready));
        stages = response.stages;
      } catch (error) {
        if (error instanceof SendError) stages = error.stages;
        if (!(error instanceof CallOutdated)) throw sendErrorToRefusal(error, caller, call.requester);
        caller = await caller.reauthenticate();
        tool = await currentTool(app, caller, call.name);
      }
    }
    answer = { status: response.status, bytes: response.body.length, body: undefined };
    const read = readResult(app, hook_run, { caller, tool, call, call_id }, response, answer);
    ({ response, result } = read instanceof Promise ? await read : read);
    answer.body = result.recorded;
  } catch (error) {
    if (error instanceof InputRequired) record(error.refusal);
    if (error instanceof ApiError) return new FailedCall(error, call_id, record(error).is_logged);
    throw error;
  }
  return {
    call_id,
    status: response.status,
    content_type: response.headers['content-type'] ?? null,
    duration_ms: record().duration_ms,
    ...result,
    ...(response.mcp ? { mcp: response.mcp } : {}),
    tool: tool.output,
    nearest_limit: nearest_limit ?? null,
  };
}

function send(app: App, ready: CheckedCall): Promise<Answered['response']> {
  const { mcp, credential } = ready.tool;
  if (mcp) return callMcp(app, ready, mcp);
  return credential.kind === 'member_token' ? sendWhenConnected(app, ready) : sendAuthorized(app, ready);
}

/**
 * The yes counts again if nothing was sent: something else is asked for first, or caller or tool changed while the call waited for its
 * slot.
 */
async function sendConfirmed(app: App, ready: CheckedCall, confirmed: Confirmed): Promise<Answered['response']> {
  try {
    return await send(app, ready);
  } catch (error) {
    if (error instanceof InputRequired || error instanceof CallOutdated) await confirmed.giveBack();
    throw error;
  }
}

/** What a person confirms is what hooks have left of the call. How long that takes does not count against the timeout of the tool. */
async function confirmHooked(
  app: App,
  hook_run: HookRun,
  { caller, tool, call }: HookedCall,
  confirm: ToolConfirm,
): Promise<Confirmed> {
  const asked_at = performance.now();
  await requireConnection(app, { caller, tool, call });
  const asked = { tool, call: hook_run.changed_call ?? call, confirm, hold: hook_run };
  const span = call.span?.startConfirmation(call.traceparent, { tool_id: tool.id, tool_name: tool.name });
  try {
    const confirmed = await confirmCall(app, caller, asked);
    span?.end({ waiting_ms: confirmed.waiting_ms });
    return confirmed;
  } catch (error) {
    span?.end({
      error: error instanceof InputRequired ? error.refusal.code : error instanceof ApiError ? error.code : 'failed',
    });
    throw error;
  } finally {
    hook_run.waited_ms += performance.now() - asked_at;
  }
}

/** What the caller gets. A promise only if there is something to refuse, to shape or to ask. */
function readResult(
  app: App,
  hook_run: HookRun,
  hooked: HookedCall,
  response: Answered['response'],
  answer: RecordedAnswer,
): Answered | Promise<Answered> {
  const { caller, tool, call } = hooked;
  const isFailed = response.mcp ? response.mcp.is_error : response.status < 200 || response.status > 299;
  if (isFailed) return refuseFailed(caller, tool, response, answer);
  const result = shapeResult(caller, tool, call, response);
  if (tool.hooks.after.length > 0) return askAfter(app, hook_run, hooked, response, result);
  return result instanceof Promise ? result.then((shaped) => ({ response, result: shaped })) : { response, result };
}

async function refuseFailed(
  caller: ToolCaller,
  tool: PreparedTool,
  response: Answered['response'],
  answer: RecordedAnswer,
): Promise<never> {
  const failure = await redactFailure(caller, tool, response);
  answer.body = failure.body;
  throw response.mcp
    ? toolFailure(response.mcp, { body: response.body, shown: failure.body })
    : upstreamRefusal(failure);
}
