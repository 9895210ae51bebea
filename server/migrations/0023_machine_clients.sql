-- OAuth clients that are machines: how a client may get tokens, its public keys, the sessions it gets for itself, and the ids of the
-- JWTs that were used.

alter table oauth_clients add column grant_types text[] not null default '{authorization_code,refresh_token}';
-- At most one of the two. With either, nobody knows the secret of secret_hash.
alter table oauth_clients add column jwks jsonb;
alter table oauth_clients add column jwks_uri text;

-- A session without a member. It depends on its client, so it needs no foreign key. Rows go 24 h after they expired.
create table client_sessions (
  id text primary key,
  project_id text not null,
  client_id text not null,
  integration_id text,
  -- Of the address that the session was asked for; null: it names none.
  toolset_id text,
  hash bytea not null unique check (length(hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create index client_sessions_expired on client_sessions using brin (expires_at);

-- The jti of every JWT that a client or an issuer signed and that was accepted, until the JWT expires.
create table used_jwt_ids (
  project_id text not null,
  -- The client, or the issuer of an ID-JAG.
  issuer text collate "C" not null,
  jti text collate "C" not null,
  expires_at timestamptz not null,
  primary key (project_id, issuer, jti)
);

create index used_jwt_ids_expired on used_jwt_ids using brin (expires_at);
