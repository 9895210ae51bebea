// Calls one custom tool on behalf of a caller: find it, check access, validate the arguments, wait for a slot, build, sign and
// send the request, record the call. Spec 4.6, 4.7 and 7 (tool execution). REST and MCP both call tools through this function.

import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { ApiError } from '../../../errors/errors.ts';
import { FailedCall } from '../../../errors/failed-call.ts';
import { InputRequired } from '../../../errors/input-required.ts';
import { type OutboundResponse, SendError, type Stages } from '../../../outbound/messages.ts';
import { type RecordedAnswer, recordCall } from '../../activity/analytics/record-call.ts';
import { type NearestLimit, takeToolLimits } from '../limits/take.ts';
import { checkArguments } from './arguments.ts';
import { CallOutdated, currentTool, refuseUnlessAllowed } from './call-access.ts';
import { sendErrorToRefusal, upstreamRefusal } from './call-refusals.ts';
import { confirmCall, confirmOf } from './confirm-call.ts';
import type { Confirmed } from './confirmed.ts';
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
  let response: OutboundResponse | undefined;
  let confirmed: Confirmed | undefined;
  let waited_ms = 0;
  let nearest_limit: NearestLimit | null | undefined;
  let result: CallerResult | undefined;
  let answer: RecordedAnswer | undefined;
  let stages: Stages | null = null;
  const record = (refusal?: ApiError) => {
    const duration_ms = Math.round(performance.now() - began);
    return recordCall(app, caller, call, { call_id, tool, answer, result, stages, refusal, duration_ms });
  };
  try {
    while (response === undefined) {
      refuseUnlessAllowed(tool, caller);
      call.inspect?.(tool);
      const checked = checkArguments(call.arguments, call.argument_bytes, tool);
      const given = checked instanceof Promise ? await checked : checked;
      const confirm = confirmOf(caller, tool);
      // A yes counts for one definition: after a change of it the call asks again.
      if (confirm !== null && confirmed?.definition_hash !== tool.definition_hash) {
        const asked_at = performance.now();
        confirmed = await confirmCall(app, caller, tool, call, confirm);
        waited_ms += performance.now() - asked_at;
      }
      // Once, also if the tool changes while the call waits for its slot.
      if (nearest_limit === undefined && tool.limits.length > 0)
        nearest_limit = await takeToolLimits(app, caller, tool);
      if (confirmed) await confirmed.use();
      const timeout_ms = tool.timeout_ms - (performance.now() - began - waited_ms);
      try {
        if (timeout_ms <= 0) throw new SendError('timeout', 'queued repeatedly, because the tool changed each time');
        response = await sendAuthorized(app, { caller, tool, given, call, call_id, timeout_ms });
        stages = response.stages;
      } catch (error) {
        if (error instanceof SendError) stages = error.stages;
        if (!(error instanceof CallOutdated)) throw sendErrorToRefusal(error, caller, call.requester);
        caller = await caller.reauthenticate();
        tool = await currentTool(app, caller, call.name);
      }
    }
    answer = { status: response.status, bytes: response.body.length, body: undefined };
    if (response.status < 200 || response.status > 299) {
      const failure = await redactFailure(caller, tool, response);
      answer.body = failure.body;
      throw upstreamRefusal(failure);
    }
    const shaped = shapeResult(caller, tool, call, response);
    result = shaped instanceof Promise ? await shaped : shaped;
    answer.body = result.recorded;
  } catch (error) {
    if (error instanceof InputRequired) record(error.refusal);
    if (error instanceof ApiError) return new FailedCall(error, call_id, record(error).is_logged);
    throw error;
  }
  const { duration_ms } = record();
  return {
    call_id,
    status: response.status,
    content_type: response.headers['content-type'] ?? null,
    duration_ms,
    ...result,
    tool: tool.output,
    nearest_limit: nearest_limit ?? null,
  };
}
