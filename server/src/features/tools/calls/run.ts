// One call on its way: what is known of it so far. call-tool.ts passes it from step to step, and each step adds what it finds out.

import type { PolicyEntry } from '@toolgate/contract/hooks/rules.ts';
import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import type { OutboundResponse, Stages } from '../../../outbound/messages.ts';
import type { UpstreamSpan } from '../../../tracing/tracing.ts';
import type { StoredFile } from '../../files/files/file.ts';
import type { Confirmed } from '../approvals/confirmed.ts';
import type { NearestLimit } from '../limits/take.ts';
import type { TaskRow } from '../tasks/task.ts';
import type { Arguments } from './arguments.ts';
import type { Authorization } from './credentials/authorization.ts';
import { type CallFiles, NO_CALL_FILES } from './files/call-file.ts';
import type { McpResult } from './mcp/mcp-result.ts';
import type { PreparedTool } from './prepared-tool.ts';
import type { CallerResult } from './results/shape-result.ts';
import type { ToolCall } from './tool-call.ts';

/** What the customer's API, or an MCP server, returned. */
export type CallResponse = OutboundResponse & { mcp?: McpResult };

export type CallRun = {
  readonly call: ToolCall;
  readonly call_id: string;
  readonly began: number;
  /** Caller and tool as they were last looked up: both may change while the call waits. */
  caller: ToolCaller;
  tool: PreparedTool;
  /** A step had to wait, so that caller and tool are checked again before anything is sent. */
  has_waited: boolean;
  /** For hooks and people, in milliseconds: this does not count against the timeout of the tool. */
  waited_ms: number;
  /** For how long the call was held for a person: no part of its duration. */
  held_ms: number;
  /** Valid arguments, those included that the tool sets itself. */
  given: Arguments;
  /** Those that the arguments name. */
  files: CallFiles;
  /** Of them, what was downloaded for this call alone. */
  downloads: Map<string, StoredFile>;
  /** The call as hooks, people and the log are told of it: of files, only what they are. */
  told: ToolCall;
  /** What hooks decided; null: none was asked. */
  policy: PolicyEntry[] | null;
  hooks: HookState;
  /** How the call authenticates: that of the last request. */
  authorization: Authorization | null;
  /** The approval of a person; null: nobody had to be asked. */
  approval: Confirmed | null;
  /** Undefined: not counted yet. Null: no limit applies. */
  nearest_limit: NearestLimit | null | undefined;
  /** Only while spans are exported. */
  span: UpstreamSpan | null;
  /** How long the request took; null: none was sent. */
  stages: Stages | null;
  /** What came from upstream, for the log: a hook may replace the response. */
  received: { status: number; bytes: number } | null;
  response: CallResponse | null;
  /** Of a tool with `polling`: the task that the call has before it is sent. */
  reserved: { task_id: string; tool_id: string } | null;
  /** The call goes on as this task, so that no more steps are taken. */
  task: TaskRow | null;
  /** What the response became, if it is neither JSON nor text; its body is empty then. Nobody has a link to it yet. */
  file: StoredFile | null;
  result: CallerResult | null;
  /** The body of a failed response, as far as it may be recorded. */
  failure_body: Buffer | undefined;
};

/** What the hooks of a call have decided so far. */
export type HookState = {
  /** How long they took together. */
  spent_ms: number;
  /** One of them wants a person to decide. */
  must_confirm: boolean;
  /** The call with the arguments that they made; null: they left them as they were. */
  changed_call: ToolCall | null;
  /** The tool changed while the call waited, so that they were asked again, and made other arguments than before. */
  has_changed_again: boolean;
};

/** Part of a call. It adds to the run, or throws a refusal. A promise only if it has to wait. */
export type Step = (app: App, run: CallRun) => void | Promise<void>;

export const startRun = (caller: ToolCaller, tool: PreparedTool, call: ToolCall): CallRun => ({
  call,
  call_id: newId('call'),
  began: performance.now(),
  caller,
  tool,
  has_waited: false,
  waited_ms: 0,
  held_ms: 0,
  given: {},
  files: NO_CALL_FILES,
  downloads: new Map(),
  told: call,
  policy: null,
  hooks: { spent_ms: 0, must_confirm: false, changed_call: null, has_changed_again: false },
  authorization: null,
  approval: null,
  nearest_limit: undefined,
  span: null,
  stages: null,
  received: null,
  response: null,
  reserved: null,
  task: null,
  file: null,
  result: null,
  failure_body: undefined,
});

/** What is left of the timeout of the tool, in milliseconds. */
export const remainingMs = ({ tool, began, waited_ms }: CallRun) =>
  tool.timeout_ms - (performance.now() - began - waited_ms);
