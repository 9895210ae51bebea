-- Integrations and API keys.

create table integrations (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  name text not null,
  description text,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create index integrations_newest on integrations (project_id, created_at desc, id desc);

-- Only the SHA-256 of a key is kept; prefix and last4 are for display.
create table api_keys (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  integration_id text references integrations (id) on delete cascade,
  name text not null,
  permissions text[] not null,
  hash bytea not null unique check (length(hash) = 32),
  prefix text not null,
  last4 text not null,
  is_active boolean not null default true,
  -- Deactivating a key ends its sessions, and activating it again does not bring them back: each change is a new epoch, and a
  -- session is valid only in its own. A number instead of a mark on each session: nothing is rewritten, and no session that is
  -- being made can escape it.
  session_epoch integer not null default 0,
  revoked_at timestamptz,
  expires_at timestamptz,
  -- The end of a key by time is an event too: found by a job, recorded once.
  is_expiry_recorded boolean not null default false,
  last_used_at timestamptz,
  rotated_to text,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);

create index api_keys_newest on api_keys (project_id, created_at desc, id desc);
create index api_keys_integration on api_keys (integration_id) where integration_id is not null;
create index api_keys_to_expire on api_keys (expires_at) where expires_at is not null and not is_expiry_recorded;
