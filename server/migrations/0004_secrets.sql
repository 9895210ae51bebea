-- Keys that seal secrets: data keys (one per project, wrapped by a master key) and the keys customers seal their input to.

-- Proof that a master key is the one known under its id; tells nothing about the key.
create table master_key_checks (
  master_key_id text primary key,
  check_value bytea not null check (length(check_value) = 32),
  created_at timestamptz not null default clock_timestamp()
);

create table data_keys (
  id text primary key,
  -- Null: the installation's own.
  project_id text references projects (id) on delete cascade,
  master_key_id text not null references master_key_checks (master_key_id),
  wrapped_key bytea not null check (length(wrapped_key) = 60),
  -- An estimate, added to by one seal in many.
  uses bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  -- A retired key opens what it sealed and seals nothing new.
  retired_at timestamptz
);

create unique index data_keys_sealing on data_keys (coalesce(project_id, '')) where retired_at is null;
create index data_keys_project on data_keys (project_id);
create index data_keys_master_key on data_keys (master_key_id);

create table encryption_keys (
  id text primary key,
  -- One key for all would let a project use what another sealed.
  project_id text not null references projects (id) on delete cascade,
  public_jwk jsonb not null,
  private_sealed text not null,
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);

create unique index encryption_keys_current on encryption_keys (project_id) where retired_at is null;
create index encryption_keys_project on encryption_keys (project_id);
