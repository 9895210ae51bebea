// A call of a tool with `polling` has a task before it is sent: so the caps are checked in time, the same call is not sent twice, and what a
// crash leaves is known. If the first response is the result, the task is gone again, unless somebody was told of it meanwhile.
// docs/design/tasks.md explains why.

import { MAX_WORKING, MAX_WORKING_OF_CALLER } from '@toolgate/contract/tasks/rules.ts';
import { memberOf } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { newId } from '../../../../database/ids.ts';
import { transact } from '../../../../database/transact.ts';
import { canonicalHash } from '../../../../engines/json-text/canonical-json.ts';
import { refuse } from '../../../../errors/errors.ts';
import { enqueue } from '../../../../queue/enqueue.ts';
import { refuseDeletedMember, subjectOf } from '../../approvals/request.ts';
import { POLL, taskJob } from '../../tasks/schedule.ts';
import { countOpen, deleteUntold, insertTask, joinOpen, lockStarts, type SameCall } from '../../tasks/store.ts';
import type { TaskRow } from '../../tasks/task.ts';
import { type CallRun, remainingMs } from '../run.ts';

/** How much longer than its timeout a first request may be under way. */
const START_MARGIN_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** The arguments as the caller gave them: hooks may change them, and are not asked again about the same call. */
const sameCall = ({ caller, tool, call }: CallRun): SameCall => ({
  project_id: caller.project.id,
  subject_id: subjectOf(caller),
  tool_id: tool.id,
  arguments_hash: canonicalHash({
    arguments: call.arguments ?? {},
    // A person tries a tool for several members.
    member_id: memberOf(caller)?.member_id ?? null,
    is_raw: call.raw === 'instead',
  }),
});

/** The task of the same call, which is working, or whose first request is under way. */
export async function findSameTask(app: App, run: CallRun): Promise<TaskRow | undefined> {
  return app.permits.run(run.caller.project, () => joinOpen(app.database, sameCall(run)));
}

/** Returns the id of the new task, or the task of the same call, if another process was faster. */
export async function reserveTask(app: App, run: CallRun): Promise<string | TaskRow> {
  const { project } = run.caller;
  return app.permits.run(project, () =>
    transact(app, async (app) => {
      await lockStarts(app.database, project.id);
      await refuseDeletedMember(app, run.caller);
      const same = sameCall(run);
      const known = await joinOpen(app.database, same);
      if (known) return known;
      await refuseTooMany(app, same);
      const id = newId('tsk');
      const unknown_at = app.now() + Math.max(0, remainingMs(run)) + START_MARGIN_MS;
      // Jobs before the rows they are about: enqueue() says why.
      await enqueue(app, [taskJob(POLL, { id, tool_id: run.tool.id }, project.fairness_key, unknown_at)]);
      await insertTask(app.database, { id, ...same, ...rowOf(app, run, unknown_at) });
      return id;
    }),
  );
}

function rowOf(app: App, { caller, tool, call, call_id }: CallRun, expires_at: number) {
  const { transport, request_id, argument_bytes, traceparent = null, via = null } = call;
  return {
    tool_name: tool.name,
    tool_version: tool.version,
    origin: tool.origin,
    api_key_id: caller.api_key_id,
    session_id: 'session_id' in caller ? caller.session_id : null,
    member_id: memberOf(caller)?.member_id ?? null,
    integration_id: caller.integration_id,
    oauth_client_id: 'oauth_client_id' in caller ? caller.oauth_client_id : null,
    account_id: caller.kind === 'test' ? caller.account_id : null,
    call_id,
    request_id,
    transport: transport.name,
    client_name: transport.client_name,
    protocol_version: transport.protocol_version,
    via,
    argument_bytes,
    traceparent,
    created_at: new Date(app.now()).toISOString(),
    expires_at: new Date(expires_at).toISOString(),
  };
}

async function refuseTooMany(app: App, same: SameCall): Promise<void> {
  const { of_project, of_subject } = await countOpen(app.database, same);
  const isCaller = of_subject >= MAX_WORKING_OF_CALLER;
  if (!isCaller && of_project < MAX_WORKING) return;
  throw refuse.tooManyTasks({
    details: {
      limit: isCaller ? MAX_WORKING_OF_CALLER : MAX_WORKING,
      retry_after_seconds: RETRY_AFTER_SECONDS,
    },
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
}

/** The first request has ended the call, one way or the other. False: somebody was told of the task, and waits for its end. */
export async function releaseTask(app: App, { caller: { project } }: CallRun, id: string): Promise<boolean> {
  const free = () => deleteUntold(app.database, { project_id: project.id, id });
  // The job of a task that is gone ends by itself.
  return app.permits.run(project, free, { must_run: true });
}
