-- Where members sign in, the apps that send them here, and the accounts that members connected.

create table oauth_providers (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  provider text not null check (provider in ('google', 'github', 'oidc')),
  name text not null,
  issuer text not null,
  client_id text not null,
  -- Sealed, bound to the issuer: changed in the database, the secret cannot be opened and is not sent there.
  client_secret text not null,
  -- From oauth_issuers.
  member_prefix text not null,
  scopes text[] not null,
  permissions text[] not null,
  is_enabled boolean not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create index oauth_providers_newest on oauth_providers (project_id, created_at desc, id desc);

-- External ids of members who sign in are `<member_prefix>:<subject>`. A subject is unique only at its issuer, so a prefix
-- belongs to one issuer for ever: rows stay when their provider is deleted.
create table oauth_issuers (
  project_id text not null references projects (id) on delete cascade,
  issuer text not null,
  member_prefix text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, issuer),
  unique (project_id, member_prefix)
);

create table oauth_clients (
  -- The client_id of OAuth.
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  -- Sign-ins through this client make sessions of this integration.
  integration_id text references integrations (id) on delete cascade,
  name text not null,
  redirect_uris text[] not null,
  is_public boolean not null,
  -- SHA-256; null for a public client. The previous one is valid until previous_secret_ends_at.
  secret_hash bytea check (length(secret_hash) = 32),
  secret_last4 text,
  previous_secret_hash bytea check (length(previous_secret_hash) = 32),
  previous_secret_ends_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (is_public = (secret_hash is null))
);

create index oauth_clients_newest on oauth_clients (project_id, created_at desc, id desc);
create index oauth_clients_integration on oauth_clients (integration_id);

create table oauth_connections (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  provider_id text not null references oauth_providers (id) on delete cascade,
  member_id text not null references members (id) on delete cascade,
  status text not null check (status in ('active', 'refresh_failed')),
  -- Sealed.
  access_token text not null,
  refresh_token text,
  scope text,
  -- Null: the provider did not say when the access token expires.
  expires_at timestamptz,
  -- Raised when the tokens change, so that of two refreshes only one is stored.
  version integer not null default 1,
  -- The lease of the process that refreshes the tokens.
  refreshing_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (member_id, provider_id)
);

create index oauth_connections_newest on oauth_connections (project_id, member_id, created_at desc, id desc);
create index oauth_connections_provider on oauth_connections (provider_id);
