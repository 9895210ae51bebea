-- What connections to customers' hosts are made with: authorities of their own, and client certificates.
create table certificates (
  project_id text not null references projects (id) on delete cascade,
  id text not null,
  name text not null,
  ca text,
  client_certificate text,
  client_key text, -- sealed
  expires_at timestamptz not null,
  warned_days smallint, -- for which of 30, 7 and 1 days there was an event
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id)
);
create unique index certificates_project_id_name_key on certificates (project_id, name);
create index certificates_by_time on certificates (project_id, created_at desc, id desc);
create index certificates_by_expiry on certificates (expires_at);

alter table custom_tools add column certificate_id text;
alter table mcp_servers add column certificate_id text;
alter table hooks add column certificate_id text;
alter table webhooks add column certificate_id text;
alter table log_streams add column certificate_id text;
alter table oauth_providers add column certificate_id text;

create index custom_tools_by_certificate on custom_tools (project_id, certificate_id) where certificate_id is not null;
