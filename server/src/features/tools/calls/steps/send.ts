// Sends the call. The approval of a person is used right before, and counts again if nothing was sent.

import { InputRequired } from '../../../../errors/input-required.ts';
import { SendError } from '../../../../outbound/messages.ts';
import { CallOutdated } from '../call-access.ts';
import { sendErrorToRefusal } from '../call-refusals.ts';
import { callHttps } from '../https/call-https.ts';
import { callMcp } from '../mcp/call-mcp.ts';
import { remainingMs, type Step } from '../run.ts';

export const send: Step = async (app, run) => {
  const { tool, caller, call, approval } = run;
  if (remainingMs(run) <= 0)
    throw sendErrorToRefusal(new SendError('timeout', 'no time was left to send the call'), caller, call.requester);
  if (approval) await approval.use();
  try {
    run.response = await (tool.mcp ? callMcp(app, run, tool.mcp) : callHttps(app, run));
  } catch (error) {
    if (error instanceof SendError) run.stages = error.stages;
    // Something else is asked for first, or caller or tool changed while the call waited for its slot.
    if (approval && (error instanceof InputRequired || error instanceof CallOutdated)) await approval.giveBack();
    throw error instanceof CallOutdated ? error : sendErrorToRefusal(error, caller, call.requester);
  }
  run.stages = run.response.stages;
  run.received = { status: run.response.status, bytes: run.file?.size ?? run.response.body.length };
};
