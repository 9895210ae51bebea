-- API keys: only the SHA-256 is kept; prefix and last4 are for display.

create table api_keys (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  integration_id text,
  name text not null,
  permissions text[] not null,
  hash bytea not null unique check (length(hash) = 32),
  prefix text not null,
  last4 text not null,
  is_active boolean not null default true,
  revoked_at timestamptz,
  expires_at timestamptz,
  last_used_at timestamptz,
  rotated_to text,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);

create index api_keys_newest on api_keys (project_id, created_at desc, id desc);
create index api_keys_integration on api_keys (integration_id) where integration_id is not null;
