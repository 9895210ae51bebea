-- ID-JAGs (managed authorization): which providers' assertions are accepted, and the toolset of the address that a session is for.

alter table oauth_providers add column accepts_id_jag boolean not null default false;
alter table oauth_providers add column required_claims jsonb not null default '{}';
alter table oauth_providers add column link_by text not null default 'subject';
alter table oauth_providers add column max_assertion_seconds integer not null default 300;

-- Null: the address names no toolset.
alter table member_sessions add column url_toolset_id text;
