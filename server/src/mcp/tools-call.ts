// tools/call: one tool, called for this caller. The recipe itself is the feature's; here are only MCP's words for it.

import { toRefusal } from '../api/error-to-refusal.ts';
import { callTool as callCustomTool } from '../features/custom-tools/call.ts';
import type { ToolCall } from '../features/custom-tools/tool-call.ts';
import { checkClientCapabilities } from './client-capabilities.ts';
import { failedResult, isResultOfCall } from './error-reply.ts';
import { isObject, RpcError } from './json-rpc.ts';
import type { Method, MethodCall } from './method.ts';
import { checkParameterHeaders } from './parameter-headers.ts';
import { resultOf } from './result.ts';
import { serverInfoOf } from './server-info.ts';

/** Above this the arguments are measured themselves; below, the body that holds them is measure enough. */
const MEASURED_ABOVE = 64 * 1024;

export const callTool: Method = async (app, caller, call) => {
  const given = readCall(call);
  const server_info = call.era === 'modern' ? serverInfoOf(caller.project).meta_entry : null;
  try {
    return resultOf(await callCustomTool(app, caller, given), server_info);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    const refusal = toRefusal(error);
    if (refusal.code === 'NOT_FOUND')
      throw new RpcError('invalid_params', `Unknown tool: ${given.name}`, { status: 200 });
    if (!isResultOfCall(refusal)) throw refusal;
    // A client that went away is no bug.
    if (refusal.code === 'INTERNAL_ERROR' && !given.signal?.aborted) {
      app.log.error({ request_id: call.request_id, err: refusal.cause }, refusal.message);
    }
    return failedResult(refusal, server_info);
  }
};

function readCall({ era, params, headers, body_bytes, request_id, gone }: MethodCall): ToolCall {
  const { name, arguments: given = {}, _meta: meta } = params;
  if (typeof name !== 'string') throw new RpcError('invalid_params', 'params.name must be a string', { status: 200 });
  if (!isObject(given)) throw new RpcError('invalid_params', 'params.arguments must be an object', { status: 200 });
  const traceparent = isObject(meta) && typeof meta.traceparent === 'string' ? meta.traceparent : headers.traceparent;
  const call: ToolCall = {
    name,
    arguments: given,
    argument_bytes: body_bytes > MEASURED_ABOVE ? Buffer.byteLength(JSON.stringify(given)) : body_bytes,
    request_id,
    signal: gone(),
  };
  if (typeof traceparent === 'string') call.traceparent = traceparent;
  if (era === 'modern')
    call.inspect = ({ input_schema }) => {
      if (!input_schema) return;
      checkParameterHeaders(input_schema, given, headers);
      checkClientCapabilities(input_schema, meta);
    };
  return call;
}
