// Whom a file belongs to. For anybody else, callers with `admin` aside, it does not exist.

import { type Caller, type Project, projectOf, type RootCaller, type TestCaller } from '../../../access/caller.ts';

export type FileOwner = {
  project: Project;
  /** The member in any session, else the key, else the OAuth client; a person who tries a tool. */
  owner_id: string;
  /** The owner, if it is a member: its quota counts. */
  member_id: string | null;
};

export const ownerOf = (caller: Exclude<Caller, RootCaller> | TestCaller): FileOwner => ({
  project: caller.kind === 'test' ? caller.project : projectOf(caller),
  owner_id: callerId(caller) as string,
  member_id: caller.kind === 'member' ? caller.member_id : null,
});

/** Null for the operator, who owns no files. */
export function callerId(caller: Caller | TestCaller): string | null {
  switch (caller.kind) {
    case 'member':
      return caller.member_id;
    case 'api_key':
      return caller.api_key_id;
    case 'oauth_client':
      return caller.oauth_client_id;
    case 'test':
    case 'account':
      return caller.account_id;
    case 'root':
      return null;
  }
}
