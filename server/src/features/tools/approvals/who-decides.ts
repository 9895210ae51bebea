// Who decides about a call that waits for a person (contract 17): with `by` user the member, or the customer's backend for them, all
// others an approver. Never who asked.

import type { Approval } from '@toolgate/contract/approvals/approval.ts';
import type { Reason } from '@toolgate/contract/errors.ts';
import { type Caller, hasPermission } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { type ApprovalRow, isDecidedByUser, openArguments } from './approval.ts';

type Asked = Pick<ApprovalRow, 'by' | 'api_key_id' | 'session_id' | 'member_id' | 'integration_id' | 'account_id'>;

/** Why the caller does not decide; null: it does. */
export function refusalToDecide(caller: Caller, asked: Asked): Reason | null {
  if (isDecidedByUser(asked)) return isBackendOf(caller, asked) ? null : 'may_not_decide';
  if (hasAsked(caller, asked)) return 'asked_itself';
  return mayApprove(caller) ? null : 'may_not_decide';
}

/** A key of the integration that the session came from. */
const isBackendOf = (caller: Caller, { integration_id }: Asked) =>
  caller.kind === 'api_key' && caller.integration_id !== null && caller.integration_id === integration_id;

/** A key also asks for the sessions that it made. */
function hasAsked(caller: Caller, { api_key_id, account_id }: Asked): boolean {
  if (caller.kind === 'api_key') return caller.api_key_id === api_key_id;
  return caller.kind === 'account' && caller.account_id === account_id;
}

/** Owners and admins have the permission. A member approves nothing, whatever its session may do. */
function mayApprove(caller: Caller): boolean {
  if (caller.kind === 'member' || caller.kind === 'oauth_client') return false;
  return hasPermission(caller, 'admin') || (caller.kind !== 'root' && caller.can_approve);
}

/** What the caller is shown of the arguments: everything or nothing. */
export async function argumentsFor(app: App, caller: Caller, row: ApprovalRow): Promise<Approval['arguments']> {
  const isShown = hasPermission(caller, 'admin') || refusalToDecide(caller, row) === null;
  return isShown ? openArguments(app, row) : null;
}
