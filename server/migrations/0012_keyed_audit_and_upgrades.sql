-- breaking
-- What somebody who can write to the database must not be able to do unnoticed: rewrite the audit log, or have a tool's
-- secret sent elsewhere. Replicas of an older version must be stopped before: they would write entries that are not counted.

-- What an upgrade does with the keys at hand, once each (server/src/upgrade.ts).
create table upgrades (
  name text primary key,
  ran_at timestamptz not null default clock_timestamp()
);

-- The key of the audit log, sealed like any secret of the installation.
create table audit_keys (
  id text primary key check (id = 'audit'),
  sealed text not null,
  created_at timestamptz not null default clock_timestamp()
);

alter table audit_chains
  -- Links up to this one were made without a key, before this version.
  add column unkeyed_until bigint not null default 0,
  -- Sealed: how many entries were bound, and the sum of their MACs.
  add column bound text,
  -- Over all other columns.
  add column mac bytea check (length(mac) = 32);

update audit_chains set unkeyed_until = seq;

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
