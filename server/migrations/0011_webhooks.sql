-- What happened, who wants to hear of it, and how telling them went.

create table events (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  type text not null,
  -- The bytes every receiver gets and every signature is made over, stored once.
  payload text not null,
  -- True: the example of its type, sent to one webhook on request. Nothing happened.
  is_test boolean not null default false,
  created_at timestamptz not null
);

create index events_newest on events (project_id, created_at desc, id desc);
create index events_newest_of_type on events (project_id, type, created_at desc, id desc);
create index events_oldest on events (created_at);

create table webhooks (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  url text not null,
  -- '*', 'api_key.*' or 'api_key.created'.
  events text[] not null,
  description text,
  -- Sealed. Null: none. Their names are shown, so they are stored beside it.
  headers text,
  header_names text[] not null default '{}',
  is_enabled boolean not null,
  -- Why the service switched it off itself.
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  -- Sealed. The previous one goes on signing until previous_secret_ends_at.
  secret text not null,
  previous_secret text,
  previous_secret_ends_at timestamptz,
  -- Nothing has arrived since then.
  failing_since timestamptz,
  last_failed_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create index webhooks_newest on webhooks (project_id, created_at desc, id desc);

create table deliveries (
  id text primary key,
  -- Goes with its webhook and its event, which go with the project.
  project_id text not null,
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null references events (id) on delete cascade,
  event_type text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- All attempts ever made, and where in the retry schedule the current round stands.
  attempt_count integer not null default 0,
  step integer not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz
);

create index deliveries_newest on deliveries (webhook_id, created_at desc, id desc);
create index deliveries_failed on deliveries (webhook_id, created_at) where status = 'failed';
create index deliveries_event on deliveries (event_id);
create index deliveries_oldest on deliveries (created_at) where status <> 'pending';

create table delivery_attempts (
  delivery_id text not null references deliveries (id) on delete cascade,
  number integer not null,
  project_id text not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  request_headers json not null,
  -- Null where no whole answer came; then `error` says why.
  status integer,
  error text,
  response_headers json,
  response_body text,
  truncated boolean not null,
  next_attempt_at timestamptz,
  primary key (delivery_id, number)
);
