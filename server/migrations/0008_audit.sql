-- The audit log: append only. Each entry is bound to the one before it by a hash, one chain for each organization.

create table audit_chains (
  organization_id text primary key references organizations (id),
  -- The last link.
  seq bigint not null,
  hash bytea not null check (length(hash) = 32),
  -- The last entry that retention took away: the chain is whole from here on.
  anchor_seq bigint not null default 0,
  anchor_hash bytea not null default decode(repeat('00', 32), 'hex') check (length(anchor_hash) = 32)
);

create table audit_entries (
  id text primary key,
  -- No references: an entry outlives its project, and every change at once would have to lock the one organization.
  organization_id text not null,
  project_id text not null,
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
create index audit_entries_unbound on audit_entries (organization_id, created_at, id) where seq is null;

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
