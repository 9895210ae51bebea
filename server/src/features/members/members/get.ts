// Reads one member.

import type { Member } from '@toolgate/contract/members/member.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { showMembers } from './show.ts';
import { selectMember } from './store.ts';

export async function getMember(app: App, caller: Caller, id: string): Promise<Member> {
  const project = projectOf(caller);
  const row = await selectMember(app.database, project.id, id);
  const [member] = await showMembers(app, project.id, row ? [row] : []);
  if (!member) throw refuse.notFound();
  return member;
}
