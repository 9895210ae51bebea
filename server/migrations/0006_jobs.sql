-- Background work. A row is a promise to do something; it is gone once that is done.

create table jobs (
  kind text not null,
  -- What the job is about; there is one job of a kind for a subject at most.
  subject text not null,
  -- Jobs of one lane share its few slots, so that a long queue in one delays no other.
  lane text not null,
  -- ready: may be taken now. waiting: not before run_at. taken: leased until run_at.
  state text not null check (state in ('ready', 'waiting', 'taken')),
  run_at timestamptz not null,
  -- How often it was taken. Whoever finishes a job must name the number it was taken with.
  takes integer not null default 0,
  -- How often in a row it broke; the pause before the next try grows with it.
  failures integer not null default 0,
  primary key (kind, subject)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

create index jobs_ready on jobs (kind, lane, run_at) where state = 'ready';
create index jobs_taken on jobs (kind, lane) where state = 'taken';
create index jobs_due on jobs (kind, run_at) where state <> 'ready';
