// When a member is deleted, their grants and what they approved in their browsers are deleted.

import type { App } from '../../../app.ts';
import type { MemberRef } from '../../members/members/delete.ts';
import { deleteApprovalsOf } from './approval-store.ts';
import { deleteGrantsOf } from './store.ts';

export async function deleteGrantsOfMember({ database }: App, { id, project_id }: MemberRef) {
  const of_member = { project_id, member_id: id };
  const grants = await deleteGrantsOf(database, of_member);
  await deleteApprovalsOf(database, of_member);
  return { ended: { grants } };
}
