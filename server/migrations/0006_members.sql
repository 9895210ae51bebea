-- The public keys that vouch for members, the members, and their sessions.

-- Bytes are compared, here and below: no locale folds two kids or two people into one.
create table assertion_keys (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  kid text collate "C" not null,
  algorithm text not null check (algorithm in ('ES256', 'ES384', 'Ed25519', 'RS256')),
  public_key text not null,
  fingerprint text not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  deactivated_at timestamptz
);

create unique index assertion_keys_active_kid on assertion_keys (project_id, kid) where deactivated_at is null;
create index assertion_keys_newest on assertion_keys (project_id, created_at desc, id desc);

create table members (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  external_id text collate "C" not null,
  -- Where a member who is known by an email address first signed in. Null: no issuer has stated the address yet.
  issuer text,
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  unique (project_id, external_id)
);

create index members_newest on members (project_id, created_at desc, id desc);

-- What a session is bound to is looked up whenever it is used, so it needs no foreign keys: checking five parents at each
-- insert would lock the same few rows for everybody. Rows go 24 h after they expired.
create table member_sessions (
  id text primary key,
  project_id text not null,
  -- Null: made by OAuth, for a client without an integration.
  integration_id text,
  member_id text not null,
  -- A session is made with an API key or from a grant of OAuth.
  api_key_id text,
  grant_id text,
  -- The session_epoch of the API key when the session was made.
  key_epoch integer not null default 0,
  -- Null: made from member_external_id, or by OAuth.
  assertion_key_id text,
  scopes text[] not null default '{mcp}',
  hash bytea not null unique check (length(hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  check ((api_key_id is null) <> (grant_id is null))
);

create index member_sessions_member on member_sessions (member_id);
-- For the sweep. Rows come in the order of time, so a block range index says as much as a tree and costs next to nothing.
create index member_sessions_expired on member_sessions using brin (expires_at);

-- The jti of every assertion that was exchanged, until the assertion expires.
create table used_assertion_ids (
  project_id text not null,
  jti text collate "C" not null,
  expires_at timestamptz not null,
  primary key (project_id, jti)
);

create index used_assertion_ids_expired on used_assertion_ids using brin (expires_at);
