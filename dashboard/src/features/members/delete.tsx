// Deleting a member: a person asked to be forgotten.

import { type Member, type Toolgate, ToolgateError } from '@toolgate/sdk';
import { slowProjectApi, useProjectId } from '../../api/client.ts';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';

type Props = { member: Member; open: boolean; onOpenChange: (open: boolean) => void; onDone?: () => Promise<void> };

export function DeleteMemberDialog({ member: { id, external_id }, ...props }: Props) {
  const projectId = useProjectId();
  return (
    <ChangeDialog
      {...props}
      title={`Delete the member “${external_id}”?`}
      name={external_id}
      action="Delete member"
      change={() => deleteMember(slowProjectApi(projectId), id)}
      done="Member deleted"
      invalidates={['members', 'tool-calls', 'analytics', 'approvals', 'limits']}
    >
      <ul className="list-disc space-y-1 pl-5">
        <li>Sessions, connected accounts, app access and approvals are revoked within a second.</li>
        <li>
          The call log keeps the calls without the member. Recorded arguments and results are deleted, and the member is
          removed from stored events.
        </li>
        <li>
          The audit log records the deletion, but not whose it was. Older entries can't be changed; they stay until
          their retention ends.
        </li>
        <li>This cannot be undone. If the same user comes back, they are a new member.</li>
      </ul>
    </ChangeDialog>
  );
}

/** Somebody with very many calls takes several requests, each of which waits on the server. */
async function deleteMember(toolgate: Toolgate, id: string): Promise<void> {
  for (;;)
    try {
      return await toolgate.members.delete(id);
    } catch (error) {
      if (!(error instanceof ToolgateError)) throw error;
      // Its end was missed, or somebody else has deleted the member.
      if (error.status === 404) return;
      if (error.code !== 'MEMBER_DELETION_UNFINISHED') throw error;
    }
}
