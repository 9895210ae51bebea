// GET /projects/{id}/requests/{request_id}: why was this request refused? The trace of a tool call is made from its row in the
// call log. A request of another project is as unknown as one that never was.

import type { Caller } from '../../access/caller.ts';
import { hasPermission, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import type { Step } from './failed-step.ts';
import { isCallFailure } from './mcp-status.ts';
import { hideNetwork, type Progress, type RequestTrace, traceSteps } from './trace.ts';
import { TRACE_RETENTION_MS } from './trace-retention.ts';
import { selectCallOfRequest, selectTrace } from './trace-store.ts';

const EXECUTE = '/api/v1/custom-tools/{tool_id}/execute';
const MCP = '/api/v1/mcp';

type CallRow = NonNullable<Awaited<ReturnType<typeof selectCallOfRequest>>>;
type TraceRow = NonNullable<Awaited<ReturnType<typeof selectTrace>>>;

export async function readTrace(app: App, caller: Caller, request_id: string): Promise<RequestTrace> {
  const { id } = projectOf(caller);
  const since = new Date(app.now() - TRACE_RETENTION_MS).toISOString();
  const refused = await selectTrace(app.database, id, request_id, since);
  // The other messages of a batch may be tool calls. What was refused is shown.
  if (refused) return traceOfRefusal(refused, caller);
  const call = await selectCallOfRequest(app.database, id, request_id, since);
  if (!call) throw refuse.notFound();
  return traceOfCall(call, request_id, caller);
}

function traceOfRefusal(row: TraceRow, reader: Caller): RequestTrace {
  const { request_id, method, route, status, code, caller_kind, account_id, created_at } = row;
  const { api_key_id, session_id, member_id, integration_id } = row;
  const failed = visibleTo(reader, { step: row.failed_step as Step, reason: row.reason, remedy: row.remedy }, code);
  // The call itself succeeded, and then its result was refused.
  const is_call = route === EXECUTE || code === 'OUTPUT_SCHEMA_MISMATCH';
  return {
    object: 'request_trace',
    request_id,
    method,
    route,
    status,
    code,
    caller: { kind: caller_kind, api_key_id, session_id, member_id, integration_id, account_id },
    created_at,
    steps: traceSteps({ failed, is_call, is_root: caller_kind === 'root' }),
  };
}

function traceOfCall(row: CallRow, request_id: string, reader: Caller): RequestTrace {
  const { door, error_code, failed_step, reason, remedy, connect_ms, upstream_ms } = row;
  const { api_key_id, session_id, member_id, integration_id, account_id } = row;
  const failed =
    error_code === null
      ? null
      : visibleTo(
          reader,
          {
            step: (failed_step ?? 'upstream') as Step,
            reason: reason ?? error_code.toLowerCase(),
            remedy: remedy ?? '',
          },
          error_code,
        );
  return {
    object: 'request_trace',
    request_id,
    method: 'POST',
    route: door === 'mcp' ? MCP : EXECUTE,
    status: door === 'mcp' && isCallFailure(row) ? 200 : row.status,
    code: error_code,
    caller: {
      kind: account_id !== null ? 'account' : session_id === null ? 'api_key' : 'member',
      api_key_id,
      session_id,
      member_id,
      integration_id,
      account_id,
    },
    created_at: row.created_at,
    steps: traceSteps({
      failed,
      is_call: true,
      is_root: false,
      durations: { address: connect_ms, upstream: upstream_ms },
    }),
  };
}

function visibleTo(reader: Caller, failed: NonNullable<Progress['failed']>, code: string): Progress['failed'] {
  return hasPermission(reader, 'admin') ? failed : hideNetwork(failed, code);
}
