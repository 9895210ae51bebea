// Whether a call waits for a person, and what was decided about it. Called when the arguments are known to be valid, before anything
// is counted or sent, with what is sent: hooks may have changed the arguments, and one may ask for a confirmation of any tool.

import type { ToolConfirm } from '@toolgate/contract/approvals/confirm.ts';
import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import type { Requester } from '../../../outbound/requester.ts';
import type { ApprovalRow } from './approval.ts';
import { type Confirmed, confirmationRequired, confirmedAlready, confirmedBy, declined } from './confirmed.ts';
import { type ConfirmableTool, confirmOverMcp, type Hold } from './elicit-confirmation.ts';
import type { Elicitation } from './elicitation.ts';
import { type Question, questionOf, requestApproval } from './request.ts';
import { isRemembered, selectNamed, selectOfCall } from './store.ts';

/** What applies to destructive tools of a project with `confirm_destructive`, and if a hook asks for a confirmation. */
const CONFIRM_BY_USER: ToolConfirm = { by: 'user', remember_seconds: 0, fallback: 'link' };

type Confirmable = { confirm: ToolConfirm | null; is_destructive: boolean };

/** Null: nobody has to be asked. `is_asked_for`: by a hook. */
export function confirmOf(
  { project }: ToolCaller,
  { confirm, is_destructive }: Confirmable,
  is_asked_for: boolean,
): ToolConfirm | null {
  const must_ask = is_asked_for || (is_destructive && project.settings.confirm_destructive);
  return confirm ?? (must_ask ? CONFIRM_BY_USER : null);
}

/** What is read of a call. */
type ConfirmableCall = {
  arguments: unknown;
  transport: { client_name: string | null };
  requester?: Requester;
  elicitation?: Elicitation;
  approval_id?: string;
};

/** Returns the approval of a person. Throws if nobody has decided yet, or if the call was declined. */
export async function confirmCall(
  app: App,
  caller: ToolCaller,
  { tool, call, confirm, hold }: { tool: ConfirmableTool; call: ConfirmableCall; confirm: ToolConfirm; hold: Hold },
): Promise<Confirmed> {
  // Who tries a tool is a person who typed these arguments: the user who would be asked.
  if (caller.kind === 'test' && confirm.by === 'user') return confirmedAlready(tool);
  const question = questionOf(caller, tool, confirm, call);
  const { elicitation } = call;
  return elicitation
    ? confirmOverMcp(app, caller, { tool, question, elicitation, requester: call.requester, hold })
    : confirmOverRest(app, caller, question, call.approval_id);
}

/** The caller names the approval in a header. */
async function confirmOverRest(
  app: App,
  caller: ToolCaller,
  question: Question,
  approval_id: string | undefined,
): Promise<Confirmed> {
  const ask = async (known?: ApprovalRow | null): Promise<never> => {
    throw confirmationRequired(
      app,
      caller,
      known ?? (await requestApproval(app, caller, question)),
      question.arguments,
    );
  };
  const { named, is_remembered, open } = await app.permits.run(caller.project, () => find(app, question, approval_id));
  if (named?.status === 'approved') return confirmedBy(app, caller, question, named, ask);
  if (named?.status === 'declined') throw declined(named);
  if (is_remembered) return confirmedAlready(question.tool);
  return ask(named ?? open);
}

async function find(app: App, question: Question, approval_id: string | undefined) {
  const now = app.now();
  const named = approval_id === undefined ? null : await findNamed(app, question, approval_id);
  const rows = named ? [] : await selectOfCall(app.database, question, now);
  const is_remembered = named === null && (await isRemembered(app.database, question, now));
  return { named, is_remembered, open: rows.find(({ status }) => status === 'approved' || status === 'pending') };
}

/** What the caller names, if it is about this very call and was not used or ended. */
async function findNamed(app: App, question: Question, approval_id: string): Promise<ApprovalRow | null> {
  const row = await selectNamed(app.database, question, approval_id, app.now());
  return row && ['pending', 'approved', 'declined'].includes(row.status) ? row : null;
}
