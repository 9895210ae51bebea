// When a session was not ended before its time, as SQL, for rows that outlive it: neither it nor what it was made with was revoked.

import { isValidGrant } from './valid-grant.ts';

/** For the table `member_sessions as s`. `now` is SQL for the current time. */
export const isUnrevokedSession = (now: string) => `
  s.revoked_at is null
  and (s.api_key_id is null or exists (
    select from api_keys sk where sk.id = s.api_key_id and sk.is_active and sk.revoked_at is null
      and sk.session_epoch = s.key_epoch
  ))
  and (s.assertion_key_id is null or exists (
    select from assertion_keys sa where sa.id = s.assertion_key_id and sa.deactivated_at is null
  ))
  and (s.grant_id is null or exists (select from oauth_grants g where g.id = s.grant_id and ${isValidGrant(now)}))`;
