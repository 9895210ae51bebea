// What the sender of a call and the credentials share: a call that is ready to be sent, and how it authenticates.

import type { ToolCaller } from '../../../access/caller.ts';
import type { UpstreamSpan } from '../../../tracing/tracing.ts';
import type { Arguments } from './arguments.ts';
import type { PreparedTool } from './prepared-tool.ts';
import type { BuiltRequest } from './request.ts';
import type { ToolCall } from './tool-call.ts';

/** One call, with access checked and arguments validated. */
export type CheckedCall = {
  caller: ToolCaller;
  tool: PreparedTool;
  given: Arguments;
  call: ToolCall;
  call_id: string;
  /** The remaining time of the tool's timeout. */
  timeout_ms: number;
  /** A person said yes, which took time. */
  was_confirmed?: boolean;
  /** Only while spans are exported. */
  span?: UpstreamSpan;
};

/** A call of a limited tool waited for its count, one with hooks for their decisions, and a confirmed one for a person. */
export const hasWaited = ({ tool: { limits, hooks }, was_confirmed }: CheckedCall) =>
  limits.length > 0 || hooks.before.length > 0 || was_confirmed === true;

/** For one call. It is found before the call is queued: a call that held a slot while it waited for another could deadlock. */
export type Authorization = {
  /** Called when the call has its slot. Caller and tool are the current ones. */
  addHeaders(request: BuiltRequest, current: Pick<CheckedCall, 'caller' | 'tool'>): void;
  /** What is redacted in the response to those headers: see redact-secrets.ts. */
  secretForms(): readonly Buffer[];
  /** The customer's API responded with 401. Returns what to send the call with once more, or null. */
  refused(): Promise<Authorization | null> | null;
};
