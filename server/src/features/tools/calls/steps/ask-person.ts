// Asks a person about the call, if the tool, the project or a hook says so. How long that takes does not count against the timeout.

import type { ToolConfirm } from '@toolgate/contract/approvals/confirm.ts';
import type { App } from '../../../../app.ts';
import { ApiError } from '../../../../errors/errors.ts';
import { InputRequired } from '../../../../errors/input-required.ts';
import { keepFilesUntil } from '../../../files/files/keep.ts';
import { confirmCall, confirmOf } from '../../approvals/confirm-call.ts';
import { countsFor } from '../../approvals/confirmed.ts';
import { LIFETIME_MS } from '../../approvals/request.ts';
import type { CallRun, Step } from '../run.ts';

export const askPerson: Step = (app, run) => {
  const { caller, tool, hooks, approval } = run;
  const confirm = confirmOf(caller, tool, hooks.must_confirm);
  // An approval counts for one tool and for what is sent: after a change of either the call asks again.
  if (approval && countsFor(approval, tool) && !hooks.has_changed_again) return undefined;
  run.approval = null;
  return confirm === null ? undefined : ask(app, run, confirm);
};

async function ask(app: App, run: CallRun, confirm: ToolConfirm): Promise<void> {
  const { caller, tool, call, told, hooks } = run;
  const asked_at = performance.now();
  const span = call.span?.startConfirmation(call.traceparent, { tool_id: tool.id, tool_name: tool.name });
  try {
    // A person confirms what hooks have left of the call.
    run.approval = await confirmCall(app, caller, { tool, call: hooks.changed_call ?? told, confirm, hold: run });
    span?.end({ waiting_ms: run.approval.waiting_ms });
  } catch (error) {
    await keepFiles(app, run, confirm);
    span?.end({ error: codeOf(error) });
    throw error;
  } finally {
    run.waited_ms += performance.now() - asked_at;
  }
}

/** Until the person has decided: then the call is repeated with the same files. */
async function keepFiles(app: App, { caller, files }: CallRun, { by }: ToolConfirm): Promise<void> {
  const ids = [...files.values()].flatMap(({ stored }) => (stored ? [stored.id] : []));
  if (ids.length === 0) return;
  const { project } = caller;
  await app.permits.run(project, () => keepFilesUntil(app, project.id, ids, app.now() + LIFETIME_MS[by]));
}

function codeOf(error: unknown): string {
  if (error instanceof InputRequired) return error.refusal.code;
  return error instanceof ApiError ? error.code : 'failed';
}
