-- Which toolsets an OAuth client asks for, a person approved, and a grant has. Approved ones are kept as {id: time of approval}.

-- Null: every tool, because the project has no toolset that is a scope.
alter table oauth_requests add column toolset_ids text[];
alter table oauth_approvals add column toolsets jsonb;
alter table oauth_grants add column toolsets jsonb;

-- The toolsets of the grant that the client asked for when it refreshed its token; null: all of them.
alter table member_sessions add column granted_toolset_ids text[];
