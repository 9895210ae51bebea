-- The keys with which the service signs JWTs about members for the customer's API (member_jwt, token_exchange). The newest of a project
-- signs; the others are published until they end.

create table signing_keys (
  -- The kid.
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  public_jwk jsonb not null,
  -- Sealed.
  private_key text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Until when it is published. Null: it is the newest one.
  ends_at timestamptz
);

create unique index signing_keys_current on signing_keys (project_id) where ends_at is null;
create index signing_keys_newest on signing_keys (project_id, created_at desc, id desc);
