// The row of a call in the call log, when it has ended: once, whatever became of it.

import type { App } from '../../../app.ts';
import type { ApiError } from '../../../errors/errors.ts';
import { recordCall } from '../../activity/analytics/record-call.ts';
import type { CallRun } from './run.ts';

export function recordRun(app: App, run: CallRun, refusal?: ApiError): { duration_ms: number; is_logged: boolean } {
  const { call_id, tool, stages, policy, received, approval } = run;
  // A result that was refused in the end is not recorded.
  const result = refusal ? null : run.result;
  return recordCall(app, run.caller, run.told, {
    call_id,
    tool,
    response: received ? { ...received, body: refusal ? run.failure_body : result?.recorded } : undefined,
    result: result ?? undefined,
    stages,
    policy,
    refusal,
    duration_ms: Math.round(performance.now() - run.began - run.held_ms),
    waiting_ms: approval?.used_after_ms ?? null,
  });
}
