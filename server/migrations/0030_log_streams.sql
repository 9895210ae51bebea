-- Log streams: the call log and the audit log of a project, sent to a receiver of the customer's as they grow.

create table log_streams (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  name text not null,
  kind text not null check (kind in ('otlp_http', 's3', 'https')),
  source text not null check (source in ('tool_calls', 'audit_log')),
  endpoint text not null,
  -- Sealed. Null: none. Their names are shown, so they are stored beside it.
  headers text,
  header_names text[] not null default '{}',
  bucket text,
  region text,
  prefix text,
  access_key_id text,
  -- Sealed.
  secret_access_key text,
  -- Sealed. Signs the batches of the kind https. The previous one goes on signing until previous_secret_ends_at.
  secret text,
  previous_secret text,
  previous_secret_ends_at timestamptz,
  flush_seconds integer not null,
  is_enabled boolean not null,
  -- Why the service switched it off itself.
  disabled_reason text check (disabled_reason in ('failing')),
  -- What the receiver has accepted: of calls a snapshot of transactions and a place in the next one, of audit entries the place
  -- in the chain. Advanced after its answer.
  cursor json not null,
  -- When the cursor was made: entries that it does not cover were made since, or shortly before.
  cursor_at timestamptz not null,
  -- When entries were last sent, or there were none to send. A file follows flush_seconds later.
  flushed_at timestamptz not null,
  last_sent_at timestamptz,
  last_entry_id text,
  -- Failed attempts in a row; the pause before the next grows with them.
  failures integer not null default 0,
  failing_since timestamptz,
  last_error json,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create index log_streams_newest on log_streams (project_id, created_at desc, id desc);

-- Streams read both logs in the order of commit. One index entry for all calls of a project that one transaction inserted.
create index tool_calls_by_transaction on tool_calls (project_id, transaction_id);
create index audit_entries_in_order on audit_entries (project_id, seq) where seq is not null;

-- Signs the files of audit streams; its public half is published. Sealed like any secret of the installation.
create table audit_signing_keys (
  id text primary key,
  public_jwk json not null,
  private_sealed text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Null: it signs. There is one such key.
  retired_at timestamptz
);

create unique index audit_signing_keys_current on audit_signing_keys ((retired_at is null)) where retired_at is null;
