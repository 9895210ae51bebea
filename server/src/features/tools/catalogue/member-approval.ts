// Whether an admin has approved what a tool, or an MCP server, does in the name of members. Whoever gets a member's token, or a JWT about a
// member, can act as that member. In production it is sent only if an admin saved where it goes, or approved it: what others set up
// while the project was in development waits. Each call compares, whenever and by whomever it was saved.

import { strategiesOfMembers } from '@toolgate/contract/custom-tools/rules.ts';
import { type Caller, hasPermission, type Project } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';

type Sender = { auth_strategy: string };

export const sendsMemberTokens = ({ auth_strategy }: Sender) =>
  strategiesOfMembers.some((each) => each === auth_strategy);

/** What sends nothing of members needs no approval: its stored value has no meaning. */
export const isApproved = (row: Sender & { is_approved: boolean }) => row.is_approved || !sendsMemberTokens(row);

type Approval = {
  old: (Sender & { is_approved: boolean }) | null;
  saved: Sender;
  /** The first changed field that decides where tokens go, if there is one. */
  field: string | undefined;
  /** What the caller asks for. */
  given?: boolean | undefined;
};

/** What is stored with a save. Saving where tokens go is an approval by an admin; by others it takes the approval back. */
export function approvalAfter(caller: Caller, { old, saved, field, given }: Approval): boolean {
  const was = old !== null && isApproved(old);
  const isAdmin = hasPermission(caller, 'admin');
  if (given !== undefined && given !== was && !isAdmin)
    throw lacksPermission(caller, 'admin', { field: 'is_approved' });
  if (!sendsMemberTokens(saved)) {
    if (given === false) throw invalidField('is_approved', 'is always true if no member data is sent');
    return false;
  }
  if (!isAdmin) return was && field === undefined;
  // Enabling many tools in one request is no look at each of them.
  return given ?? (was || (field !== undefined && field !== 'is_enabled'));
}

/** At each call. `of_server`: it is a tool of an MCP server, which is what an admin approves. */
export function refuseUnapproved(
  { environment }: Project,
  { is_approved, of_server }: { is_approved: boolean; of_server: boolean },
): void {
  if (is_approved || environment !== 'production') return;
  const reason = of_server ? 'mcp_server_not_approved' : 'tool_not_approved';
  throw refuse.toolExecutionFailed({ details: { field: 'is_approved', reason } });
}
