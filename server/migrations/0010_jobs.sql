-- Background work. A row is a promise to do something; it is gone once that is done.

create table jobs (
  kind text not null,
  -- What the job is about; there is one job of a kind for a subject at most.
  subject text not null,
  -- Whose job it is: each key has a number of slots, and free slots go round the keys. Empty for the service's own work.
  fairness_key text not null default '',
  -- Jobs with the same key share a limit, such as the deliveries of one webhook.
  concurrency_key text not null,
  -- ready: may be claimed now. waiting: not before run_at. claimed: leased until run_at.
  state text not null check (state in ('ready', 'waiting', 'claimed')),
  run_at timestamptz not null,
  -- Raised by each claim. A worker must name the token of its claim to finish the job.
  fencing_token integer not null default 0,
  -- How often in a row it broke; the pause before the next try grows with it.
  failures integer not null default 0,
  primary key (kind, subject)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- From key to key and from limit to limit in one look each, however many jobs wait in between.
create index jobs_ready on jobs (kind, fairness_key, concurrency_key, run_at) where state = 'ready';
create index jobs_claimed on jobs (kind, fairness_key, concurrency_key) where state = 'claimed';
create index jobs_due on jobs (kind, run_at) where state <> 'ready';
