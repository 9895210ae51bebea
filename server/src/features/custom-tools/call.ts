// Calls one custom tool on behalf of a caller: find it, allow it, check the arguments, build, sign and send the request,
// record what happened, answer. Spec 4.6, 4.7 and 7 (tool execution). Every door calls tools through here.

import type { ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { ApiError, refuse } from '../../errors.ts';
import type { OutboundAnswer } from '../../outbound/messages.ts';
import { recordCall } from '../analytics/record-call.ts';
import { checkArguments } from './arguments.ts';
import { toRefusal, upstreamRefusal } from './call-refusals.ts';
import { findTool, recallTool } from './find-tool.ts';
import type { PreparedTool } from './prepared-tool.ts';
import { buildRequest } from './request.ts';
import { sendAuthorized } from './send-authorized.ts';
import type { ToolCall, ToolResult } from './tool-call.ts';

export async function callTool(app: App, caller: ToolCaller, call: ToolCall): Promise<ToolResult> {
  const tool = recallTool(app, caller.project.id, call.name) ?? (await findTool(app, caller.project.id, call.name));
  const call_id = newId('call');
  const began = performance.now();
  let answer: OutboundAnswer | undefined;
  const record = (refusal?: ApiError) => {
    const duration_ms = Math.round(performance.now() - began);
    recordCall(app, caller, call, { call_id, tool, answer, refusal, duration_ms });
    return duration_ms;
  };
  try {
    refuseUnlessAllowed(tool, caller);
    call.inspect?.(tool);
    const given = checkArguments(call.arguments, call.argument_bytes, tool.validate);
    const request = buildRequest(tool.shape, given, caller, call, call_id);
    try {
      answer = await sendAuthorized(app, caller, tool, request, call.signal);
    } catch (error) {
      throw toRefusal(error, call.signal);
    }
    if (answer.status < 200 || answer.status > 299) throw upstreamRefusal(answer);
  } catch (error) {
    if (error instanceof ApiError) record(error);
    throw error;
  }
  const duration_ms = record();
  return {
    call_id,
    status: answer.status,
    content_type: answer.headers['content-type'] ?? null,
    body: answer.body,
    truncated: answer.truncated,
    duration_ms,
    tool: tool.output,
  };
}

function refuseUnlessAllowed(tool: PreparedTool, caller: ToolCaller): void {
  if (!tool.is_enabled) throw refuse.toolNotEnabled();
  if (tool.require_member && caller.kind !== 'member') throw refuse.memberContextRequired();
}
