// How one call authenticates.

import type { ToolCaller } from '../../../../access/caller.ts';
import type { BuiltRequest } from '../https/request.ts';
import type { PreparedTool } from '../prepared-tool.ts';

/** It is found before the call is queued: a call that held a slot while it waited for another could deadlock. */
export type Authorization = {
  /** Called when the call has its slot. Caller and tool are the current ones. */
  addTo(request: BuiltRequest, current: { caller: ToolCaller; tool: PreparedTool }): void;
  /** What is redacted in the response to it: see redact-secrets.ts. */
  secretForms(): readonly Buffer[];
  /** The customer's API responded with 401. Returns what to send the call with once more, or null. */
  refused(): Promise<Authorization | null> | null;
};
