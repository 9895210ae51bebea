-- Organizations own projects; a project is what every other row belongs to.

create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Whoever runs this installation.
insert into organizations (id, name) values ('org_' || left(replace(gen_random_uuid()::text, '-', ''), 22), 'Default');

create table projects (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  environment text not null check (environment in ('development', 'production')),
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  requests_per_hour integer check (requests_per_hour > 0),
  settings jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- A deleted project is out of reach at once; its rows are kept until the events about it are delivered.
  deleted_at timestamptz
);

create index projects_newest on projects (created_at desc, id desc) where deleted_at is null;

-- Answers kept for 24 h so that a retried POST gives the first answer again; sealed, because they may hold a new key.
create table idempotency_keys (
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  status integer,
  answer text,
  locked_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (scope, key)
);

create index idempotency_keys_expired on idempotency_keys (expires_at);
