// A response that says that the call failed: any status but 2xx, or the error of a tool of an MCP server.

import type { App } from '../../../../app.ts';
import { upstreamRefusal } from '../call-refusals.ts';
import { toolFailure } from '../mcp/mcp-result.ts';
import { shapeFailure } from '../results/shape-result.ts';
import type { CallResponse, CallRun, Step } from '../run.ts';

export const refuseFailure: Step = (app, run) => {
  const response = run.response as CallResponse;
  const { mcp, status } = response;
  const has_failed = mcp ? mcp.is_error : status < 200 || status > 299;
  return has_failed ? refuse(app, run, response) : undefined;
};

async function refuse(app: App, run: CallRun, response: CallResponse): Promise<never> {
  const failure = await shapeFailure(app, run.caller, run.tool, response);
  run.failure_body = failure.body;
  const is_shaped = failure !== response;
  throw response.mcp ? toolFailure(response.mcp, is_shaped ? failure.body : null) : upstreamRefusal(failure);
}
