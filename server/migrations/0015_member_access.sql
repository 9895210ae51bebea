-- Which toolsets a member sees: decided when a session begins, and kept with it. Null: every tool.

alter table member_sessions add column toolset_ids text[];

-- What the provider said of a person who signed in, for the rules that decide which toolsets the person sees.
alter table oauth_grants add column claims jsonb;
