// The toolsets that a member sees in a session, by the rules of the project.

import { type MemberClaims, toolsetsOfMember } from '@toolgate/contract/projects/toolsets-of-member.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { findToolsetIds, type HoldsPermit } from '../../policies/toolsets/slugs.ts';

/** Null: every tool. No query unless the project has rules. */
export async function memberToolsets(
  app: App,
  project: Project,
  claims: MemberClaims,
  permit: HoldsPermit = {},
): Promise<{ slugs: string[]; ids: string[] } | null> {
  const slugs = toolsetsOfMember(project.settings.member_access, claims);
  if (slugs === null) return null;
  const ids = await findToolsetIds(app, project, slugs, permit);
  return { slugs, ids: ids.filter((id) => id !== undefined) };
}
