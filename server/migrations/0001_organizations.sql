-- Organizations, the people who sign in to the dashboard, their sessions, and what protects both.

create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Whoever runs this installation.
insert into organizations (id, name) values ('org_' || left(replace(gen_random_uuid()::text, '-', ''), 22), 'Default');

create table accounts (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  -- In lower case. One person, one account: an email address is known once in the installation.
  email text not null unique,
  -- argon2id, with its parameters.
  password_hash text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  -- Sealed. It counts once totp_enabled_at is set; before that it waits to be confirmed.
  totp_secret text,
  totp_enabled_at timestamptz,
  -- The newest time step whose code was accepted: a code works once.
  totp_last_step bigint,
  -- SHA-256 of the recovery codes that are left.
  recovery_codes bytea[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz,
  check (totp_enabled_at is null or totp_secret is not null)
);

create index accounts_newest on accounts (organization_id, created_at desc, id desc);

create table account_sessions (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  -- SHA-256 of the cookie.
  hash bytea not null unique check (length(hash) = 32),
  user_agent text,
  ip text,
  -- When the person last gave the password or the second factor. Null: when the session began.
  authenticated_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  -- However often it is used.
  expires_at timestamptz not null
);

create index account_sessions_newest on account_sessions (account_id, created_at desc, id desc);
create index account_sessions_expired on account_sessions (expires_at);

-- The links that create the first owner. Several, because each replica prints its own when it starts.
create table setup_links (
  hash bytea primary key check (length(hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

-- Failed password checks, by a hash of what is protected: an email address, a network, an account.
create table failed_sign_ins (
  key bytea primary key check (length(key) = 32),
  failures integer not null,
  blocked_until timestamptz,
  last_failed_at timestamptz not null
);

create index failed_sign_ins_oldest on failed_sign_ins (last_failed_at);

-- Invitations to an organization. Only the hash of the link's token is stored.
create table invitations (
  id text primary key,
  organization_id text not null references organizations (id),
  email text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  hash bytea not null unique check (length(hash) = 32),
  -- An invitation ends with the person who made it: nobody who was removed keeps a way in.
  created_by text not null references accounts (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  unique (organization_id, email)
);

create index invitations_newest on invitations (organization_id, created_at desc, id desc);
create index invitations_of_account on invitations (created_by);
-- Finds out whether an address is invited, by any organization.
create index invitations_of_email on invitations (email);
