// A tool call, over REST and MCP alike: the list of its steps. Spec 4.6, 4.7 and 7 (tool execution).
// A new step goes where its comment says why: what refuses cheaply comes first, what asks a person comes after everything that could
// refuse without one, and nothing is counted, used or recorded twice.

import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { ApiError } from '../../../errors/errors.ts';
import { FailedCall } from '../../../errors/failed-call.ts';
import { InputRequired } from '../../../errors/input-required.ts';
import { StartedTask } from '../tasks/started-task.ts';
import type { TaskRow } from '../tasks/task.ts';
import { CallOutdated, currentTool } from './call-access.ts';
import { discardFile } from './files/file-of-response.ts';
import { discardDownloads } from './files/find-files.ts';
import { recordRun } from './record-run.ts';
import type { CallerResult } from './results/shape-result.ts';
import { type CallResponse, type CallRun, type Step, startRun } from './run.ts';
import { allowCaller } from './steps/allow-caller.ts';
import { askPerson } from './steps/ask-person.ts';
import { askPolicies, askPoliciesAboutResult } from './steps/ask-policies.ts';
import { beginTask } from './steps/begin-task.ts';
import { countLimits } from './steps/count-limits.ts';
import { findCredential } from './steps/find-credential.ts';
import { findFiles } from './steps/find-files.ts';
import { joinTask } from './steps/join-task.ts';
import { refuseChangedTool } from './steps/refuse-changed-tool.ts';
import { refuseFailure } from './steps/refuse-failure.ts';
import { reserveTask } from './steps/reserve-task.ts';
import { send } from './steps/send.ts';
import { shape } from './steps/shape.ts';
import { storeFile } from './steps/store-file.ts';
import { validateArguments } from './steps/validate-arguments.ts';
import { endReserved } from './tasks/end-reserved.ts';
import type { ToolCall, ToolResult } from './tool-call.ts';

const steps: readonly Step[] = [
  allowCaller, // enabled, with a member if the tool requires one, and with what the client must declare
  validateArguments, // reserved and fixed arguments, and the schema
  findFiles, // that the arguments name: hooks and people are told what they are
  joinTask, // of the same call, which is working: nobody is asked about it again, and nothing is sent twice
  askPolicies, // hooks may change the arguments, which are validated again
  refuseChangedTool, // an MCP server has changed it: with the arguments that would be sent
  findCredential, // before a person is asked: a missing account would waste their decision
  askPerson, // about what hooks have left of the call
  countLimits, // a call that only waits for a person counts against no limit
  reserveTask, // of a tool with `polling`: before anything is sent, so that a crash is noticed
  send, // to an HTTPS API or an MCP server; only now is the approval used
  beginTask, // if the response says that the work has only begun
  refuseFailure, // before anything of the response is passed on
  storeFile, // what is neither JSON nor text; nobody can read it before hooks have seen what it is
  shape, // hooks learn no more than the caller
  askPoliciesAboutResult, // what hooks change is shaped and validated again
];

/** What is done with the response: of a task, with the one that ends it. */
export const stepsOfResult = steps.slice(steps.indexOf(refuseFailure));

/** Throws what was refused before there was a call: an unknown tool looks like one that the caller does not see. */
export async function callTool(
  app: App,
  caller: ToolCaller,
  call: ToolCall,
): Promise<ToolResult | FailedCall | StartedTask> {
  const found = currentTool(app, caller, call.name);
  const run = startRun(caller, found instanceof Promise ? await found : found, call);
  try {
    await takeSteps(app, run);
  } catch (error) {
    if (run.file) await discardFile(app, run);
    if (error instanceof InputRequired) recordRun(app, run, error.refusal);
    if (run.reserved) await endReserved(app, run, run.reserved.task_id, error);
    if (error instanceof ApiError) return new FailedCall(error, run.call_id, recordRun(app, run, error).is_logged);
    throw error;
  } finally {
    if (run.downloads.size > 0) await discardDownloads(app, run);
  }
  if (run.task) return startedTask(app, run, run.task);
  if (run.reserved) await endReserved(app, run, run.reserved.task_id);
  return resultOf(run, recordRun(app, run).duration_ms);
}

/** A task of its own is in the call log when it has ended. A call that joined another one's is over. */
async function startedTask(app: App, run: CallRun, task: TaskRow): Promise<StartedTask> {
  if (run.reserved === null) recordRun(app, run);
  if (run.file) await discardFile(app, run);
  return new StartedTask(run.call_id, task, run.reserved === null || run.response?.status === 202);
}

/** If caller or tool changed while the call waited, it begins again with the current ones. Nothing was sent then. */
async function takeSteps(app: App, run: CallRun): Promise<void> {
  for (;;) {
    try {
      for (const step of steps) {
        const waiting = step(app, run);
        if (!waiting) continue;
        await waiting;
        run.has_waited = true;
        if (run.task) return;
      }
      return;
    } catch (error) {
      if (!(error instanceof CallOutdated)) throw error;
    }
    run.caller = await run.caller.reauthenticate();
    run.tool = await currentTool(app, run.caller, run.call.name);
  }
}

function resultOf({ call_id, tool, response, file, result, nearest_limit }: CallRun, duration_ms: number): ToolResult {
  const { status, headers, mcp } = response as CallResponse;
  return {
    call_id,
    status,
    content_type: headers['content-type'] ?? null,
    duration_ms,
    file,
    ...(result as CallerResult),
    ...(mcp ? { mcp } : {}),
    tool: tool.output,
    nearest_limit: nearest_limit ?? null,
  };
}
