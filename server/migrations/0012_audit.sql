-- The audit log: append only. Each entry is bound to the one before it by a hash, one chain for each organization. Somebody who
-- can write to the database must not be able to rewrite it unnoticed, so the chains are signed.

-- The key of the audit log, sealed like any secret of the installation.
create table audit_keys (
  id text primary key check (id = 'audit'),
  sealed text not null,
  created_at timestamptz not null default clock_timestamp()
);

create table audit_chains (
  organization_id text primary key references organizations (id),
  -- The last link.
  seq bigint not null,
  hash bytea not null check (length(hash) = 32),
  -- The last entry that retention took away: the chain is whole from here on.
  anchor_seq bigint not null default 0,
  anchor_hash bytea not null default decode(repeat('00', 32), 'hex') check (length(anchor_hash) = 32),
  -- Sealed: how many entries were bound, and the sum of their MACs.
  bound text,
  -- Over all other columns.
  mac bytea check (length(mac) = 32)
);

create table audit_entries (
  id text primary key,
  -- No references: an entry outlives its project, and every change at once would have to lock the one organization.
  organization_id text not null,
  -- Null: about an organization and its people.
  project_id text,
  created_at timestamptz not null,
  actor_kind text not null,
  actor_id text,
  action text not null,
  target_id text not null,
  ip text,
  request_id text,
  -- json, not jsonb: the hash is over these very characters.
  before json,
  after json,
  -- Null until the entry is bound into the chain, seconds after its transaction: changes need not wait for one another.
  seq bigint,
  hash bytea check (length(hash) = 32),
  unique (organization_id, seq),
  check ((seq is null) = (hash is null))
);

create index audit_entries_newest on audit_entries (project_id, created_at desc, id desc);
create index audit_entries_of_organization on audit_entries (organization_id, created_at desc, id desc)
  where project_id is null;
-- An import makes an entry for each tool: the list can show one for all of them, and find the others.
create index audit_entries_of_request on audit_entries (project_id, request_id, action, created_at, id);
create index audit_entries_unbound on audit_entries (organization_id, created_at, id) where seq is null;

-- How many entries were written, and the sum of their MACs: an entry that is removed before it is bound is missing from it.
-- One row for each connection of the database, so that no change waits for another.
create table audit_tallies (
  organization_id text not null,
  -- Its process id; 0: of connections that are closed.
  backend integer not null,
  entries bigint not null,
  mac_sum numeric not null,
  primary key (organization_id, backend)
);

-- Against mistakes, not against whoever owns the database: that one is found by the hashes.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('toolgate.audit_retention', true) = 'on' then
    return old;
  end if;
  if tg_op = 'UPDATE' and old.seq is null and to_jsonb(old) - 'seq' - 'hash' = to_jsonb(new) - 'seq' - 'hash' then
    return new;
  end if;
  raise exception 'the audit log is append only';
end $$;

create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_audit_change();
