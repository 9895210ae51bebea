// Records why a request was refused. Written in batches. A flood of refused requests must not fill the database, so only some of
// one project and code are recorded in a minute (docs/design/observability.md).

import type { App } from '../../../app.ts';
import type { Batch } from '../../../database/batch-writer.ts';
import { failedStep, type RefusedIn, storable } from './failed-step.ts';
import { insertTraces, type NewTrace } from './trace-store.ts';

const traces: Batch<NewTrace> = { name: 'request_traces', write: insertTraces };

export type RefusedRequest = Pick<
  NewTrace,
  | 'project_id'
  | 'request_id'
  | 'method'
  | 'route'
  | 'status'
  | 'caller_kind'
  | 'account_id'
  | 'api_key_id'
  | 'session_id'
  | 'member_id'
  | 'integration_id'
> & {
  /** `code` is null for an error of the MCP protocol. */
  refusal: { code: string | null; reason: string; remedy: string };
  refused_in: RefusedIn;
};

export function recordTrace(app: App, { refusal, refused_in, ...request }: RefusedRequest): void {
  const { reason, remedy } = refusal;
  const code = refusal.code ?? reason.toUpperCase();
  const created_at = app.now();
  if (!app.trace_limit.allows(`${request.project_id} ${code}`, created_at)) {
    app.metrics.countSkippedTrace();
    return;
  }
  const failed_step = failedStep(refusal, refused_in);
  app.batch_writer.add(traces, { ...request, code, failed_step, reason, remedy: storable(remedy), created_at });
}
