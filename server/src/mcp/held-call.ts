// A call that goes on as a task, for each kind of client: one that knows tasks gets the task; for others the response is held, with
// progress if they asked for it, until the result is there or the time is over. A client that goes away leaves the task working.

import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WAIT_SECONDS, TASK_RESULT_TOOL } from '@toolgate/contract/tasks/rules.ts';
import type { TokenCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import type { FailedCall } from '../errors/failed-call.ts';
import { callTool } from '../features/tools/calls/call-tool.ts';
import { awaitTask } from '../features/tools/calls/tasks/await-task.ts';
import type { ToolCall, ToolResult } from '../features/tools/calls/tool-call.ts';
import { StartedTask } from '../features/tools/tasks/started-task.ts';
import type { TaskRow } from '../features/tools/tasks/task.ts';
import { tellTask } from '../features/tools/tasks/tell.ts';
import { callResultText, type RequestMeta, textBlock } from './call-result.ts';
import type { MethodCall } from './method.ts';
import { declaresTasks } from './tasks.ts';

/** A client that knows tasks waits so long for a result. */
const TASK_AFTER_MS = 2_000;
const HELD_MS = MAX_WAIT_SECONDS * 1000;
const HELD_WITH_PROGRESS_MS = 280_000;
const PROGRESS_EVERY_MS = 10_000;

type Outcome = ToolResult | FailedCall | StartedTask;

export async function callAndWait(app: App, caller: TokenCaller, call: MethodCall, given: ToolCall): Promise<Outcome> {
  if (call.protocol === 'modern' && declaresTasks(call.params)) return callAsTask(app, caller, given);
  const outcome = await callTool(app, caller, given);
  if (!(outcome instanceof StartedTask)) return outcome;
  const isGone = () => given.requester?.is_gone === true;
  const progress = progressOf(given);
  if (!progress) return awaitTask(app, caller, outcome, { wait_ms: HELD_MS, isGone });
  const stop = keepTelling(progress, outcome.task);
  try {
    return await awaitTask(app, caller, outcome, { wait_ms: HELD_WITH_PROGRESS_MS, isGone, onChange: stop.tell });
  } finally {
    stop.end();
  }
}

/** Its first request may still be under way: then it has a task already, and somebody knows of it. */
async function callAsTask(app: App, caller: TokenCaller, given: ToolCall): Promise<Outcome> {
  const began = performance.now();
  const left = () => Math.max(0, TASK_AFTER_MS - (performance.now() - began));
  const { promise: reserved, resolve } = Promise.withResolvers<string>();
  const over = new AbortController();
  const calling = callTool(app, caller, { ...given, onReserved: resolve }).finally(() => over.abort());
  const slow = reserved.then(async (task_id): Promise<Outcome> => {
    await sleep(left(), undefined, { signal: over.signal }).catch(() => {});
    const task = over.signal.aborted ? null : await tellTask(app, caller, task_id);
    return task ? new StartedTask(task.call_id, task) : calling;
  });
  // While nothing was reserved this waits for the call alone.
  const outcome = await Promise.race([calling, slow]);
  if (!over.signal.aborted)
    calling.catch((error: unknown) => app.log.error({ err: error }, 'a call that goes on as a task failed'));
  if (!(outcome instanceof StartedTask) || outcome.is_accepted) return outcome;
  return awaitTask(app, caller, outcome, { wait_ms: left() });
}

type Progress = (progress: number, message: string | null) => void;

function progressOf({ upstream }: ToolCall): Progress | null {
  const send = upstream?.onProgress;
  if (!send) return null;
  return (progress, message) => send({ progress, ...(message !== null && { message }) });
}

/** Each is larger than the one before, as the protocol requires: what the API says of its progress, or the seconds. */
function keepTelling(send: Progress, task: TaskRow) {
  const began = performance.now();
  let last = 0;
  let current = task;
  const tell = (changed: TaskRow) => {
    current = changed;
    const value = changed.progress ?? (performance.now() - began) / 1000;
    last = value > last ? value : last + SMALLEST_STEP;
    send(last, changed.message);
  };
  tell(task);
  const timer = setInterval(() => tell(current), PROGRESS_EVERY_MS - 1_000).unref();
  return { tell, end: () => clearInterval(timer) };
}

const SMALLEST_STEP = 0.001;

/** For a client that knows no tasks, when it has waited long enough. No error: the call has not failed. */
export function stillWorking({ task, call_id }: StartedTask, request: RequestMeta): string {
  const { id, tool_name, message, progress } = task;
  const state = [message, progress === null ? null : `progress ${progress}`].filter((part) => part !== null);
  const text = [
    `${tool_name} is still working${state.length > 0 ? ` (${state.join(', ')})` : ''}. Its result is not there yet.`,
    `Call ${TASK_RESULT_TOOL} with {"task_id":"${id}"} to wait for it. Do not call ${tool_name} again with the same arguments.`,
  ].join('\n');
  const structured = JSON.stringify({ task: { id, status: 'working', message, progress } });
  const meta = [`"toolgate/call_id":${JSON.stringify(call_id)}`, `"toolgate/task":{"id":"${id}","status":"working"}`];
  return callResultText({ content: [textBlock(text)], structured, meta, request });
}
