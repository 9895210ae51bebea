// What confirming a call comes to: an approval that the call uses, or a refusal that says how to get one.

import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import { type ApprovalRow, decisionUrl, showApproval } from './approval.ts';
import type { ConfirmedTool, Question } from './request.ts';
import { markUnused, markUsed } from './store.ts';

/**
 * An approval. `use` is called right before the call is sent: one approval is used by one call. `waiting_ms`: how long the call waited for the
 * person; null: nobody was asked about it.
 */
export type Confirmed = {
  /** As the person saw it. */
  tool: ConfirmedTool;
  waiting_ms: number | null;
  /** The same once the approval is used, and null before. */
  used_after_ms: number | null;
  use(): Promise<void>;
  /** Nothing was sent: the approval still counts, unless it expired meanwhile. */
  giveBack(): Promise<void>;
};

/** Whether the tool is still what was confirmed: the same definition, at an MCP server that has not changed. */
export const countsFor = (confirmed: Confirmed, { definition_hash, mcp }: ConfirmedTool): boolean =>
  confirmed.tool.definition_hash === definition_hash && confirmed.tool.mcp?.server_version === mcp?.server_version;

/** Nothing is used up. */
export const confirmedAlready = (tool: ConfirmedTool): Confirmed => ({
  tool,
  waiting_ms: null,
  used_after_ms: null,
  use: async () => {},
  giveBack: async () => {},
});

/** `askAgain` throws: another call may have used the approval meanwhile. */
export function confirmedBy(
  app: App,
  { project }: ToolCaller,
  question: Question,
  { id, created_at, decided_at }: Pick<ApprovalRow, 'id' | 'created_at' | 'decided_at'>,
  askAgain: () => Promise<never>,
): Confirmed {
  const use = async () => {
    const isUsed = await app.permits.run(project, () => markUsed(app.database, question, id, app.now()));
    if (!isUsed) await askAgain();
    yes.used_after_ms = waiting_ms;
  };
  const waiting_ms = Math.max(0, Date.parse(decided_at ?? created_at) - Date.parse(created_at));
  const yes: Confirmed = {
    tool: question.tool,
    waiting_ms,
    used_after_ms: null,
    use,
    async giveBack() {
      yes.used_after_ms = null;
      await app.permits.run(project, () => markUnused(app.database, question, id, app.now()));
    },
  };
  return yes;
}

export const declined = ({ id, reason }: Pick<ApprovalRow, 'id' | 'reason'>) =>
  refuse.callDeclined({ details: { approval_id: id, ...(reason !== null && { decision_reason: reason }) } });

/** For REST: with the whole approval. The caller knows the arguments. */
export function confirmationRequired(
  app: App,
  { project: { settings } }: ToolCaller,
  row: ApprovalRow,
  given: Record<string, unknown>,
): ApiError {
  const named = { approval_id: row.id, approval_url: decisionUrl(app, settings, row) };
  return refuse.confirmationRequired({ details: { ...named, approval: showApproval(app, settings, row, given) } });
}

/** For a model. */
export function confirmationLink(app: App, { project: { settings } }: ToolCaller, row: ApprovalRow): ApiError {
  const approval_url = decisionUrl(app, settings, row);
  const remedy = `A person has to approve this call. Ask the user to open ${approval_url}, then call again with the same arguments after it is approved.`;
  const { id: approval_id, expires_at } = row;
  return refuse.confirmationRequired({ details: { approval_id, approval_url, expires_at, remedy } });
}
