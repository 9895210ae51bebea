// Whether a call waits for a person, and what was decided about it. Called when the arguments are known to be valid, before anything
// is counted or sent. A hook that asks for a confirmation calls `confirmCall` for any tool.

import type { ToolConfirm } from '@toolgate/contract/approvals/confirm.ts';
import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import { type ApprovalRow, decisionUrl, showApproval } from '../approvals/approval.ts';
import { type ConfirmedTool, type Question, questionOf, requestApproval } from '../approvals/request.ts';
import { isRemembered, markTold, markUsed, selectApproval, selectOfCall } from '../approvals/store.ts';
import type { ToolCall } from './tool-call.ts';

/** What applies to destructive tools of a project with `confirm_destructive`, and if a hook asks for a confirmation. */
const CONFIRM_BY_USER: ToolConfirm = { by: 'user', remember_seconds: 0, fallback: 'link' };

/** A yes. `use` is called right before the call is sent: one yes is used by one call. */
export type Confirmed = { definition_hash: string; use(): Promise<void> };

type Confirmable = { confirm: ToolConfirm | null; is_destructive: boolean };

/** Null: nobody has to be asked. */
export function confirmOf({ project }: ToolCaller, { confirm, is_destructive }: Confirmable): ToolConfirm | null {
  return confirm ?? (is_destructive && project.settings.confirm_destructive ? CONFIRM_BY_USER : null);
}

/** Returns the yes of a person, or throws that there is none yet, or a no. */
export async function confirmCall(
  app: App,
  caller: ToolCaller,
  tool: ConfirmedTool,
  call: ToolCall,
  confirm: ToolConfirm = CONFIRM_BY_USER,
): Promise<Confirmed> {
  const { definition_hash } = tool;
  // Who tries a tool is a person who typed these arguments: the user who would be asked.
  if (caller.kind === 'test' && confirm.by === 'user') return { definition_hash, use: async () => {} };
  const question = questionOf(caller, tool, confirm, call);
  const known = await app.permits.run(caller.project, () => findKnown(app, question, call));
  if (known === 'remembered') return { definition_hash, use: async () => {} };
  if (known?.status === 'approved' && isNamed(call, known))
    return { definition_hash, use: once(() => useApproval(app, caller, question, known, call)) };
  if (known?.status === 'declined') throw declined(known);
  throw confirmationRequired(app, caller, known ?? (await requestApproval(app, caller, question)), call);
}

/** A call that had to wait for its slot may start again. */
function once(use: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= use();
    return done;
  };
}

/** Over REST the caller names the approval; over MCP a model repeats the call. */
const isNamed = ({ transport, approval_id }: ToolCall, { id }: ApprovalRow) =>
  transport.name === 'mcp' || approval_id === id;

/** The approval that decides about the call now, if there is one. */
async function findKnown(app: App, question: Question, call: ToolCall): Promise<ApprovalRow | 'remembered' | null> {
  const now = app.now();
  const rows = await selectOfCall(app.database, question, now);
  const named = await findNamed(app, question, call);
  if (named) return named;
  const approved = rows.find(({ status }) => status === 'approved');
  if (approved) return approved;
  const no = call.transport.name === 'mcp' ? rows.find(({ status }) => status === 'declined') : undefined;
  // Told once: then the same call asks again.
  if (no && (await markTold(app.database, question.project_id, no.id))) return no;
  if (await isRemembered(app.database, question, now)) return 'remembered';
  return rows.find(({ status }) => status === 'pending') ?? null;
}

/** What the caller names, if it is about this very call and was not used or ended. */
async function findNamed(app: App, question: Question, { approval_id }: ToolCall): Promise<ApprovalRow | null> {
  if (approval_id === undefined) return null;
  const { project_id, subject_id, tool_id, definition_hash, arguments_hash } = question;
  const row = await selectApproval(app.database, project_id, approval_id, app.now());
  const isSame =
    row?.subject_id === subject_id &&
    row.tool_id === tool_id &&
    row.definition_hash === definition_hash &&
    row.arguments_hash === arguments_hash;
  return isSame && ['pending', 'approved', 'declined'].includes(row.status) ? row : null;
}

/** Another call may have used it meanwhile: then this one asks again. */
async function useApproval(
  app: App,
  caller: ToolCaller,
  question: Question,
  { id }: ApprovalRow,
  call: ToolCall,
): Promise<void> {
  const isUsed = await app.permits.run(caller.project, () => markUsed(app.database, question, id, app.now()));
  if (!isUsed) throw confirmationRequired(app, caller, await requestApproval(app, caller, question), call);
}

const declined = ({ id, reason }: ApprovalRow) =>
  refuse.callDeclined({ details: { approval_id: id, ...(reason !== null && { decision_reason: reason }) } });

const CALL_AGAIN = 'Call again with the same arguments once it is approved.';

function confirmationRequired(app: App, caller: ToolCaller, row: ApprovalRow, call: ToolCall): ApiError {
  const { settings } = caller.project;
  const url = decisionUrl(app, settings, row);
  const named = { approval_id: row.id, approval_url: url };
  if (call.transport.name === 'mcp') {
    const remedy = `A person has to approve this call: ask the user to open ${url}. ${CALL_AGAIN}`;
    return refuse.confirmationRequired({ details: { ...named, expires_at: row.expires_at, remedy } });
  }
  const approval = showApproval(app, settings, row, (call.arguments ?? {}) as Record<string, unknown>);
  return refuse.confirmationRequired({ details: { ...named, approval } });
}
