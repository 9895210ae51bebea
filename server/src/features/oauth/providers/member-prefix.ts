// The prefix of the external ids of members who sign in at an issuer. A subject is unique only at its issuer, so no two issuers
// of a project share a prefix, not even one after the other: the second could name the members of the first.

import { createHash } from 'node:crypto';
import type { OAuthProviderKind } from '@toolgate/contract/oauth-providers/rules.ts';
import type { Database } from '../../../database/tables.ts';
import { insertIssuer, selectIssuers } from './store.ts';

/** The first issuer of a kind gets the bare kind (`oidc`), others a suffix (`oidc-1f0c3a9b2d4e`). Call it inside lockForCreation(). */
export async function findOrCreatePrefix(
  database: Database,
  project_id: string,
  kind: OAuthProviderKind,
  issuer: string,
): Promise<string> {
  const known = await selectIssuers(database, project_id);
  const found = known.find((each) => each.issuer === issuer);
  if (found) return found.member_prefix;
  const isTaken = known.some((each) => each.member_prefix === kind);
  const suffix = createHash('sha256').update(issuer).digest('hex').slice(0, 12);
  const member_prefix = isTaken ? `${kind}-${suffix}` : kind;
  await insertIssuer(database, { project_id, issuer, member_prefix });
  return member_prefix;
}
