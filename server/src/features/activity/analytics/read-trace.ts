// GET /projects/{id}/requests/{request_id}: why was this request refused? And the list of those that were. The trace of a tool call
// is made from its row in the call log. A request of another project is as unknown as one that never was.

import type { RequestTrace, RequestTraceQuery } from '@toolgate/contract/analytics/request-trace.ts';
import type { Step } from '@toolgate/contract/trace-steps.ts';
import type { Caller } from '../../../access/caller.ts';
import { hasPermission, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page } from '../../../database/page.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { appearance } from '../../../errors/call-failure.ts';
import { refuse } from '../../../errors/errors.ts';
import { openPayload } from './payload.ts';
import { mayReadPayload } from './read.ts';
import { selectPayload } from './read-store.ts';
import { hideNetwork, type Progress, traceSteps } from './trace.ts';
import { pageOfTraces, selectCallOfRequest, selectTrace } from './trace-store.ts';

const EXECUTE = '/api/v1/custom-tools/{tool_id}/execute';
const MCP = '/api/v1/mcp';

type CallRow = NonNullable<Awaited<ReturnType<typeof selectCallOfRequest>>>;
type TraceRow = NonNullable<Awaited<ReturnType<typeof selectTrace>>>;

export async function readTrace(app: App, caller: Caller, request_id: string): Promise<RequestTrace> {
  const { id } = projectOf(caller);
  const since = oldestShown(app);
  const { refused, call } = await readInTime(app, async ({ database }) => {
    const refused = await selectTrace(database, id, request_id, since);
    return { refused, call: refused ? undefined : await selectCallOfRequest(database, id, request_id, since) };
  });
  // The other messages of a batch may be tool calls. What was refused is shown.
  if (refused) return traceOfRefusal(refused, caller);
  if (!call) throw refuse.notFound();
  return { ...traceOfCall(call, request_id, caller), upstream_body: await findBody(app, caller, call) };
}

const MAX_BODY = 2_048;

/** What the API returned to a call that failed because of it, if that is kept and the reader may see it. */
async function findBody(app: App, reader: Caller, call: CallRow): Promise<string | null> {
  if (call.error_code === null || call.upstream_status === null || !mayReadPayload(reader)) return null;
  const { id: project_id } = projectOf(reader);
  const payload = await selectPayload(app.database, project_id, call);
  if (!payload) return null;
  const opened = await openPayload(app, project_id, call.id, payload);
  if (!('result' in opened) || opened.result === null) return null;
  const { result } = opened;
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return text.slice(0, MAX_BODY).toWellFormed();
}

/** Newest first. Calls are not in it: they are in the call log. */
export async function listRefusedRequests(
  app: App,
  caller: Caller,
  { limit, cursor, ...filters }: RequestTraceQuery,
): Promise<Page<RequestTrace>> {
  const since = oldestShown(app);
  const page = await readInTime(app, ({ database }) =>
    pageOfTraces(database, projectOf(caller).id, { ...filters, since }, { limit, cursor }),
  );
  return makePage(
    page,
    page.rows.map((row) => traceOfRefusal(row, caller)),
  );
}

export const TRACE_RETENTION_MS = 24 * 3_600_000;

const oldestShown = (app: App) => new Date(app.now() - TRACE_RETENTION_MS).toISOString();

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
    upstream_status: null,
    upstream_body: null,
    steps: traceSteps({ failed, has_response: is_call, is_call, is_root: caller_kind === 'root' }),
  };
}

function traceOfCall(row: CallRow, request_id: string, reader: Caller): RequestTrace {
  const { transport, error_code, failed_step, reason, remedy, policy, waiting_ms, connect_ms, upstream_ms } = row;
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
    route: transport === 'mcp' ? MCP : EXECUTE,
    status: transport === 'mcp' && appearance({ status: row.status, code: error_code }) !== 'status' ? 200 : row.status,
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
    upstream_status: row.upstream_status,
    upstream_body: null,
    steps: traceSteps({
      failed,
      has_response: error_code !== 'CALLER_GONE',
      is_call: true,
      is_root: false,
      is_answered: row.upstream_status !== null,
      has_policy: policy !== null,
      is_confirmed: waiting_ms !== null,
      durations: { policy: policyMs(policy), confirmation: waiting_ms, address: connect_ms, upstream: upstream_ms },
    }),
  };
}

/** For all hooks together, also for those that were asked about the result. */
const policyMs = (policy: CallRow['policy']) => policy?.reduce((sum, { duration_ms }) => sum + duration_ms, 0) ?? null;

function visibleTo(reader: Caller, failed: NonNullable<Progress['failed']>, code: string): Progress['failed'] {
  return hasPermission(reader, 'admin') ? failed : hideNetwork(failed, code);
}
