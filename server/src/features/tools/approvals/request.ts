// Asks for a person's approval of a call. The same call is pending once: who repeats it gets the same approval, and nobody is asked twice.
// docs/design/approvals.md explains why.

import type { ToolConfirm } from '@toolgate/contract/approvals/confirm.ts';
import { MAX_PENDING, MAX_PENDING_OF_CALLER } from '@toolgate/contract/approvals/rules.ts';
import { memberOf, type ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { holdMember } from '../../../database/hold-member.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { canonicalHash } from '../../../engines/json-text/canonical-json.ts';
import { refuse } from '../../../errors/errors.ts';
import { recordEvent } from '../../activity/events/record.ts';
import { type ApprovalRow, newEvent, sealContext, summarizeApproval } from './approval.ts';
import { settleApprovals } from './settle.ts';
import {
  type AskedCall,
  countPending,
  insertApproval,
  lockRequests,
  type NewApproval,
  selectFirstExpiry,
  selectOfCall,
} from './store.ts';

export const LIFETIME_MS = { user: 15 * 60_000, approver: 24 * 3_600_000 };

/** The part of a prepared tool that is needed. */
export type ConfirmedTool = {
  id: string;
  name: string;
  version: number;
  definition_hash: string;
  mcp: { server_version: number } | null;
};

/** A call as a person is asked about it. `arguments`: as the caller gave them, without those that the tool sets itself. */
export type Question = AskedCall & {
  tool: ConfirmedTool;
  confirm: ToolConfirm;
  arguments: Record<string, unknown>;
  client_name: string | null;
};

export function questionOf(
  caller: ToolCaller,
  tool: ConfirmedTool,
  confirm: ToolConfirm,
  call: { arguments: unknown; transport: { client_name: string | null } },
): Question {
  const given = (call.arguments ?? {}) as Record<string, unknown>;
  return {
    ...askedCall(caller, tool, given),
    tool,
    confirm,
    arguments: given,
    client_name: call.transport.client_name,
  };
}

/** The definition names the MCP server of the tool; its version stands for the URL and all else that decides where the call goes. */
export const askedCall = (
  caller: ToolCaller,
  { id: tool_id, definition_hash, mcp }: Pick<ConfirmedTool, 'id' | 'definition_hash' | 'mcp'>,
  given: Record<string, unknown>,
): AskedCall => ({
  project_id: caller.project.id,
  subject_id: subjectOf(caller),
  tool_id,
  definition_hash,
  mcp_server_version: mcp?.server_version ?? null,
  arguments_hash: canonicalHash(given),
});

/** The member in any session, the key, or the machine. A person who tries a tool is neither, also on behalf of a member. */
export function subjectOf(caller: ToolCaller): string {
  switch (caller.kind) {
    case 'test':
      return caller.account_id;
    case 'member':
      return caller.member_id;
    case 'oauth_client':
      return caller.oauth_client_id;
    case 'api_key':
      return caller.api_key_id;
  }
}

/** The approval of the call, which may be pending already. */
export async function requestApproval(app: App, caller: ToolCaller, question: Question): Promise<ApprovalRow> {
  const { project } = caller;
  return app.permits.run(project, () =>
    transact(app, async (app) => {
      await lockRequests(app.database, project.id);
      await refuseDeletedMember(app, caller);
      // What has ended must not take a place.
      await settleApprovals(app, { project_id: project.id, subject_id: question.subject_id });
      const known = (await selectOfCall(app.database, question, app.now())).find(({ status }) => status === 'pending');
      if (known) return known;
      await refuseTooMany(app, question);
      const row = await insertApproval(app.database, await newApproval(app, caller, question));
      if (!row) throw new Error('the same call is pending, although none was found');
      const data = summarizeApproval(app, project.settings, row);
      await recordEvent(app, newEvent(app, project.id, 'approval.requested', data));
      return row;
    }),
  );
}

/** One who was deleted meanwhile leaves nothing behind. In the transaction of what is stored. */
export async function refuseDeletedMember({ database }: App, caller: ToolCaller): Promise<void> {
  const member = memberOf(caller);
  if (member && !(await holdMember(database, member.member_id))) throw refuse.invalidApiKey();
}

/** Pending, unless `decided` says otherwise. */
export async function newApproval(
  app: App,
  caller: ToolCaller,
  question: Question,
  decided: Partial<NewApproval> = {},
): Promise<NewApproval> {
  const { project_id, subject_id, tool_id, definition_hash, mcp_server_version, arguments_hash } = question;
  const { tool, confirm, client_name } = question;
  const { id = newId('apr') } = decided;
  const now = app.now();
  return {
    id,
    project_id,
    subject_id,
    tool_id,
    tool_name: tool.name,
    tool_version: tool.version,
    definition_hash,
    mcp_server_version,
    by: confirm.by,
    arguments: await app.secrets.seal(app.database, project_id, sealContext(id), JSON.stringify(question.arguments)),
    arguments_hash,
    api_key_id: caller.api_key_id,
    session_id: caller.kind === 'member' || caller.kind === 'oauth_client' ? caller.session_id : null,
    member_id: memberOf(caller)?.member_id ?? null,
    integration_id: caller.integration_id,
    account_id: caller.kind === 'test' ? caller.account_id : null,
    client_name,
    status: 'pending',
    remember_seconds: confirm.by === 'user' ? confirm.remember_seconds : 0,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + LIFETIME_MS[confirm.by]).toISOString(),
    decided_at: null,
    decided_by: null,
    decided_via: null,
    is_told: false,
    ...decided,
  };
}

async function refuseTooMany(app: App, question: Question): Promise<void> {
  const { project_id, subject_id } = question;
  let { of_project, of_subject } = await countPending(app.database, question);
  if (of_project >= MAX_PENDING) {
    await settleApprovals(app, { project_id });
    ({ of_project, of_subject } = await countPending(app.database, question));
  }
  const isCaller = of_subject >= MAX_PENDING_OF_CALLER;
  if (!isCaller && of_project < MAX_PENDING) return;
  const first = await selectFirstExpiry(app.database, project_id, isCaller ? subject_id : undefined);
  const retry_after_seconds = Math.max(1, Math.ceil((first - app.now()) / 1000));
  throw refuse.tooManyPending({
    details: { limit: isCaller ? MAX_PENDING_OF_CALLER : MAX_PENDING, retry_after_seconds },
    headers: { 'retry-after': String(retry_after_seconds) },
  });
}
