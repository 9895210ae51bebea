-- OAuth: where members sign in, the apps that send them here, the accounts that members connected, and the sign-ins themselves.

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
  -- Whether somebody with `admin` approved the provider for production, and where the tokens of its members may go there.
  is_approved boolean not null,
  allowed_origins text[] not null,
  -- Why a sign-in at the provider last failed: code, reason, created_at. Null: the last one succeeded, or there was none.
  last_error jsonb,
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

-- Signing in by OAuth: sign-ins in progress, the clients a browser approved, the grants that came out of them, and clients that
-- registered themselves. Secrets are stored as SHA-256.

create table oauth_requests (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  browser_hash bytea not null check (length(browser_hash) = 32),
  -- The secret in the forms of the pages.
  page_hash bytea not null unique check (length(page_hash) = 32),
  -- The state sent to the provider. Null before that, and after its one use.
  state_hash bytea unique check (length(state_hash) = 32),
  provider_id text,
  client_kind text not null check (client_kind in ('registered', 'dynamic', 'metadata')),
  client_id text not null,
  client_name text not null,
  integration_id text,
  redirect_uri text not null,
  state text,
  code_challenge text,
  resource text,
  scopes text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

create index oauth_requests_expired on oauth_requests (expires_at);

create table oauth_approvals (
  project_id text not null references projects (id) on delete cascade,
  browser_hash bytea not null check (length(browser_hash) = 32),
  client_id text not null,
  -- Where the client receives its codes; without the port of a loopback address.
  redirect_uri text not null,
  scopes text[] not null,
  -- Who signed in with it first. Another person in the same browser approves again.
  member_id text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (project_id, browser_hash, client_id)
);

create index oauth_approvals_expired on oauth_approvals (expires_at);

-- One row for each completed sign-in. It has one code and one current refresh token.
create table oauth_grants (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  member_id text not null references members (id) on delete cascade,
  provider_id text not null,
  client_kind text not null check (client_kind in ('registered', 'dynamic', 'metadata')),
  client_id text not null,
  client_name text not null,
  integration_id text,
  scopes text[] not null,
  resource text,
  redirect_uri text not null,
  code_challenge text,
  code_hash bytea not null unique check (length(code_hash) = 32),
  code_expires_at timestamptz not null,
  code_used_at timestamptz,
  refresh_hash bytea check (length(refresh_hash) = 32),
  -- The token that refresh_hash was exchanged for. Accepted again until the new one is used: its answer may have been lost.
  previous_refresh_hash bytea check (length(previous_refresh_hash) = 32),
  refresh_expires_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index oauth_grants_newest on oauth_grants (project_id, member_id, created_at desc, id desc);
create index oauth_grants_created on oauth_grants using brin (created_at);

-- Every refresh token of a grant, so that an old one is recognised.
create table oauth_refresh_tokens (
  hash bytea primary key check (length(hash) = 32),
  project_id text not null,
  grant_id text not null references oauth_grants (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp()
);

create index oauth_refresh_tokens_grant on oauth_refresh_tokens (grant_id);
create index oauth_refresh_tokens_created on oauth_refresh_tokens using brin (created_at);

-- Clients that registered themselves (RFC 7591). They belong to no project.
create table oauth_dynamic_clients (
  client_id text primary key,
  name text not null,
  redirect_uris text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

create index oauth_dynamic_clients_expired on oauth_dynamic_clients (expires_at);
