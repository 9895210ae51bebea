// When the session of a machine was not ended before its time, as SQL, for rows that outlive it.

/** For the table `client_sessions as cs`. */
export const isUnrevokedClientSession = `
  cs.revoked_at is null and exists (
    select from oauth_clients c where c.id = cs.client_id and c.project_id = cs.project_id
      and c.integration_id is not distinct from cs.integration_id and 'client_credentials' = any (c.grant_types)
  )`;
