// When a grant of OAuth is valid, as SQL: it was not revoked, and neither its provider nor its client has ended. The one place
// of this rule; a session made from the grant, its code and its refresh token all depend on it.

/** For the table `oauth_grants as g`. `now` is SQL for the current time. */
export const isValidGrant = (now: string) => `
  g.revoked_at is null
  and exists (
    select from oauth_providers v join projects vp on vp.id = v.project_id
    where v.id = g.provider_id and v.project_id = g.project_id and v.is_enabled
      and (v.is_approved or vp.environment = 'development')
  )
  and case g.client_kind
    when 'registered' then exists (
      select from oauth_clients c where c.id = g.client_id and c.project_id = g.project_id
        and c.integration_id is not distinct from g.integration_id
    )
    when 'dynamic' then exists (
      select from oauth_dynamic_clients d where d.client_id = g.client_id and d.expires_at > ${now}
    )
    else true
  end`;
